"""PASCAL VOC's XML annotations (Everingham et al. 2015) → rows of objects."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from vericap.errors import InputError
from vericap.readers.fields import Wanted
from vericap.readers.files import File
from vericap.readers.messages import one_line
from vericap.readers.objects.object_rows import ObjectFields, ObjectRows

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def read_folder(file: File, wanted: Wanted) -> ObjectRows:
    """The objects of a folder of annotation files, one per image."""
    files = sorted(Path(file.path).glob("*.xml"))
    return read_voc({each.name: each.read_bytes() for each in files}, file.name)


def read_xml(file: File, wanted: Wanted) -> ObjectRows:
    """The objects of one annotation file."""
    return read_voc({Path(file.path).name: file.utf8}, file.name)


def read_voc(files: Mapping[str, bytes], source: str) -> ObjectRows:
    """The objects of annotation files, given by name; an image is called as its file says.

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
