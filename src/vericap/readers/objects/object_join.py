"""Objects of a corpus's images: several sources, matched by image id as captions are, and united."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.choices import CONFIDENCE, Missing
from vericap.corpus import Corpus, Objects
from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.captions.join import group, match_ids
from vericap.readers.messages import count
from vericap.readers.missing import without
from vericap.readers.objects.labels import COCO_CATEGORIES, normalise
from vericap.readers.objects.object_files import from_value, read_file
from vericap.readers.objects.object_rows import ObjectRows


def add_objects(
    corpus: Corpus, objects: Any, *, confidence: float | Sequence[float] = CONFIDENCE, missing: Missing = "error"
) -> Corpus:
    """The corpus with the objects of its images.

    `objects` is a path, a list of paths, {id: [label, …]} or any other shape that `object_files` knows. What a
    detector found with less than `confidence` is left out (one number for all sources, or one a source).
    `missing`: an image that no source names is an "error", its captions are left out ("drop"), or it counts as an
    image without objects ("zero").

    >>> captions = Corpus.from_lists(["a dog", "cats"], image_ids=[1, 2])
    >>> corpus = add_objects(captions, {"1": ["Dog"], "2.jpg": ["cat", "cat"]})
    >>> corpus.objects_of(1), corpus.objects.confidence.tolist()
    (['cat', 'cat'], [nan, nan, nan])
    """
    sources = [_read(one) for one in _several(objects)]
    thresholds = [*confidence] if isinstance(confidence, Sequence) else [float(confidence)] * len(sources)
    if len(thresholds) == 1:
        thresholds *= len(sources)
    if len(thresholds) != len(sources) or not all(0 <= threshold <= 1 for threshold in thresholds):
        raise InputError(
            f"confidence is {', '.join(f'{threshold:g}' for threshold in thresholds)} for {len(sources)} object files",
            field="confidence",
            fix="give one number from 0 to 1, or one for each file",
        )
    names: dict[int | str, str] = {}
    for source in sources:
        names.update(source.names)
    # A source that only names categories has no images of its own.
    with_images = [(source, threshold) for source, threshold in zip(sources, thresholds, strict=True) if source.images]
    if not with_images:
        raise InputError("there are names of categories, but no objects", field="objects", fix="add a file of objects")
    notes: list[str] = []
    columns = [_match(corpus, source, threshold, names, notes) for source, threshold in with_images]
    united = _unite(corpus, columns, tuple(source.source for source, _ in with_images))
    corpus = replace(corpus, objects=united, notes=(*corpus.notes, *notes))
    lacking = ~united.known[corpus.image]
    if not lacking.any():
        return corpus
    return without(corpus, lacking, missing, "objects", ", ".join(united.sources))


def _several(objects: Any) -> list[Any]:
    """One source, or those of a list of paths or of rows that were read already."""
    if isinstance(objects, (list, tuple)) and objects and all(isinstance(o, (PathLike, ObjectRows)) for o in objects):
        return list(objects)
    return [objects]


def _read(objects: Any) -> ObjectRows:
    if isinstance(objects, ObjectRows):
        return objects
    return read_file(objects) if isinstance(objects, (str, PathLike)) else from_value(objects)


Columns = tuple[NDArray[np.int64], list[str], NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]


def _match(
    corpus: Corpus, rows: ObjectRows, threshold: float, names: dict[int | str, str], notes: list[str]
) -> Columns:
    """Image, label, confidence and box of the objects that count, and the images that the source names."""
    image_of = _images(corpus, rows)
    sure = np.array(rows.confidence, float)
    below = sure < threshold
    if below.any():
        found = f"{count(int(below.sum()), 'object')} of {rows.source}"
        notes.append(f"{found} with a confidence below {threshold:g} left out")
    kept = [i for i in np.flatnonzero(~below).tolist() if rows.ids[i] in image_of]
    words: dict[int | str, str] = {}
    for i in kept:
        if rows.labels[i] not in words:
            words[rows.labels[i]] = _word(rows, rows.labels[i], i, names)
    # Numbers that no source names are COCO's; where they are another list's, such as YOLO's, that should be seen.
    if taken := [f"{label} {word}" for label, word in words.items() if type(label) is int and label not in names]:
        some = ", ".join(taken[:5]) + (", …" if len(taken) > 5 else "")
        notes.append(f"numbers in {rows.source} read as COCO's categories: {some}")
    unused = len(rows.images) - len(image_of)
    if unused:
        notes.append(f"{count(unused, 'image')} of {rows.source} without a candidate left out")
    return (
        np.array([image_of[rows.ids[i]] for i in kept], np.int64),
        [words[rows.labels[i]] for i in kept],
        sure[kept],
        np.array([rows.boxes[i] for i in kept], float).reshape(-1, 4),
        np.array([*image_of.values()], np.int64),
    )


def _word(rows: ObjectRows, label: int | str, row: int, names: dict[int | str, str]) -> str:
    if type(label) is str and not label.startswith(("/m/", "/g/")):
        return normalise(label)
    found = names.get(label) or (COCO_CATEGORIES.get(label) if type(label) is int else None)
    if found is None:
        raise rows.wrong(
            f"nothing says what the category {label} is called",
            rows.rows[row],
            "category_id" if type(label) is int else "LabelName",
            "give the file that names the categories as well (COCO's categories, Open Images' class descriptions)",
        )
    return normalise(found)


def _images(corpus: Corpus, rows: ObjectRows) -> dict[Any, int]:
    """The image of the corpus for each id of the source that has one."""
    by_position = isinstance(corpus.image_ids, range)
    if by_position != rows.positions:
        source, other = ("the candidates", rows.source) if by_position else (rows.source, "the candidates")
        fix = "give ids on both sides or on neither"
        raise InputError(f"it has no image ids, but {other} has them", source=source, fix=fix)
    if by_position:
        if len(rows.images) != len(corpus):
            problem = f"it has {len(rows.images)} rows, but there are {len(corpus)} candidates"
            raise InputError(problem, source=rows.source, fix="give one list of objects for each candidate")
        return {place: int(corpus.image[place]) for place in range(len(corpus))}
    ids = list(rows.images)
    given = group([Captions(rows.source, [], ids, np.zeros(0, np.int64), len(ids), aliases=rows.aliases)])
    first = np.unique(corpus.image, return_index=True)[1].tolist()
    candidates = Captions("the candidates", corpus.candidates, corpus.image_ids, records=len(corpus))
    target = match_ids(candidates, [corpus.image_ids[i] for i in first], first, given, ids)
    return {ids[place]: image for image, place in enumerate(target.tolist()) if place >= 0}


def _unite(corpus: Corpus, columns: list[Columns], sources: tuple[str, ...]) -> Objects:
    images = int(corpus.image.max()) + 1 if len(corpus) else 0
    image = np.concatenate([column[0] for column in columns])
    order = np.argsort(image, kind="stable")
    index: dict[str, int] = {}
    label = [index.setdefault(word, len(index)) for column in columns for word in column[1]]
    boxes = np.concatenate([column[3] for column in columns])[order]
    known = np.zeros(images, bool)
    known[np.concatenate([column[4] for column in columns])] = True
    return Objects(
        tuple(index),
        np.array(label, np.int64)[order],
        np.concatenate([[0], np.cumsum(np.bincount(image, minlength=images))]).astype(np.int64),
        np.concatenate([column[2] for column in columns])[order],
        # Pictures that show nothing lack no box.
        None if len(boxes) and np.isnan(boxes).all() else boxes,
        np.repeat(np.arange(len(columns)), [len(column[0]) for column in columns])[order],
        sources,
        known,
    )
