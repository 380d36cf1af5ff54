"""What a comparison of two commits says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.speed.commits import Ratio, check_kernels, main, report, take_turns
from benchmarks.speed.commits import Task as Timed
from benchmarks.speed.environment import PYTHON
from benchmarks.speed.measure import Run


def test_a_ratio_is_the_median_of_the_rounds() -> None:
    ratio = Ratio.of([1.0, 1.0, 2.0, 10.0, 1.0], [1.1, 1.1, 2.2, 11.0, 9.0])
    assert ratio.value == pytest.approx(1.1)
    assert ratio.low == pytest.approx(1.1) and ratio.high <= 9.0


@pytest.mark.parametrize(
    ("low", "high", "verdict"), [(0.9, 1.02, "yes"), (1.04, 1.2, "**no**"), (0.99, 1.05, "unclear")]
)
def test_a_ratio_is_within_the_limit_when_all_of_its_interval_is(low: float, high: float, verdict: str) -> None:
    assert Ratio((low + high) / 2, low, high).within(1.03) == verdict


def test_a_kernel_that_changed_since_it_was_compiled_is_refused(tmp_path: Path) -> None:
    kernels = tmp_path / "src" / "vericap" / "kernels"
    kernels.mkdir(parents=True)
    source, built = kernels / "edits.py", kernels / "edits.cpython-311.so"
    source.write_text("import cython\n")
    with pytest.raises(SystemExit, match=r"edits\.py is not compiled"):
        check_kernels(tmp_path)
    built.write_bytes(b"")
    check_kernels(tmp_path)
    os.utime(built, (1, 1))
    with pytest.raises(SystemExit, match=r"edits\.py is not compiled"):
        check_kernels(tmp_path)


def test_both_trees_run_their_own_files(tmp_path: Path) -> None:
    trees = {}
    for name in ("before", "after"):
        package = tmp_path / name / "src"
        package.mkdir(parents=True)
        (package / "told.py").write_text(f"open({str(tmp_path / name)!r} + '.txt', 'a').write('x')")
        trees[name] = tmp_path / name
    runs = take_turns(Timed(lambda: [PYTHON, "-c", "import told"], 2), trees, 1)
    # One round that is not counted, and twice one repetition.
    assert [(tmp_path / f"{name}.txt").read_text() for name in trees] == ["xxx", "xxx"]
    assert [len(each) for each in runs.values()] == [3, 3]


def test_the_report_has_times_and_memory_of_both() -> None:
    runs = {
        "before": [Run(9.0, 9.0, 10, 5_000_000), Run(1.0, 2.0, 100_000_000), Run(1.0, 2.0, 100_000_000)],
        "after": [Run(9.0, 9.0, 10, 6_000_000), Run(2.0, 2.0, 50_000_000), Run(2.0, 2.0, 50_000_000)],
    }
    lines = report({"spice": runs}).splitlines()
    assert "| spice | wall | 1.000 s | 2.000 s | 2.000 [2.000, 2.000] | **no** |" in lines
    assert "| spice | processor | 2.000 s | 2.000 s | 1.000 [1.000, 1.000] | yes |" in lines
    assert "| spice | memory | 100 MB | 50 MB | 0.500 [0.500, 0.500] | yes |" in lines


def test_a_busy_machine_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(os, "getloadavg", lambda: (3.0, 0.0, 0.0))
    monkeypatch.setattr("sys.argv", ["commits", "HEAD"])
    with pytest.raises(SystemExit):
        main()
    assert "the load is 3.00" in capsys.readouterr().err
