"""The ten slowest files of a run, set-up and tear-down included."""

from __future__ import annotations

from collections import Counter

import pytest

SECONDS: Counter[str] = Counter()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    SECONDS[report.nodeid.partition("::")[0]] += report.duration


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if len(SECONDS) > 10:
        terminalreporter.section("ten slowest files")
        for file, seconds in SECONDS.most_common(10):
            terminalreporter.write_line(f"{seconds:7.1f} s  {file}")
