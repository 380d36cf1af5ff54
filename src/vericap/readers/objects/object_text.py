"""Objects in text files → rows: `id<tab>label,label`; CSV with a header, Open Images' or any with an id and a label;
Open Images' class descriptions; PASCAL VOC's XML annotations (Everingham et al. 2015)."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from vericap.errors import InputError
from vericap.readers.delimited import header_names, lines_of, parse_table
from vericap.readers.fields import Fields, Wanted
from vericap.readers.files import File
from vericap.readers.messages import one_line
from vericap.readers.objects.object_rows import ObjectFields, ObjectRows
from vericap.readers.objects.object_shapes import SHAPES

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_CORNERS = ("XMin", "YMin", "XMax", "YMax")


def is_table(file: File, wanted: Wanted) -> bool:
    """Return whether the first line of a text names columns of image ids and of labels."""
    names = header_names(file.first_line, ",")
    labels, ids = wanted.fields.pick("label", names), wanted.fields.pick("image_id", names)
    return "ImageID" in names or "ImageId" in names or (labels is not None and ids is not None)


def read_labels(file: File, wanted: Wanted) -> ObjectRows:
    """Return the objects of lines, one per image: its id, a tab, and its labels with commas between them."""
    rows = ObjectRows(file.name)
    for row, line in enumerate(lines_of(file.text), 1):
        name, tab, labels = line.partition("\t")
        if not tab:
            raise rows.wrong("the line is not an image's id, a tab and labels", row, None, SHAPES)
        image_id = rows.image(name.strip(), row)
        for label in labels.split(",") if labels.strip() else []:
            rows.add(image_id, label, row)
    return rows


def read_class_descriptions(file: File, wanted: Wanted) -> ObjectRows:
    """Return codes of categories and their names: `/m/0bt9lr,Dog`."""
    rows = ObjectRows(file.name)
    for row, cells in enumerate(csv.reader(lines_of(file.text)), 1):
        if len(cells) < 2:
            raise rows.wrong("the line is not a code, a comma and a name", row, None, "write /m/0bt9lr,Dog")
        rows.names[cells[0]] = cells[1]
    return rows


def read_csv(file: File, wanted: Wanted) -> ObjectRows:
    """Return the objects of a table, one per row, with the columns of Open Images or with an image id and a label."""
    table = parse_table(file.text, ",", file.name)
    columns = _Columns(table.header, wanted.fields, file.name)
    rows = ObjectRows(file.name)
    for number, record in enumerate(table.records()):
        columns.add(rows, record, table.row_name(number))
    return rows


class _Columns:
    """The columns of a table that say something about an object."""

    def __init__(self, header: list[str], fields: Fields, source: str) -> None:
        image_id, label = fields.pick("image_id", header), fields.pick("label", header)
        if image_id is None or label is None:
            raise fields.missing("image_id" if image_id is None else "label", header, source)
        self.image_id, self.label, self.confidence = image_id, label, fields.pick("confidence", header)
        self.corners = [side for side in _CORNERS if side in header]
        # Open Images' own annotations have a source: people said that the object is there (1) or that it is not (0).
        self.annotated = "Source" in header and self.confidence is not None
        self.fields = ObjectFields(label, self.confidence, "XMin")

    def add(self, rows: ObjectRows, record: dict[str, str], row: int | str) -> None:
        """One row of the table."""
        image_id = rows.image(record[self.image_id], row, self.image_id)
        confidence = None
        if self.confidence is not None:
            confidence = _number(rows, record[self.confidence], row, self.confidence)
        if self.annotated:
            if confidence == 0:
                return
            confidence = None
        label = record[self.label]
        corners = [_number(rows, record[side], row, side) for side in self.corners]
        rows.add(
            image_id,
            int(label) if self.label == "category_id" and label.isdecimal() else label,
            row,
            confidence=confidence,
            box=corners if len(corners) == 4 else None,
            corners=True,
            fields=self.fields,
        )


def _number(rows: ObjectRows, cell: str, row: int | str, name: str) -> float:
    try:
        return float(cell)
    except ValueError:
        problem = f"{one_line(cell)[:40]!r} is not a number"
        raise InputError(problem, source=rows.source, row=row, field=name, fix="write a number") from None


def read_voc_files(file: File, wanted: Wanted) -> ObjectRows:
    """Return the objects of one annotation file, or of a folder of them, one per image."""
    path = Path(file.path)
    if path.is_dir():
        return read_voc({each.name: each.read_bytes() for each in sorted(path.glob("*.xml"))}, file.name)
    return read_voc({path.name: file.utf8}, file.name)


def read_voc(files: Mapping[str, bytes], source: str) -> ObjectRows:
    """Return the objects of annotation files, given by name; an image is called as its file says.

    >>> xml = b'''<annotation><filename>2008_000032.jpg</filename><object><name>bus</name><bndbox><xmin>6</xmin>
    ... <ymin>118</ymin><xmax>489</xmax><ymax>274</ymax></bndbox></object></annotation>'''
    >>> rows = read_voc({"2008_000032.xml": xml}, "Annotations")
    >>> rows.ids, rows.labels, rows.boxes
    (['2008_000032.jpg'], ['bus'], [(6.0, 118.0, 483.0, 156.0)])
    """
    rows = ObjectRows(source)
    if not files:
        raise InputError("the folder has no .xml file", source=source, fix="name VOC's folder Annotations")
    for name, data in files.items():
        tree = _parse(rows, name, data)
        image_id = rows.image((tree.findtext("filename") or PurePath(name).stem).strip(), name, "filename")
        for number, found in enumerate(tree.iter("object"), 1):
            row = f"{name}, object {number}"
            box = found.find("bndbox")
            rows.add(
                image_id,
                (found.findtext("name") or "").strip(),
                row,
                box=None if box is None else [_side(rows, box, side, row) for side in ("xmin", "ymin", "xmax", "ymax")],
                corners=True,
                fields=ObjectFields("name", None, "bndbox"),
            )
    return rows


def _parse(rows: ObjectRows, name: str, data: bytes) -> Element:
    from xml.etree import ElementTree

    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        # VOC's files have none, and entities can make a small file fill the memory.
        raise rows.wrong("the XML declares entities, which are not read", name, None, "take the declaration out")
    try:
        return ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        problem = f"the XML is broken or cut off ({one_line(error)})"
        raise rows.wrong(problem, name, None, "write the file again") from None


def _side(rows: ObjectRows, box: Element, side: str, row: str) -> float:
    text = box.findtext(side) or ""
    try:
        return float(text)
    except ValueError:
        raise rows.wrong(f"the side is {text!r}, not a number", row, side, "write a number") from None
