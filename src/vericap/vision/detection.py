"""Pictures through a detector: threads read and decode files while the network runs on a batch, in order and with a
bounded number of pictures in memory. What was found before is taken from the cache."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from vericap.engine.progress import report
from vericap.errors import InputError
from vericap.options.choices import MEGAPIXELS
from vericap.vision.cache import CacheEntry, PictureCache
from vericap.vision.detectors import BatchDetector, Detection, Detector, checked_detection
from vericap.vision.loading import Picture, PictureError, decode, picture_hash, read_bytes

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
        found = _Pipeline(detector, reading).run(pictures)
    else:  # it reads files itself
        found = (p if isinstance(p, PictureError) else checked_detection(detector(p), p, detector) for p in pictures)
    for done, each in enumerate(found, 1):
        report(done, len(pictures))
        yield each


@dataclass(frozen=True, eq=False)
class _Read:
    """A picture that was read: what the cache has of it, or its pixels."""

    path: Path
    picture: Picture


class _Pipeline:
    """Reads ahead of the network: at most two batches, and one picture for each thread."""

    def __init__(self, detector: BatchDetector, reading: Reading) -> None:
        self.detector, self.reading = detector, reading
        self.fingerprint = detector.fingerprint if reading.cache is not None else ""
        self.loaded = False

    def run(self, pictures: Sequence[Path | PictureError]) -> Iterator[Found]:
        if self.reading.threads == 1:
            yield from self._in_batches(map(self._read, pictures))
            return
        with ThreadPoolExecutor(self.reading.threads) as pool:
            try:
                yield from self._in_batches(self._ahead(pool, iter(pictures)))
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    def _ahead(self, pool: ThreadPoolExecutor, pictures: Iterator[Path | PictureError]) -> Iterator[_Read | Found]:
        most = 2 * self.detector.batch + self.reading.threads
        under_way: deque[Future[_Read | Found]] = deque()
        under_way.extend(pool.submit(self._read, each) for each in islice(pictures, most))
        while under_way:
            answer = under_way.popleft().result()
            under_way.extend(pool.submit(self._read, each) for each in islice(pictures, 1))
            yield answer

    def _read(self, path: Path | PictureError) -> _Read | Found:
        """In a thread: what the cache has, or the decoded picture, or what is wrong with the file."""
        if isinstance(path, PictureError):
            return path
        try:
            data = read_bytes(path)
            digest = picture_hash(data)
            if self.reading.cache is not None:
                entry = self.reading.cache.get(digest, self.fingerprint)
                if (known := _from_entry(entry, path, self.detector)) is not None:
                    return known
            return _Read(path, decode(data, str(path), self.reading.megapixels, self.detector.edge, digest))
        except PictureError as error:
            return error

    def _in_batches(self, read: Iterable[_Read | Found]) -> Iterator[Found]:
        """The answers in order. Those behind a picture that waits for the network wait with it, up to some batches:
        they are small."""
        waiting: list[_Read | Found] = []
        pictures = 0
        for each in read:
            waiting.append(each)
            pictures += isinstance(each, _Read)
            if not pictures or pictures == self.detector.batch:
                yield from self._answers(waiting)
                waiting, pictures = [], 0
        yield from self._answers(waiting)

    def _answers(self, waiting: Sequence[_Read | Found]) -> Iterator[Found]:
        read = [each for each in waiting if isinstance(each, _Read)]
        found = iter(self._detect(read) if read else ())
        for each in waiting:
            yield next(found) if isinstance(each, _Read) else each

    def _detect(self, read: Sequence[_Read]) -> list[Detection]:
        if not self.loaded:
            self.detector.load(self.reading.threads)
            self.loaded = True
        found = list(self.detector.detect([each.picture.rgb for each in read]))
        if len(found) != len(read):
            problem = f"it gave {len(found)} answers for {len(read)} pictures"
            raise InputError(problem, source=f"detector {self.detector.name}", fix="give one for each picture")
        answers = []
        for each, detection in zip(read, found, strict=True):
            answer = _in_file_pixels(checked_detection(detection, each.path, self.detector), each.picture)
            if self.reading.cache is not None:
                self.reading.cache.put(each.picture.digest, self.fingerprint, _as_entry(answer))
            answers.append(answer)
        return answers


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


def _as_entry(found: Detection) -> CacheEntry:
    arrays = {"boxes": found.boxes, "confidence": found.confidence}
    if found.features is not None:
        arrays["features"] = np.asarray(found.features)
    return CacheEntry(arrays, list(found.labels))


def _from_entry(entry: CacheEntry | None, path: Path, detector: BatchDetector) -> Detection | None:
    if entry is None or not isinstance(entry.values, list) or not all(type(each) is str for each in entry.values):
        return None
    arrays: Mapping[str, Any] = entry.arrays
    if not {"boxes", "confidence"} <= arrays.keys() <= {"boxes", "confidence", "features"}:
        return None
    try:
        return checked_detection(Detection(entry.values, **arrays), path, detector)
    except InputError:
        return None
