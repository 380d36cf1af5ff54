"""A list of classes is one name per line or JSON, and what is wrong with it is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from vericap.errors import InputError
from vericap.vision.adapters.classes import read_classes


@pytest.mark.parametrize(
    ("text", "first", "names"),
    [
        ("person\ncar\n", 0, {0: "person", 1: "car"}),
        ("person\r\n???\r\ncar", 1, {1: "person", 3: "car"}),
        ('["person", "hot dog"]', 1, {1: "person", 2: "hot dog"}),
        ('{"1": "person", "90": "toothbrush"}', 0, {1: "person", 90: "toothbrush"}),
        ("\ufeffperson", 0, {0: "person"}),
    ],
)
def test_lists(tmp_path: Path, text: str, first: int, names: dict[int, str]) -> None:
    path = tmp_path / "classes"
    path.write_text(text, "utf-8", newline="")
    assert read_classes(path, first) == names


@pytest.mark.parametrize("text", ["", "???\n", "[1, 2]", '{"a": "person"}', '["person"', '[["person"]]'])
def test_what_is_not_a_list_of_classes_is_an_error_that_names_the_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "classes.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"classes\.json.*class"):
        read_classes(path)


def test_a_missing_list(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.txt.*cannot be read \(No such file"):
        read_classes(tmp_path / "none.txt")
