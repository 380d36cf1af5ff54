"""Objects in Parquet files: one row per object, or one row per image with a list."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from vericap.errors import InputError
from vericap.readers.objects import read_objects


@pytest.mark.parametrize(
    "rows",
    [
        [{"image_id": 1, "label": "dog", "score": 0.9}, {"image_id": 1, "label": "cat", "score": None}],
        [{"image_id": 1, "objects": ["dog", "cat"]}, {"image_id": 2, "objects": []}],
        [{"image_id": 1, "labels": ["dog", "cat"], "scores": [0.9, 0.8], "boxes": [[0.0, 0.0, 2.0, 2.0]] * 2}],
    ],
)
def test_the_usual_shapes(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "o.parquet")
    found = read_objects(tmp_path / "o.parquet")
    assert found.ids == [1, 1] and found.labels == ["dog", "cat"]


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "o.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(InputError, match=r"o.parquet: the Parquet data is damaged or truncated"):
        read_objects(tmp_path / "o.parquet")
