"""Captions, references and pictures as unit vectors of a CLIP, computed once for all metrics of the same model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Floats
from vericap.corpus import ImageId, PictureFolder
from vericap.engine.progress import report
from vericap.views.view import View
from vericap.views.views import Views
from vericap.vision.cache import CacheEntry, PictureCache, settings_hash
from vericap.vision.detectors import first_of, look_for_pictures
from vericap.vision.loading import PictureError, decode, picture_hash, read_bytes

if TYPE_CHECKING:
    from vericap.encoders.clip.encoder import ClipEncoder

_TEXTS = 8  # texts that the network reads at once, for each picture that it would see at once


@dataclass(frozen=True)
class ClipModel:
    """A CLIP on disk and how it is run; see `vericap.encoders.clip`."""

    path: str
    activation: Literal["auto", "pac", "gelu", "quick_gelu"] = "auto"
    base: str = ""
    device: str = "auto"
    precision: Literal["auto", "float32", "float16"] = "auto"
    batch: int = 32  # pictures that the network sees at once

    def encoder(self) -> ClipEncoder:
        """Return the network, read once."""
        from vericap.encoders.clip.encoder import load

        return load(self.path, self.activation, self.base, self.device, self.precision)


@dataclass(frozen=True)
class TextVectors(View[Floats]):
    """Unit vectors of the candidates, or of the references, behind a prompt; identical texts are encoded once."""

    model: ClipModel
    prompt: str
    long: Literal["truncate", "error", "chunks"]
    side: Literal["candidates", "references"]

    def compute(self, views: Views) -> Floats:
        texts = views.corpus.candidates if self.side == "candidates" else views.corpus.references
        encoder = self.model.encoder()
        vectors, longer = encoder.texts(texts, self.prompt, self.long, _TEXTS * self.model.batch)
        if longer:
            how = {"truncate": "cut off there (long=truncate)", "chunks": "read in several pieces (long=chunks)"}
            many = f"{longer:,} of {len(set(texts)):,} distinct {self.side}"
            are = "have" if longer > 1 else "has"
            views.note(f"{many} {are} more than {encoder.limit - 2} tokens with the prompt: {how[self.long]}")
        return vectors


@dataclass(frozen=True)
class PictureVectors(View[Floats]):
    """Unit vectors of the pictures, one for each image of the corpus.

    A picture that is missing or broken is an error, or has a vector of zeros (`missing` zero), or is undefined (drop).
    """

    model: ClipModel

    def compute(self, views: Views) -> Floats:
        pictures = views.corpus.pictures
        if pictures is None:
            raise ValueError("the corpus has no pictures")
        image = views.corpus.image
        encoder = self.model.encoder()
        found = np.full((int(image.max()) + 1 if len(image) else 0, encoder.dimensions), np.nan)
        numbers, first = np.unique(image, return_index=True)
        ids = [views.corpus.image_ids[row] for row in first.tolist()]
        reader = _Reader(encoder, pictures, self.model.batch)
        for number, vector in zip(numbers.tolist(), reader.vectors(ids, views.workers), strict=True):
            found[number] = vector
        for note in reader.notes():
            views.note(note)
        return found


def check_pictures(pictures: PictureFolder, ids: Sequence[ImageId]) -> None:
    """Raise an error that names an image without a file, before any work starts, if `missing` is error."""
    if pictures.missing == "error":
        found = look_for_pictures(pictures.folder, list(dict.fromkeys(ids)))
        if errors := [each for each in found if isinstance(each, PictureError)]:
            raise first_of(errors)


@dataclass(frozen=True, eq=False)
class _Read:
    """A picture that was read: its vector, where the cache has it, or its pixels; or why there is none."""

    digest: str = ""
    vector: Floats | None = None
    pixels: NDArray[np.float32] | None = None
    problem: str = ""


class _Reader:
    """Reads pictures in threads while the network computes; what is in the cache is not computed again."""

    def __init__(self, encoder: ClipEncoder, pictures: PictureFolder, batch: int) -> None:
        self.encoder, self.pictures, self.batch = encoder, pictures, batch
        self.cache = None if pictures.cache is None else PictureCache(pictures.cache)
        about = encoder.checkpoint
        self.model = settings_hash(f"clip {about.sha256} {about.made} {about.preprocessing} {encoder.precision}")
        self.problems: list[str] = []

    def vectors(self, ids: Sequence[ImageId], workers: int) -> Iterator[Floats]:
        """The vectors of pictures, in their order."""
        done, waiting = 0, iter(look_for_pictures(self.pictures.folder, ids))
        with ThreadPoolExecutor(max(1, workers)) as pool:
            coming = [pool.submit(self._read, path) for path in islice(waiting, self.batch)]
            while coming:
                batch = [each.result() for each in coming]
                # The next pictures are decoded while the network computes these.
                coming = [pool.submit(self._read, path) for path in islice(waiting, self.batch)]
                yield from self._encoded(batch)
                done += len(batch)
                report(done, len(ids))

    def notes(self) -> Iterator[str]:
        """Return what there is to say: pictures that were missing or broken, and a cache that cannot be written."""
        if self.problems:
            score = "score 0" if self.pictures.missing == "zero" else "are left out"
            yield (
                f"captions of {len(self.problems):,} pictures {score}, as the picture is missing or broken: "
                + (self.problems[0])
            )
        if self.cache is not None and self.cache.problem:
            yield f"the cache {self.cache.folder} could not be written: {self.cache.problem}"

    def _read(self, path: Path | PictureError) -> _Read:
        try:
            if isinstance(path, PictureError):
                raise path
            data = read_bytes(path)
            digest = picture_hash(data)
            if (vector := self._kept(digest)) is not None:
                return _Read(digest, vector=vector)
            picture = decode(data, str(path), self.pictures.megapixels, digest=digest)
            return _Read(digest, pixels=self.encoder.checkpoint.preprocessing.pixels(picture.rgb))
        except PictureError as error:
            if self.pictures.missing == "error":
                raise
            return _Read(problem=str(error))

    def _kept(self, digest: str) -> Floats | None:
        """Return the vector that the cache has of a picture."""
        found = None if self.cache is None else self.cache.get(digest, self.model)
        vector = None if found is None else found.arrays.get("vector")
        return vector if vector is not None and vector.shape == (self.encoder.dimensions,) else None

    def _encoded(self, batch: Sequence[_Read]) -> Iterator[Floats]:
        pixels = [each.pixels for each in batch if each.pixels is not None]
        made = iter(list(self.encoder.pictures(pixels)) if pixels else [])
        for each in batch:
            if each.problem:
                self.problems.append(each.problem)
                yield np.full(self.encoder.dimensions, 0.0 if self.pictures.missing == "zero" else np.nan)
                continue
            vector: Floats = next(made) if each.vector is None else each.vector
            if each.vector is None and self.cache is not None:
                self.cache.put(each.digest, self.model, CacheEntry({"vector": vector}))
            yield vector
