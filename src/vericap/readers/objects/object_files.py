"""Object files of every kind → rows. Which kind it is, the content says, never the name.

JSON: {id: [label, …]}, {id: {label: count}}, {id: [{name, bbox, score}, …]} (VOC's objects, a detector's), COCO
instances, COCO results, lists of records; JSONL of records. Text: `id<tab>label,label`. CSV with a header: Open
Images, or image_id, label, confidence. XML: PASCAL VOC, a file or a folder of them. Names of categories by
themselves: COCO's list of categories, Open Images' class descriptions.
"""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from vericap.errors import InputError
from vericap.readers.captions.caption_columns import ID_FIELDS
from vericap.readers.captions.caption_json import is_jsonl, parse_json, parse_lines
from vericap.readers.captions.caption_text import lines_of
from vericap.readers.files import as_utf8, decode, extension, looks_like_json, name_of, read_bytes
from vericap.readers.messages import describe, listed, one_line, shown
from vericap.readers.objects.object_rows import ObjectRows, pick
from vericap.readers.objects.voc_files import read_voc

LABEL_FIELDS = ("label", "name", "class", "class_name", "category", "category_name", "LabelName", "category_id")
CONFIDENCE_FIELDS = ("score", "confidence", "Confidence", "Score", "probability")
LIST_FIELDS = ("objects", "labels", "detections", "annotations")
_SHAPES = "write {id: [label, …]}, COCO instances or results, VOC XML, id<tab>label,label or an Open Images CSV"


def read_file(path: str | os.PathLike[str]) -> ObjectRows:
    """The objects of a file, or of a folder of VOC's XML files."""
    source = name_of(path)
    if Path(path).is_dir():
        return read_voc({file.name: file.read_bytes() for file in sorted(Path(path).glob("*.xml"))}, source)
    data = as_utf8(read_bytes(path), source)
    if data.lstrip()[:1] == b"<":
        return read_voc({Path(path).name: data}, source)
    if looks_like_json(data):
        lines = is_jsonl(data, extension(path))
        value = list(chain.from_iterable(parse_lines(data, source))) if lines else parse_json(data, source)
        return from_value(value, source)
    return _read_text(decode(data, source), source)


def from_value(value: Any, source: str = "objects") -> ObjectRows:
    """The objects of a JSON value or of the same shape in Python.

    >>> rows = from_value({7: ["dog", "dog"], 8: []})
    >>> rows.ids, rows.labels, list(rows.images)
    ([7, 7], ['dog', 'dog'], [7, 8])
    """
    rows = ObjectRows(source)
    if isinstance(value, Mapping):
        if isinstance(value.get("categories"), list) or isinstance(value.get("annotations"), list):
            _coco(rows, value)
        else:
            for number, (image_id, objects) in enumerate(value.items(), 1):
                where = f"{number} (id {shown(image_id)})"
                _objects(rows, rows.image(image_id, where), objects, where)
    elif isinstance(value, (list, tuple)):
        _records(rows, value)
    else:
        raise InputError(f"the objects are {describe(value)}", source=source, fix=_SHAPES)
    if not rows.images and not rows.names:
        raise InputError("there is no image in it", source=source, fix=_SHAPES)
    return rows


def _coco(rows: ObjectRows, value: Mapping[str, Any]) -> None:
    """COCO instances: the images without an annotation are known, and empty."""
    _categories(rows, value.get("categories", []))
    for number, image in enumerate(value.get("images", []), 1):
        if not isinstance(image, Mapping) or "id" not in image:
            raise rows.wrong("the image has no id", f"{number} of images", "id", "give it one")
        image_id = rows.image(image["id"], f"{number} of images", "id")
        if isinstance(image.get("file_name"), str):
            rows.aliases[image["file_name"]] = image_id
    for number, annotation in enumerate(value.get("annotations", []), 1):
        _record(rows, annotation, f"{number} of annotations")


def _categories(rows: ObjectRows, categories: Any) -> None:
    for number, category in enumerate(categories, 1):
        if not isinstance(category, Mapping) or type(category.get("name")) is not str or "id" not in category:
            raise rows.wrong("the category has no id and name", f"{number} of categories", None, "give it both")
        rows.names[category["id"]] = category["name"]


def _records(rows: ObjectRows, records: list[Any] | tuple[Any, ...]) -> None:
    first = records[0] if records else None
    if isinstance(first, Mapping) and set(first) <= {"id", "name", "supercategory", "isthing", "color"}:
        _categories(rows, records)
    elif isinstance(first, (list, tuple)):
        rows.positions = True
        for place, objects in enumerate(records):
            _objects(rows, rows.image(place, place + 1), objects, place + 1)
    else:
        for number, record in enumerate(records, 1):
            _record(rows, record, number)


def _record(rows: ObjectRows, record: Any, row: int | str) -> None:
    """A record that names its image: an object, or a list of them."""
    if not isinstance(record, Mapping):
        raise rows.wrong(f"the row is {describe(record)}", row, None, _SHAPES)
    id_field = pick(record, ("image_id", "ImageID", "ImageId", *ID_FIELDS))
    if id_field is None:
        fix = f"name one image_id; the fields are: {listed(record)}"
        raise rows.wrong("no field holds the image's id", row, None, fix)
    image_id = rows.image(record[id_field], row, id_field)
    many = pick(record, LIST_FIELDS)
    if many is not None and isinstance(record[many], (list, tuple, Mapping)):
        lists = isinstance(record[many], (list, tuple)) and any(field in record for field in ("scores", "boxes"))
        _objects(rows, image_id, record if lists else record[many], row)
    else:
        _object(rows, image_id, record, row)


