"""Captions, references and pictures as unit vectors of a CLIP, computed once for all metrics of the same model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
from vericap.vision.detection import Pipeline, Reading, ReadPicture
from vericap.vision.detectors import first_of, look_for_pictures
from vericap.vision.loading import Picture, PictureError

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
        paths = look_for_pictures(pictures.folder, [views.corpus.image_ids[row] for row in first.tolist()])
        cache = None if pictures.cache is None else PictureCache(pictures.cache)
        reading = Reading(views.workers, cache, pictures.megapixels)
        answers = _Encoding(encoder, self.model.batch, reading).run(paths)
        problems: list[PictureError] = []
        for done, (number, answer) in enumerate(zip(numbers.tolist(), answers, strict=True), 1):
            if not isinstance(answer, PictureError):
                found[number] = answer
            elif pictures.missing == "error":
                raise answer
            else:
                problems.append(answer)
                found[number] = 0.0 if pictures.missing == "zero" else np.nan
            report(done, len(paths))
        if problems:
            score = "score 0" if pictures.missing == "zero" else "are left out"
            many = f"captions of {len(problems):,} pictures {score}"
            views.note(f"{many}, as the picture is missing or broken: {problems[0]}")
        for note in reading.notes():
            views.note(note)
        return found


def check_pictures(pictures: PictureFolder, ids: Sequence[ImageId]) -> None:
    """Raise an error that names an image without a file, before any work starts, if `missing` is error."""
    if pictures.missing == "error":
        found = look_for_pictures(pictures.folder, list(dict.fromkeys(ids)))
        if errors := [each for each in found if isinstance(each, PictureError)]:
            raise first_of(errors)


class _Encoding(Pipeline[Floats]):
    """Vectors of pictures by a CLIP."""

    def __init__(self, encoder: ClipEncoder, batch: int, reading: Reading) -> None:
        about = encoder.checkpoint
        model = settings_hash(f"clip {about.sha256} {about.made} {about.preprocessing} {encoder.precision}")
        super().__init__(reading, model, batch)
        self.encoder = encoder

    def prepare(self, picture: Picture) -> NDArray[np.float32]:
        return self.encoder.checkpoint.preprocessing.pixels(picture.rgb)

    def compute(self, read: Sequence[ReadPicture]) -> list[Floats]:
        return list(self.encoder.pictures([each.prepared for each in read]))

    def as_entry(self, answer: Floats) -> CacheEntry:
        return CacheEntry({"vector": answer})

    def from_entry(self, entry: CacheEntry, path: Path) -> Floats | None:
        vector = entry.arrays.get("vector")
        return vector if vector is not None and vector.shape == (self.encoder.dimensions,) else None
