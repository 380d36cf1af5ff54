"""Judgements of any benchmark are checked once, after they are read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.judging.benchmark_folders import composite, pascal
from vericap.errors import InputError
from vericap.judging import load
from vericap.judging.judgements import Judged
from vericap.judging.reading import check_judged


@pytest.mark.parametrize(
    ("ids", "references", "candidates", "message"),
    [
        ([["a"]], [["x"]], ["c"], 'field "image_id": the image id is a list'),
        (["a"], [["x"]], [None], 'field "caption": the caption is null'),
        (["a"], ["x"], ["c"], 'field "references": the references are of type str'),
        (["a"], [["x", 7]], ["c"], 'field "references": the references are a list with a number'),
        ([True], [["x"]], ["c"], "the image id is a truth value"),
        ([], [], [], "there is no caption in it"),
    ],
)
def test_values_that_cannot_be_are_named(ids: Any, references: Any, candidates: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        check_judged(Judged(ids, references, candidates, np.arange(len(ids))), "ratings.json")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "make", "file"),
    [("composite", composite, "composite_joined.json"), ("pascal-50s", pascal, "pascal50s_pairs_joined.json")],
)
@pytest.mark.parametrize("wrong", [7, None, [], {"a": 1}, "text", True])
def test_a_value_of_another_type_is_an_error_that_names_the_files(
    name: str, make: Callable[[Path], Path], file: str, wrong: Any, tmp_path: Path
) -> None:
    folder = make(tmp_path / "folder")
    rows = json.loads((folder / file).read_text("utf-8"))
    for field in list(rows[0]):
        broken = [{**rows[0], field: wrong}, *rows[1:]]
        (folder / file).write_text(json.dumps(broken), "utf-8")
        try:
            load(name, folder)
        except InputError as error:
            assert "folder" in str(error)
    (folder / file).write_text(json.dumps(wrong), "utf-8")
    with pytest.raises(InputError, match="folder"):
        load(name, folder)
