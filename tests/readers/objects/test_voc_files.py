"""PASCAL VOC's annotations: an image is called as its file says, and XML that could do harm is not read."""

from __future__ import annotations

from pathlib import Path

import pytest

from vericap.errors import InputError
from vericap.readers.fields import Wanted
from vericap.readers.files import File
from vericap.readers.objects.object_rows import NO_BOX
from vericap.readers.objects.object_text import read_voc, read_voc_files

BOX = "<bndbox><xmin>{}</xmin><ymin>2</ymin><xmax>31</xmax><ymax>42</ymax></bndbox>"
DOG = f"<object><name> dog </name>{BOX.format(1)}</object>"
NAMED = f"<annotation><filename>7.jpg</filename>{DOG}<object><name>cat</name></object></annotation>"


def test_objects_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "b.xml").write_text(NAMED)
    (tmp_path / "a.xml").write_text(f"<annotation>{DOG}</annotation>")
    (tmp_path / "empty.xml").write_text("<annotation/>")
    (tmp_path / "README.txt").write_text("not an annotation")
    rows = read_voc_files(File(tmp_path), Wanted())
    assert list(rows.images) == ["a", "7.jpg", "empty"]  # the file's own name where it names no picture
    assert rows.ids == ["a", "7.jpg", "7.jpg"] and rows.labels == ["dog", "dog", "cat"]
    assert rows.boxes[1] == (1, 2, 30, 40) and rows.boxes[2] is NO_BOX


def test_objects_of_one_file(tmp_path: Path) -> None:
    (tmp_path / "7.xml").write_text(NAMED)
    rows = read_voc_files(File(tmp_path / "7.xml"), Wanted())
    assert rows.labels == ["dog", "cat"] and rows.source == str(tmp_path / "7.xml")


@pytest.mark.parametrize(
    ("xml", "row", "field", "problem"),
    [
        ("<annotation><object>", "a.xml", None, "broken or cut off"),
        ("<!DOCTYPE x><annotation/>", "a.xml", None, "declares entities"),
        ("<annotation><object/></annotation>", "a.xml, object 1", "name", "the label is empty"),
        (
            f"<annotation>{DOG}<object><name>x</name>{BOX.format('left')}</object></annotation>",
            "a.xml, object 2",
            "xmin",
            "'left', not a number",
        ),
        (
            f"<annotation><object><name>x</name>{BOX.format(99)}</object></annotation>",
            "a.xml, object 1",
            "bndbox",
            "negative side",
        ),
    ],
)
def test_what_is_wrong_names_file_and_object(xml: str, row: str, field: str | None, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as error:
        read_voc({"a.xml": xml.encode()}, "Annotations")
    assert (error.value.source, error.value.row, error.value.field) == ("Annotations", row, field)


def test_a_folder_without_annotations_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no \.xml file; name VOC's folder Annotations"):
        read_voc_files(File(tmp_path), Wanted())
