"""Objects in text files → rows: `id<tab>label,label`; CSV with a header, Open Images' or any with an id and a label;
Open Images' class descriptions; PASCAL VOC's XML annotations (Everingham et al. 2015)."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from vericap.errors import InputError
from vericap.readers.delimited import header_names, lines_of, parse_table
from vericap.readers.fields import Wanted
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
    header, rows = table.header, ObjectRows(file.name)
    id_field, label_field, sure_field = (
        wanted.fields.pick(role, header) for role in ("image_id", "label", "confidence")
    )
    if id_field is None or label_field is None:
        raise wanted.fields.missing("image_id" if id_field is None else "label", header, file.name)
    sides = [side for side in _CORNERS if side in header]
    fields = ObjectFields(label_field, sure_field, "XMin")
    for number, record in enumerate(table.records()):
        row = table.row_name(number)
        image_id = rows.image(record[id_field], row, id_field)
        sure = None if sure_field is None else _number(rows, record[sure_field], row, sure_field)
        # Open Images' own annotations have a source: people said that the object is there (1) or that it is not (0).
        if sure is not None and "Source" in header:
            if sure == 0:
                continue
            sure = None
        label = record[label_field]
        kind = int(label) if label_field == "category_id" and label.isdecimal() else label
        corners = [_number(rows, record[side], row, side) for side in sides]
        box = corners if len(corners) == 4 else None
        rows.add(image_id, kind, row, confidence=sure, box=box, corners=True, fields=fields)
    return rows


def _number(rows: ObjectRows, cell: str, row: int | str, name: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise rows.wrong(f"{one_line(cell)[:40]!r} is not a number", row, name, "write a number") from None


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
