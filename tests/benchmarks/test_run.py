"""What the page of benchmarks says."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from benchmarks.speed import run
from benchmarks.speed.environment import NotMeasured
from benchmarks.speed.measure import Command, at_least, at_most, contest, row, scaling


def result(**more: Any) -> dict[str, Any]:
    about = {
        "processor": "a processor",
        "cores": "2",
        "memory": "24 GiB",
        "system": "Linux",
        "python": "3.11",
        "java": "",
    }
    given = {"title": "Times", "peer": "rival", "command": "vericap score", "date": "2026-01-01", "repetitions": 3}
    return {**given, "machine": about, "versions": {"vericap": "1"}, "seconds": 90.0, "rows": [], **more}


def test_times_are_better_when_less_and_rates_when_more() -> None:
    rows = [at_least("time", 2.0, 8.0, 3), row("rate", 8.0, 2.0, unit="captions/s"), scaling(3.0, 2.0)]
    assert run.table(result(rows=rows)).splitlines()[2:] == [
        "| time | 2.00 s | 8.00 s | 4.00× | ≥ 3× | yes |",
        "| rate | 8.00 captions/s | 2.00 captions/s | 4.00× |  |  |",
        "| from one core to two | 1.50× |  |  | ≥ 1.7× | **no** |",
    ]
    assert at_most("memory", 501.0, bar=500, unit="MB")["met"] is False


def test_the_page_says_how_long_it_took_and_why_something_was_not_measured() -> None:
    page = run.page({"wmd": {**result(title="Wmd"), "not_measured": "gensim is not installed"}, "ngrams": result()})
    assert page.startswith("The benchmarks below took 3 minutes together")
    assert page.index("## Times") < page.index("## Wmd")
    assert "Not measured on 2026-01-01: gensim is not installed." in page


def test_fewer_runs_and_other_work_are_said() -> None:
    text = run.section("ngrams", result(peer_repetitions=2, load=3.21, remarks=["A remark."]))
    assert "medians of 3 runs, of 2 for what takes long. The load was 3.21 when it began." in text
    assert "\n\nA remark.\n\n" in text
    assert "load" not in run.section("ngrams", result(load=0.4))


def test_what_lacks_its_peer_is_named_and_does_not_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("benchmarks.speed.lonely")

    def benchmark(images: int, repetitions: int) -> dict[str, Any]:
        raise NotMeasured("no peer")

    module.benchmark = benchmark  # type: ignore[attr-defined]
    monkeypatch.setattr(importlib, "import_module", lambda name: module)
    assert run.measured("lonely", 10, 1)["not_measured"] == "no peer"


@pytest.mark.parametrize("name", run.BENCHMARKS)
def test_every_benchmark_is_a_module_with_a_benchmark(name: str) -> None:
    source = Path(run.__file__).with_name(f"{name}.py").read_text("utf-8")
    assert "\ndef benchmark(" in source


def test_a_busy_machine_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(os, "getloadavg", lambda: (3.0, 0.0, 0.0))
    monkeypatch.setattr("sys.argv", ["run", "ngrams"])
    with pytest.raises(SystemExit):
        run.main()
    assert "the load is 3.00" in capsys.readouterr().err


def test_what_takes_long_is_timed_less_often() -> None:
    quick, slow = Command(["true"]), Command(["true"])
    done = contest({"quick": quick, "slow": slow}, repetitions=3, memory=False, warm_up=False, at_most={"slow": 1})
    assert (len(done.timed["quick"]), len(done.timed["slow"])) == (3, 1)


def test_what_is_kept_names_the_data_from_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "DATA", run.ROOT.parent / "shared" / "data")
    command = f"vericap judge composite --data {run.ROOT.parent}/shared/data"
    assert run.without_absolute_paths(command) == "vericap judge composite --data ../shared/data"