def _objects(rows: ObjectRows, image_id: Any, objects: Any, row: int | str) -> None:
    """The objects of one image, in any shape."""
    if isinstance(objects, Mapping):
        labels = objects.get("labels")
        if isinstance(labels, (list, tuple)):
            return _parallel(rows, image_id, labels, objects, row)
        for label, count in objects.items():
            if type(count) is not int or count < 0:
                fix = "give the number of such objects, or a list of labels"
                raise rows.wrong(f"the count of {shown(label)} is {describe(count)}", row, None, fix)
            for _ in range(count):
                rows.add(image_id, label, row)
    elif isinstance(objects, (list, tuple)):
        for each in objects:
            if isinstance(each, Mapping):
                _object(rows, image_id, each, row)
            else:
                rows.add(image_id, each, row)
    else:
        raise rows.wrong(f"the objects are {describe(objects)}", row, None, "give a list of labels")
    return None


def _parallel(rows: ObjectRows, image_id: Any, labels: Any, record: Mapping[str, Any], row: int | str) -> None:
    """What detectors of torchvision's kind give an image: lists of labels, scores and boxes."""
    columns: dict[str, Any] = {}
    for name in ("scores", "boxes"):
        column = record.get(name)
        if column is not None and (not isinstance(column, (list, tuple)) or len(column) != len(labels)):
            raise rows.wrong(f"there are {len(labels)} labels, but not as many {name}", row, name, "give as many")
        columns[name] = [None] * len(labels) if column is None else column
    for label, score, box in zip(labels, columns["scores"], columns["boxes"], strict=True):
        rows.add(
            image_id,
            label,
            row,
            confidence=score,
            box=box,
            corners=True,
            label_field="labels",
            confidence_field="scores",
            box_field="boxes",
        )


def _object(rows: ObjectRows, image_id: Any, record: Mapping[str, Any], row: int | str) -> None:
    label_field = pick(record, LABEL_FIELDS)
    if label_field is None:
        raise rows.wrong("no field holds the label", row, None, f"name one label; the fields are: {listed(record)}")
    confidence_field = pick(record, CONFIDENCE_FIELDS)
    box_field = pick(record, ("bbox", "box", "xyxy"))
    rows.add(
        image_id,
        record[label_field],
        row,
        confidence=None if confidence_field is None else _given(record[confidence_field]),
        box=record[box_field] if box_field else None,
        # COCO's bbox is x, y, width, height; VOC's objects, told by `difficult`, have corners in it.
        corners=box_field != "bbox" or "difficult" in record,
        label_field=label_field,
        confidence_field=confidence_field,
        box_field=box_field,
    )


def _given(confidence: Any) -> Any:
    """A field that is there and null is NaN, as JSON writers spell it."""
    return math.nan if confidence is None else confidence


def _read_text(text: str, source: str) -> ObjectRows:
    lines = lines_of(text)
    header = [name.strip().strip('"') for name in lines[0].split(",")]
    if "ImageID" in header or "ImageId" in header or (
        pick(dict.fromkeys(header), LABEL_FIELDS) and pick(dict.fromkeys(header), ID_FIELDS)
    ):
        return _read_csv(lines, source)
    rows = ObjectRows(source)
    if lines[0].startswith(("/m/", "/g/")) and len(header) >= 2:
        for code, name, *_ in csv.reader(lines):
            rows.names[code] = name
        return rows
    for row, line in enumerate(lines, 1):
        name, tab, labels = line.partition("\t")
        if not tab:
            raise rows.wrong("the line is not an image's id, a tab and labels", row, None, _SHAPES)
        image_id = rows.image(name.strip(), row)
        for label in labels.split(",") if labels.strip() else []:
            rows.add(image_id, label, row)
    return rows


def _read_csv(lines: list[str], source: str) -> ObjectRows:
    rows = ObjectRows(source)
    try:
        table = list(csv.DictReader(lines, strict=True))
    except csv.Error as error:
        raise InputError(f"the table is broken ({one_line(error)})", source=source, fix="write it again") from None
    for row, record in enumerate(table, 1):
        if None in record or None in record.values():
            raise rows.wrong("the row has another number of fields than the header", row, None, "write it again")
        id_field = pick(record, ("ImageID", "ImageId", *ID_FIELDS))
        label_field = pick(record, LABEL_FIELDS)
        confidence_field = pick(record, CONFIDENCE_FIELDS)
        if id_field is None or label_field is None:
            raise rows.wrong("no column holds the label", row, None, f"name one LabelName; they are: {listed(record)}")
        image_id = rows.image(record[id_field], row, id_field)
        confidence = _number(rows, record[confidence_field], row, confidence_field) if confidence_field else None
        if "Source" in record and confidence is not None:
            # Open Images' own annotations: people said that the object is there (1) or that it is not (0).
            if confidence == 0:
                continue
            confidence = None
        label = record[label_field]
        corners = [record[side] for side in ("XMin", "YMin", "XMax", "YMax") if side in record]
        rows.add(
            image_id,
            int(label) if label_field == "category_id" and label.isdecimal() else label,
            row,
            confidence=confidence,
            box=[_number(rows, side, row, "XMin") for side in corners] if len(corners) == 4 else None,
            corners=True,
            label_field=label_field,
            confidence_field=confidence_field,
            box_field="XMin",
        )
    return rows


def _number(rows: ObjectRows, cell: str, row: int, name: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise rows.wrong(f"{one_line(cell)[:40]!r} is not a number", row, name, "write a number") from None
