"""The stages of the n-gram run and their limits."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from benchmarks.speed import limit_alone
from benchmarks.speed.limit import STAGES, compiled, dumped, stage_row, stage_table

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


def test_every_stage_is_timed_and_the_scores_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    limit_alone.warm_up(tmp_path)
    results, annotations, out = (str(tmp_path / f"two-{name}.json") for name in ("results", "annotations", "scores"))
    limit_alone.main("time", results, annotations, out, str(compiled()), 1)
    found = json.loads(capsys.readouterr().out)
    assert list(found["wall"]) == list(found["processor"]) == list(found["bytes"]) == list(STAGES)
    # "A dog runs." and "Two cats", each as candidate and as reference: 19 characters, 5 words.
    assert found["captions"] == 4 and found["bytes"]["tokenise"] == 2 * 19
    assert found["bytes"]["n-grams"] == 2 * 5 * 4 * 4  # words × orders × bytes of a number
    assert found["bytes"]["write"] == Path(out).stat().st_size
    assert json.loads(Path(out).read_text("utf-8"))["metrics"]["bleu-1"]["score"] == pytest.approx(1.0)


def test_a_stage_is_set_beside_one_pass_over_its_bytes() -> None:
    one = {
        **{name: dict.fromkeys(STAGES, 0.5) for name in ("wall", "processor")},
        **{"bytes": dict.fromkeys(STAGES, 1_000_000), "captions": 1_000, "memory": 1e-10, "loop": 1e-9},
    }
    row = stage_row("read", {"one core": [one], "two cores": [one]}, dict.fromkeys(STAGES, 2e3), {"read": "`orjson`"})
    assert row["one pass"] == pytest.approx(0.001) and row["ratio"] == pytest.approx(500)
    assert row["share"] == pytest.approx(1 / 5) and row["instructions of a byte"] == pytest.approx(2.0)
    last = stage_table([row]).splitlines()[-1]
    assert last.startswith("| all | 0.500 s | 0.500 s | 0.500 s |") and "500.0×" in last
    without = stage_row("read", {"one core": [one], "two cores": [one]}, {}, {"read": ""})
    assert "not available" in stage_table([without])


def test_instructions_are_read_by_the_name_of_the_mark(tmp_path: Path) -> None:
    text = "desc: Trigger: Client Request: tokenise\n\nfn=(1)\n1 5\n\ntotals: 123456\n"
    (tmp_path / "callgrind.2").write_text(text)
    (tmp_path / "callgrind").write_text("desc: Trigger: Program termination\ntotals: 9\n")
    assert dumped(tmp_path) == {"tokenise": 123456}
