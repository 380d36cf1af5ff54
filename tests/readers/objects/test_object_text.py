"""Objects in text files: lines of labels, tables, and Open Images' own."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vericap.errors import InputError
from vericap.readers.fields import Fields, Wanted
from vericap.readers.files import File
from vericap.readers.objects.object_rows import ObjectRows
from vericap.readers.objects.object_text import read_class_descriptions, read_csv, read_labels

Read = Callable[..., ObjectRows]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read(reader: Any, text: str, fields: Fields | None = None) -> ObjectRows:
        path = tmp_path / "objects.txt"
        path.write_text(text, "utf-8")
        found: ObjectRows = reader(File(path), Wanted(fields=fields or Fields()))
        return found

    return read


def test_a_line_has_an_id_a_tab_and_labels(read: Read) -> None:
    rows = read(read_labels, "42\tdog,dog,dining table\r\n b.jpg \t\n")
    assert rows.ids == ["42"] * 3 and rows.labels == ["dog", "dog", "dining table"]
    assert list(rows.images) == ["42", "b.jpg"]  # an image that shows nothing is known


def test_a_table_with_an_id_and_a_label(read: Read) -> None:
    rows = read(read_csv, 'image_id,label,confidence\n42,"dog",.5\n7,cat,1\n')
    assert (rows.ids, rows.labels, rows.confidence) == (["42", "7"], ["dog", "cat"], [0.5, 1])
    assert read(read_csv, "image_id,category_id\n42,18\n").labels == [18]
    assert read(read_csv, "photo,what\n42,dog\n", Fields({"image_id": "photo", "label": "what"})).labels == ["dog"]


def test_open_images_says_what_people_saw_and_what_they_did_not(read: Read) -> None:
    """With a source, 1 and 0 are people's yes and no; without, they are a detector's confidence."""
    header, rows = "ImageID,{}LabelName,Confidence,XMin,XMax,YMin,YMax\n", "42,{}/m/0bt9lr,{},0.1,0.3,0.2,0.6\n"
    people = read(read_csv, header.format("Source,") + rows.format("xclick,", 1) + rows.format("xclick,", 0))
    assert people.labels == ["/m/0bt9lr"] and math.isnan(people.confidence[0])
    assert people.boxes[0] == pytest.approx((0.1, 0.2, 0.2, 0.4))
    assert read(read_csv, header.format("") + rows.format("", 0)).confidence == [0]


def test_codes_have_names(read: Read) -> None:
    assert read(read_class_descriptions, '/m/0bt9lr,Dog\n/m/01,"Cat, big"\n').names == {
        "/m/0bt9lr": "Dog",
        "/m/01": "Cat, big",
    }


@pytest.mark.parametrize(
    ("reader", "text", "row", "field", "problem"),
    [
        (read_labels, "42\tdog\n7 cat\n", 2, None, "not an image's id, a tab and labels"),
        (read_labels, "42\tdog,,cat\n", 1, None, "the label is empty"),
        (read_class_descriptions, "/m/0bt9lr,Dog\n/m/01\n", 2, None, "not a code, a comma and a name"),
        (read_csv, "image_id,label,confidence\n42,dog,high\n", 1, "confidence", "'high' is not a number"),
        (read_csv, "image_id,label,confidence\n42,dog,nan\n", 1, "confidence", "is NaN"),
        (read_csv, "image_id,label\n42,dog,1\n", 1, None, "the row has 3 fields, but the header names 2"),
        (read_csv, "label,score\ndog,1\n", None, None, "no field holds the image id"),
        (read_csv, "image_id,score\n42,1\n", None, None, "no field holds the label"),
        (read_csv, "ImageID,LabelName,XMin,XMax,YMin,YMax\n42,dog,0,x,0,1\n", 1, "XMax", "not a number"),
    ],
)
def test_what_is_wrong_names_file_row_and_field(
    reader: Any, text: str, row: int | None, field: str | None, problem: str, read: Read, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=problem) as error:
        read(reader, text)
    assert (error.value.source, error.value.row, error.value.field) == (str(tmp_path / "objects.txt"), row, field)
    assert error.value.fix
