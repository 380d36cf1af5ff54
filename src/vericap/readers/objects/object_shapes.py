"""Objects in JSON and in Python, by their shape → rows.

{id: [label, …]}, {id: {label: count}}, {id: [{name, bbox, score}, …]} (VOC's objects, a detector's), COCO instances,
COCO results, lists of records; names of categories by themselves: COCO's list of categories.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from vericap.errors import InputError
from vericap.readers.fields import Fields, Wanted
from vericap.readers.files import File
from vericap.readers.formats import parquet_errors
from vericap.readers.json_values import read_values
from vericap.readers.messages import describe, listed, shown
from vericap.readers.objects.object_rows import ObjectFields, ObjectRows

MOST_OF_A_LABEL = 10_000  # objects of one label in one image: more is a mistake, and would fill the memory
SHAPES = "write {id: [label, …]}, COCO instances or results, VOC XML, id<tab>label,label or an Open Images CSV"


def read_json(file: File, wanted: Wanted) -> ObjectRows:
    """Return the objects of a JSON or JSON Lines file."""
    return from_value(read_values(file), file.name, wanted.fields)


def read_parquet(file: File, wanted: Wanted) -> ObjectRows:
    """Return the objects of a Parquet file: one row per object, or one per image with a list of them."""
    import pyarrow
    from pyarrow import parquet

    with parquet_errors(file.name):
        table = parquet.read_table(pyarrow.BufferReader(file.data))
        if len(set(table.column_names)) < len(table.column_names):
            raise InputError("two columns have one name", source=file.name, fix="rename one of them")
        rows = table.to_pylist()
    # A column that other rows do not fill is null there, as if the row did not have it.
    filled = [{name: value for name, value in row.items() if value is not None} for row in rows]
    return from_value(filled, file.name, wanted.fields)


def from_value(value: Any, source: str = "objects", fields: Fields | None = None) -> ObjectRows:
    """Return the objects of a JSON value or of the same shape in Python.

    >>> rows = from_value({7: ["dog", "dog"], 8: []})
    >>> rows.ids, rows.labels, list(rows.images)
    ([7, 7], ['dog', 'dog'], [7, 8])
    """
    shape = _Shape(ObjectRows(source), fields or Fields())
    if isinstance(value, Mapping):
        if isinstance(value.get("categories"), list) or isinstance(value.get("annotations"), list):
            shape.coco(value)
        else:
            for number, (image_id, objects) in enumerate(value.items(), 1):
                where = f"{number} (id {shown(image_id)})"
                shape.objects(shape.rows.image(image_id, where), objects, where)
    elif isinstance(value, (list, tuple)):
        shape.records(value)
    else:
        raise InputError(f"the objects are {describe(value)}", source=source, fix=SHAPES)
    if not shape.rows.images and not shape.rows.names:
        raise InputError("there is no image in it", source=source, fix=SHAPES)
    return shape.rows


class _Shape:
    """Takes a value apart into rows."""

    def __init__(self, rows: ObjectRows, fields: Fields) -> None:
        self.rows, self.fields = rows, fields

    def coco(self, value: Mapping[str, Any]) -> None:
        """COCO instances: the images without an annotation are known, and empty."""
        rows = self.rows
        for name in ("categories", "images", "annotations"):
            if not isinstance(value.get(name, []), list):
                raise rows.wrong(f"it is {describe(value[name])}, not a list", None, name, SHAPES)
        self.categories(value.get("categories", []))
        for number, image in enumerate(value.get("images", []), 1):
            if not isinstance(image, Mapping) or "id" not in image:
                raise rows.wrong("the image has no id", f"{number} of images", "id", "give it one")
            image_id = rows.image(image["id"], f"{number} of images", "id")
            if isinstance(image.get("file_name"), str):
                rows.aliases[image["file_name"]] = image_id
        for number, annotation in enumerate(value.get("annotations", []), 1):
            self.record(annotation, f"{number} of annotations")

    def categories(self, categories: Iterable[Any]) -> None:
        """Numbers of categories and their names."""
        for number, category in enumerate(categories, 1):
            named = isinstance(category, Mapping) and type(category.get("name")) is str
            if not named or type(category.get("id")) not in (int, str):
                where = f"{number} of categories"
                raise self.rows.wrong("the category has no id and name", where, None, "give it both")
            self.rows.names[category["id"]] = category["name"]

    def records(self, records: Sequence[Any]) -> None:
        """A list: of categories, of lists of objects by position, or of records that name their images."""
        first = records[0] if records else None
        if isinstance(first, Mapping) and set(first) <= {"id", "name", "supercategory", "isthing", "color"}:
            self.categories(records)
        elif isinstance(first, (list, tuple)):
            self.rows.positions = True
            for place, objects in enumerate(records):
                self.objects(self.rows.image(place, place + 1), objects, place + 1)
        else:
            for number, record in enumerate(records, 1):
                self.record(record, number)

    def record(self, record: Any, row: int | str) -> None:
        """A record that names its image: an object, or a list of them."""
        if not isinstance(record, Mapping):
            raise self.rows.wrong(f"the row is {describe(record)}", row, None, SHAPES)
        id_field = self.fields.pick("image_id", record)
        if id_field is None:
            raise self.fields.missing("image_id", record, self.rows.source, row)
        image_id = self.rows.image(record[id_field], row, id_field)
        many = self.fields.pick("objects", record)
        if many is not None and isinstance(record[many], (list, tuple, Mapping)):
            lists = isinstance(record[many], (list, tuple)) and any(field in record for field in ("scores", "boxes"))
            self.objects(image_id, record if lists else record[many], row)
        else:
            self.object(image_id, record, row)

    def objects(self, image_id: Any, objects: Any, row: int | str) -> None:
        """The objects of one image, in any shape."""
        if isinstance(objects, Mapping):
            labels = objects.get("labels")
            if isinstance(labels, (list, tuple)):
                self.parallel(image_id, labels, objects, row)
            else:
                self.counts(image_id, objects, row)
        elif isinstance(objects, (list, tuple)):
            for each in objects:
                if isinstance(each, Mapping):
                    self.object(image_id, each, row)
                else:
                    self.rows.add(image_id, each, row)
        else:
            raise self.rows.wrong(f"the objects are {describe(objects)}", row, None, "give a list of labels")

    def counts(self, image_id: Any, counts: Mapping[Any, Any], row: int | str) -> None:
        """{label: number of such objects}."""
        for label, count in counts.items():
            if type(count) is not int or count < 0:
                fix = "give the number of such objects, or a list of labels"
                raise self.rows.wrong(f"the count of {shown(label)} is {describe(count)}", row, None, fix)
            if count > MOST_OF_A_LABEL:
                problem = f"the count of {shown(label)} is {count:,}; an image has at most {MOST_OF_A_LABEL:,}"
                raise self.rows.wrong(problem, row, None, "correct the count")
            for _ in range(count):
                self.rows.add(image_id, label, row)

    def parallel(self, image_id: Any, labels: Sequence[Any], record: Mapping[str, Any], row: int | str) -> None:
        """Return the objects of an image in the layout of torchvision's detectors: lists of labels, scores and
        boxes."""
        columns: dict[str, Any] = {}
        for name in ("scores", "boxes"):
            column = record.get(name)
            if column is not None and (not isinstance(column, (list, tuple)) or len(column) != len(labels)):
                problem = f"there are {len(labels)} labels, but not as many {name}"
                raise self.rows.wrong(problem, row, name, f"give one of {name} for each label")
            columns[name] = [None] * len(labels) if column is None else column
        fields = ObjectFields("labels", "scores", "boxes")
        for label, score, box in zip(labels, columns["scores"], columns["boxes"], strict=True):
            self.rows.add(image_id, label, row, confidence=score, box=box, corners=True, fields=fields)

    def object(self, image_id: Any, record: Mapping[str, Any], row: int | str) -> None:
        """One object with its label and what else is known of it."""
        label_field = self.fields.pick("label", record)
        if label_field is None:
            fix = f"name one of them label; the fields are: {listed(record)}"
            raise self.rows.wrong("no field holds the label", row, None, fix)
        confidence_field, box_field = self.fields.pick("confidence", record), self.fields.pick("box", record)
        confidence = None if confidence_field is None else record[confidence_field]
        self.rows.add(
            image_id,
            record[label_field],
            row,
            # A field that is there and null is NaN, as JSON writers spell it.
            confidence=math.nan if confidence_field is not None and confidence is None else confidence,
            box=record[box_field] if box_field else None,
            # COCO's bbox is x, y, width, height; VOC's objects, told by `difficult`, have corners in it.
            corners=box_field != "bbox" or "difficult" in record,
            fields=ObjectFields(label_field, confidence_field, box_field),
        )
