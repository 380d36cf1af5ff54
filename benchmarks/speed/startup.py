"""Start-up time of the command line and of the import, compared with Python itself."""

from __future__ import annotations

from typing import Any

from benchmarks.speed.environment import PYTHON, VERICAP
from benchmarks.speed.measure import Command, contest, row

REPETITIONS = 10
BAR = 300


def benchmark(images: int, repetitions: int) -> dict[str, Any]:
    repetitions = max(REPETITIONS, repetitions)
    races = contest(
        {
            "vericap --version": Command([VERICAP, "--version"]),
            "import vericap": Command([PYTHON, "-c", "import vericap"]),
            "python -c pass, for reference": Command([PYTHON, "-c", "pass"]),
        },
        repetitions=repetitions,
        memory=False,
    )
    rows = []
    for name in races.commands:
        milliseconds = 1000 * races.seconds(name)
        is_ours = "vericap" in name
        rows.append(
            row(
                name,
                milliseconds,
                unit="ms",
                bar=f"≤ {BAR} ms" if is_ours else "",
                met=milliseconds <= BAR if is_ours else None,
            )
        )
    return {
        "title": "Start-up",
        "peer": None,
        "command": "vericap --version",
        "rows": rows,
        "repetitions": repetitions,
        "runs": races.to_dict(),
    }
