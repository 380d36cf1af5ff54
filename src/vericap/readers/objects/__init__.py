"""Objects of images, from annotations and from detectors' output files: several sources, matched by image id as
captions are, and united."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np

from vericap.arrays import Floats, Integers, offsets_of, rows_of
from vericap.corpus import Corpus, ImageId, Objects
from vericap.errors import InputError
from vericap.options.choices import CONFIDENCE, Missing
from vericap.readers.fields import Fields, Wanted
from vericap.readers.files import File
from vericap.readers.formats import Content, Format, is_parquet
from vericap.readers.id_matching import Images, images_of, match_images, refuse_two_types, without
from vericap.readers.json_values import looks_like_json
from vericap.readers.messages import count
from vericap.readers.objects.labels import COCO_CATEGORIES, normalise
from vericap.readers.objects.object_rows import ObjectRows
from vericap.readers.objects.object_shapes import from_value, read_json, read_parquet
from vericap.readers.objects.object_text import is_table, read_class_descriptions, read_csv, read_labels, read_voc_files

__all__ = ["add_objects", "read_objects", "several_objects"]

OBJECTS = Content(
    "objects",
    (
        # Path.is_dir raises for a name that no file can have.
        Format("voc-folder", lambda file, _: os.path.isdir(file.path), read_voc_files),  # noqa: PTH112
        Format("parquet", is_parquet, read_parquet),
        Format("voc-xml", lambda file, _: file.utf8.lstrip()[:1] == b"<", read_voc_files),
        Format("json", lambda file, _: looks_like_json(file.utf8), read_json),
        Format("csv", is_table, read_csv),
        Format(
            "class-descriptions",
            lambda file, _: file.first_line.startswith(("/m/", "/g/")) and "," in file.first_line,
            read_class_descriptions,
        ),
        Format("labels", lambda file, _: True, read_labels),
    ),
    lambda rows, wanted, source: from_value(list(rows), source, wanted.fields),
)


def add_objects(
    corpus: Corpus,
    objects: Any,
    *,
    confidence: float | Sequence[float] = CONFIDENCE,
    missing: Missing = "error",
    columns: Mapping[str, str] | None = None,
) -> Corpus:
    """Return the corpus with the objects of its images.

    `objects` is a path, a list of paths, {id: [label, …]} or any other shape that `object_shapes` knows. Detections
    below `confidence` are left out (one number for all sources, or one per source). `missing`: an image that no source
    names is an "error", its captions are left out ("drop"), or it counts as an image without objects ("zero").
    `columns` names the column of a role (`image_id`, `label`, `confidence`) where it has none of the usual names.

    >>> captions = Corpus.from_lists(["a dog", "cats"], image_ids=[1, 2])
    >>> corpus = add_objects(captions, {"1": ["Dog"], "2.jpg": ["cat", "cat"]})
    >>> corpus.objects_of(1), corpus.objects.confidence.tolist()
    (['cat', 'cat'], [nan, nan, nan])
    """
    sources = [read_objects(one, columns) for one in several_objects(objects)]
    thresholds = _thresholds(confidence, len(sources))
    names: dict[int | str, str] = {}
    for source in sources:
        names.update(source.names)
    # A source that only names categories has no images of its own.
    with_images = [(source, threshold) for source, threshold in zip(sources, thresholds, strict=True) if source.images]
    if not with_images:
        named = ", ".join(source.source for source in sources)
        raise InputError("there are names of categories, but no objects", source=named, fix="add a file of objects")
    notes: list[str] = []
    matched = [_match(corpus, source, threshold, names, notes) for source, threshold in with_images]
    united = _unite(corpus, matched, tuple(source.source for source, _ in with_images))
    corpus = replace(corpus, objects=united, notes=(*corpus.notes, *notes))
    lacking = ~united.known[corpus.image]
    if not lacking.any():
        return corpus
    return without(corpus, lacking, missing, "objects", ", ".join(united.sources))


def read_objects(objects: Any, columns: Mapping[str, str] | None = None) -> ObjectRows:
    """Return the objects of one source: a path, a value, or rows that were read already.

    >>> read_objects({7: {"dog": 2}}).labels
    ['dog', 'dog']
    """
    if isinstance(objects, ObjectRows):
        return objects
    # Where captions have a column of ids by another name, objects need not.
    fields = Fields(columns or {}, optional=True)
    if isinstance(objects, (str, PathLike)):
        return OBJECTS.read(File(objects), Wanted(fields=fields))
    return from_value(objects, fields=fields)


def several_objects(objects: Any) -> list[Any]:
    """Return one source, or those of a list of paths or of rows that were read already."""
    if isinstance(objects, (list, tuple)) and objects and all(isinstance(o, (PathLike, ObjectRows)) for o in objects):
        return list(objects)
    return [objects]


def _thresholds(confidence: float | Sequence[float], sources: int) -> list[float]:
    """Return the least confidence of each source."""
    given = [*confidence] if isinstance(confidence, Sequence) else [float(confidence)]
    if len(given) == 1:
        given *= sources
    if len(given) != sources or not all(0 <= threshold <= 1 for threshold in given):
        raise InputError(
            f"confidence is {', '.join(f'{threshold:g}' for threshold in given)} for {sources} object files",
            field="confidence",
            fix="give one number from 0 to 1, or one for each file",
        )
    return given


def _match(
    corpus: Corpus, rows: ObjectRows, threshold: float, names: Mapping[int | str, str], notes: list[str]
) -> tuple[Integers, list[str], Floats, Floats, Integers]:
    """Return the objects of one source that count: image of the corpus, label, confidence, box; and the images that it
    names."""
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
        notes.append(f"left out: {count(unused, 'image')} of {rows.source} without a candidate")
    return (
        np.array([image_of[rows.ids[i]] for i in kept], np.int64),
        [words[rows.labels[i]] for i in kept],
        sure[kept],
        np.array([rows.boxes[i] for i in kept], float).reshape(-1, 4),
        np.array([*image_of.values()], np.int64),
    )


def _word(rows: ObjectRows, label: int | str, row: int, names: Mapping[int | str, str]) -> str:
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


def _images(corpus: Corpus, rows: ObjectRows) -> dict[ImageId, int]:
    """Return the image of the corpus for each id of the source that has one."""
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
    named = Images(ids, lambda image: (rows.source, image + 1), rows.aliases)
    refuse_two_types(named)
    target = match_images(images_of(corpus), named)
    return {ids[place]: image for image, place in enumerate(target.tolist()) if place >= 0}


def _unite(corpus: Corpus, matched: list[Any], sources: tuple[str, ...]) -> Objects:
    images = int(corpus.image.max()) + 1 if len(corpus) else 0
    by_source, labels, confidence, boxes_of, named = zip(*matched, strict=True)
    image = np.concatenate(by_source)
    order = np.argsort(image, kind="stable")
    index: dict[str, int] = {}
    label = [index.setdefault(word, len(index)) for words in labels for word in words]
    boxes = np.concatenate(boxes_of)[order]
    known = np.zeros(images, bool)
    known[np.concatenate(named)] = True
    return Objects(
        tuple(index),
        np.array(label, np.int64)[order],
        offsets_of(np.bincount(image, minlength=images)),
        np.concatenate(confidence)[order],
        # Pictures that show nothing lack no box.
        None if len(boxes) and np.isnan(boxes).all() else boxes,
        rows_of([len(words) for words in labels])[order],
        sources,
        known,
    )
