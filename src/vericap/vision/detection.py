"""Pictures through a detector: threads read and decode files while the network runs on a batch, in order and with a
bounded number of pictures in memory. What was found before is taken from the cache."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np

from vericap.engine.progress import report
from vericap.errors import InputError
from vericap.options.choices import MEGAPIXELS
from vericap.vision.cache import CacheEntry, PictureCache
from vericap.vision.detectors import BatchDetector, Detection, Detector, checked_detection
from vericap.vision.loading import Picture, PictureError, decode, picture_hash, read_bytes

Answer = TypeVar("Answer")  # of a network to a picture
# A picture's objects, or why it could not be looked at.
Found: TypeAlias = Detection | PictureError


@dataclass(frozen=True)
class Reading:
    """The settings of a detection: this many threads (0 means one for each core), with this cache, up to this size,
    and those of which rows of a corpus (None means all)."""

    workers: int = 1
    cache: PictureCache | None = None
    megapixels: float = MEGAPIXELS
    rows: Sequence[int] | None = None

    @property
    def threads(self) -> int:
        return self.workers or os.cpu_count() or 1

    def notes(self) -> list[str]:
        """Return what could not be kept."""
        if self.cache is None or self.cache.problem is None:
            return []
        return [f"the cache in {self.cache.folder} could not be written to: {self.cache.problem}"]


def detect(detector: Detector, pictures: Iterable[Path]) -> list[Detection]:
    """Return the objects of each picture; the first that cannot be read is an error."""
    found = []
    for each in detect_each(detector, list(pictures)):
        if isinstance(each, PictureError):
            raise each
        found.append(each)
    return found


def detect_each(
    detector: Any,
    pictures: Sequence[Path | PictureError],
    reading: Reading = Reading(),  # noqa: B008  # frozen
) -> Iterator[Found]:
    """The objects of each picture or why it could not be read, in order, by a `Detector`. What is an error already
    stays one."""
    found: Iterable[Found]
    if hasattr(detector, "detect"):
        found = _Detection(detector, reading).run(pictures)
    else:  # it reads files itself
        found = (p if isinstance(p, PictureError) else checked_detection(detector(p), p, detector) for p in pictures)
    for done, each in enumerate(found, 1):
        report(done, len(pictures))
        yield each


@dataclass(frozen=True, eq=False)
class ReadPicture:
    """A picture that was read, and what the network takes of it."""

    path: Path
    picture: Picture
    prepared: Any


class Pipeline(ABC, Generic[Answer]):
    """Pictures through a network: threads read ahead of it, at most two batches and one picture for each thread.
    What was computed before comes from the cache, where `fingerprint` stands for the network and its settings."""

    def __init__(self, reading: Reading, fingerprint: str, batch: int, edge: int | None = None) -> None:
        self.reading, self.fingerprint, self.batch, self.edge = reading, fingerprint, batch, edge

    @abstractmethod
    def compute(self, read: Sequence[ReadPicture]) -> Sequence[Answer]:
        """Return what the network says of each picture of a batch."""

    @abstractmethod
    def as_entry(self, answer: Answer) -> CacheEntry:
        """Return an answer as the cache keeps it."""

    @abstractmethod
    def from_entry(self, entry: CacheEntry, path: Path) -> Answer | None:
        """Return the answer that the cache kept; None if it is not a valid one."""

    def prepare(self, picture: Picture) -> Any:
        """In a thread: return what the network takes of a picture."""
        return picture.rgb

    def run(self, pictures: Iterable[Path | PictureError]) -> Iterator[Answer | PictureError]:
        """The answers in order; what is an error already stays one."""
        with ThreadPoolExecutor(self.reading.threads) as pool:
            try:
                yield from self._in_batches(self._ahead(pool, iter(pictures)))
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    def _ahead(
        self, pool: ThreadPoolExecutor, pictures: Iterator[Path | PictureError]
    ) -> Iterator[ReadPicture | Answer | PictureError]:
        most = 2 * self.batch + self.reading.threads
        under_way = deque(pool.submit(self._read, each) for each in islice(pictures, most))
        while under_way:
            answer = under_way.popleft().result()
            under_way.extend(pool.submit(self._read, each) for each in islice(pictures, 1))
            yield answer

    def _read(self, path: Path | PictureError) -> ReadPicture | Answer | PictureError:
        """In a thread: what the cache has, or the decoded picture, or what is wrong with the file."""
        if isinstance(path, PictureError):
            return path
        try:
            data = read_bytes(path)
            digest = picture_hash(data)
            entry = None if self.reading.cache is None else self.reading.cache.get(digest, self.fingerprint)
            if entry is not None and (known := self.from_entry(entry, path)) is not None:
                return known
            picture = decode(data, str(path), self.reading.megapixels, self.edge, digest)
            return ReadPicture(path, picture, self.prepare(picture))
        except PictureError as error:
            return error

    def _in_batches(self, read: Iterable[ReadPicture | Answer | PictureError]) -> Iterator[Answer | PictureError]:
        """The answers in order. Those behind a picture that waits for the network wait with it, up to some batches:
        they are small."""
        waiting: list[ReadPicture | Answer | PictureError] = []
        pictures = 0
        for each in read:
            waiting.append(each)
            pictures += isinstance(each, ReadPicture)
            if not pictures or pictures == self.batch:
                yield from self._answers(waiting)
                waiting, pictures = [], 0
        yield from self._answers(waiting)

    def _answers(self, waiting: Sequence[ReadPicture | Answer | PictureError]) -> Iterator[Answer | PictureError]:
        read = [each for each in waiting if isinstance(each, ReadPicture)]
        computed = iter(self.compute(read) if read else ())
        for each in waiting:
            if not isinstance(each, ReadPicture):
                yield each
                continue
            answer = next(computed)
            if self.reading.cache is not None:
                self.reading.cache.put(each.picture.digest, self.fingerprint, self.as_entry(answer))
            yield answer


class _Detection(Pipeline[Detection]):
    """Objects of pictures by a detector."""

    def __init__(self, detector: BatchDetector, reading: Reading) -> None:
        fingerprint = detector.fingerprint if reading.cache is not None else ""
        super().__init__(reading, fingerprint, detector.batch, detector.edge)
        self.detector, self.loaded = detector, False

    def compute(self, read: Sequence[ReadPicture]) -> list[Detection]:
        if not self.loaded:
            self.detector.load(self.reading.threads)
            self.loaded = True
        found = list(self.detector.detect([each.prepared for each in read]))
        if len(found) != len(read):
            problem = f"it gave {len(found)} answers for {len(read)} pictures"
            raise InputError(problem, source=f"detector {self.detector.name}", fix="give one for each picture")
        return [
            _in_file_pixels(checked_detection(detection, each.path, self.detector), each.picture)
            for each, detection in zip(read, found, strict=True)
        ]

    def as_entry(self, answer: Detection) -> CacheEntry:
        arrays = {"boxes": answer.boxes, "confidence": answer.confidence}
        if answer.features is not None:
            arrays["features"] = np.asarray(answer.features)
        return CacheEntry(arrays, list(answer.labels))

    def from_entry(self, entry: CacheEntry, path: Path) -> Detection | None:
        if not isinstance(entry.values, list) or not all(type(each) is str for each in entry.values):
            return None
        arrays: Mapping[str, Any] = entry.arrays
        if not {"boxes", "confidence"} <= arrays.keys() <= {"boxes", "confidence", "features"}:
            return None
        try:
            return checked_detection(Detection(entry.values, **arrays), path, self.detector)
        except InputError:
            return None


def _in_file_pixels(found: Detection, picture: Picture) -> Detection:
    """Return boxes in pixels of the file, which may have been reduced."""
    height, width = picture.rgb.shape[:2]
    scale = np.array([picture.width / width, picture.height / height] * 2)
    return replace(
        found,
        labels=list(found.labels),
        boxes=(np.asarray(found.boxes, np.float64).reshape(-1, 4) * scale).round(3),  # of a pixel: enough for all
        confidence=np.asarray(found.confidence, np.float64),
    )
