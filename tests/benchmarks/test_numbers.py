"""Numbers of two trees are compared to the last bit, and nothing is left out without a word."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import numbers
from benchmarks.numbers import Command, by_field, commands, compare, differences, in_short, rows_of
from benchmarks.places import ROOT
from benchmarks.readings import READINGS, plain


def found(before: Any, after: Any) -> list[str]:
    return [str(each) for each in differences(before, after)]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (0.1, 0.1, []),
        (0.1, np.nextafter(0.1, 1).item(), [": 0.1 → 0.10000000000000002"]),
        (0.0, -0.0, [": 0.0 → -0.0"]),
        (1, 1.0, [": 1 → 1.0"]),
        (1, True, [": 1 → true"]),
        (math.nan, math.nan, []),
        (None, 0.0, [": null → 0.0"]),
        ({"a": None}, {}, ["a: null → absent"]),
        ({"a": 1}, {"a": 1, "b": 2}, []),
        ({"notes": ["old words"], "vericap": "0.1"}, {"notes": [], "vericap": "0.2"}, []),
        ([1.0, 2.0], [1.0], [": [1.0, 2.0] → [1.0]"]),
        ([{"score": 1.0}], {"explanations": [{"score": 2.0}]}, ["[0].score: 1.0 → 2.0"]),
    ],
)
def test_a_field_differs_when_a_bit_does(before: Any, after: Any, expected: list[str]) -> None:
    assert found(before, after) == expected


def test_float32_keeps_its_bits_on_the_way_through_json() -> None:
    near = np.nextafter(np.float32(0.1), np.float32(1))
    before, after = (json.loads(json.dumps(plain([np.array([each])]))) for each in (np.float32(0.1), near))
    assert np.float32(before[0]["float32"][0]) == np.float32(0.1)
    assert len(found(before, after)) == 1
    assert found(plain(np.float32(0.5)), plain(np.float64(0.5))), "another type is another reading"


def test_values_of_a_field_are_counted_together_and_what_is_no_number_comes_first() -> None:
    before = {"captions": [{"cider": 2.0, "wmd": 1.0, "text": "a"}, {"cider": 4.0, "wmd": 1.0, "text": "b"}]}
    after = {"captions": [{"cider": 2.5, "wmd": 1.0, "text": "a"}, {"cider": 4.1, "wmd": 2.0, "text": "c"}]}
    differing = list(differences(before, after))
    assert by_field(differing) == [
        'captions[…].text: 1 value; captions[1].text: "b" → "c"',
        "captions[…].wmd: 1 value, by at most 0.5 of the value; captions[1].wmd: 1.0 → 2.0",
        "captions[…].cider: 2 values, by at most 0.2 of the value; captions[0].cider: 2.0 → 2.5",
    ]
    assert in_short(differing) == "4 fields differ, 3 numbers by at most 0.5 of the value"
    assert in_short([]) == "identical"


def test_rows_of_a_stream_are_read_from_either_kind_of_output(tmp_path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    rows = [{"image_id": 1, "cider-d": 0.1}, {"image_id": 2, "cider-d": None}]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "rows").mkdir()
    for number, row in enumerate(rows):
        parquet.write_table(pa.Table.from_pylist([row]), tmp_path / "rows" / f"part-{number}.parquet")
    assert rows_of(tmp_path / "rows.jsonl") == rows_of(tmp_path / "rows") == rows


def test_a_command_that_fails_is_named_with_its_tree(tmp_path: Path) -> None:
    verdict, lines = compare(Command(["-c", "raise SystemExit('no such verb')"]), tmp_path, tmp_path)
    assert verdict == "failed"
    assert lines == ["BASE: no such verb", "the tree at hand: no such verb"]


def test_both_trees_run_their_own_vericap(tmp_path: Path) -> None:
    """A tree whose Vericap is one file that writes 2 where ours writes its version."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "vericap.py").write_text("__version__ = 2")
    line = f"import json, vericap; json.dump({{'told': vericap.__version__}}, open({numbers.JSON!r}, 'w'))"
    verdict, lines = compare(Command(["-c", line]), tmp_path, tmp_path)
    assert verdict == "1 field differs" and lines[0].startswith("told: 1 value; told: 2 → ")


def test_what_cannot_run_here_is_left_out_with_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lacking = {"stream, Ray": Command([], packages=("ray_of_nobody",)), "score": Command([])}
    monkeypatch.setattr(numbers, "commands", lambda: lacking)
    monkeypatch.setattr(numbers, "check_kernels", lambda _: None)
    monkeypatch.setattr(sys, "argv", ["numbers", str(ROOT), "stream"])
    with pytest.raises(SystemExit) as end:
        numbers.main()
    assert capsys.readouterr().out == "stream, Ray: left out, as ray_of_nobody is not installed\n"
    assert end.value.code == 0


def test_every_adapter_has_a_reading() -> None:
    shared = {"aligned", "redirect", "__init__", "__pycache__"}  # what adapters have in common
    adapters = {path.stem for path in (ROOT / "src" / "vericap" / "compat").iterdir()} - shared
    assert {f"compat.{name}" for name in adapters} == {name for name in READINGS if name.startswith("compat.")}


def test_every_metric_is_in_a_command() -> None:
    from vericap.metrics import parse_list, registry

    lists = [str(command.words[place + 1]) for command, place in metric_options()]
    asked = {metric.key.partition("(")[0] for text in lists for metric in parse_list(text)}
    assert registry().keys() - asked == set()


def metric_options() -> Iterator[tuple[Command, int]]:
    """The commands that name metrics, and where they do."""
    for command in commands().values():
        if "--metrics" in command.words:
            yield command, list(command.words).index("--metrics")
