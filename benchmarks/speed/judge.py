"""Judging metrics: correlation coefficients in resamples compared with SciPy's, and the whole of `vericap judge`.

SciPy has no command that judges a metric; what both have is the coefficients, by which a bootstrap of a thousand
resamples spends its time.
"""

from __future__ import annotations

import json
import statistics
import subprocess
from typing import Any

from benchmarks.places import DATA
from benchmarks.speed.environment import PYTHON, VERICAP
from benchmarks.speed.measure import Command, at_most, contest, row

PACKAGES = ("scipy",)
METRICS = "bleu-1,bleu-4,rouge-l,cider-d"
BENCHMARK = "flickr8k-expert"


def benchmark(images: int, repetitions: int) -> dict[str, Any]:
    command = Command([PYTHON, "-m", "benchmarks.speed.correlations", "--json"], core=0)
    runs = []
    for _ in range(repetitions):
        said = subprocess.run(command.argv(), stdout=subprocess.PIPE, check=True)
        runs.append(json.loads(said.stdout))
    rows = []
    for size in zip(*runs, strict=True):
        ours, theirs = (1e3 * statistics.median(each[name] for each in size) for name in ("ours", "scipy"))
        what = f"all four coefficients of a resample, {size[0]['rows']:,} rows, {size[0]['levels']:,} human levels"
        rows.append(row(what, ours, theirs, unit="ms"))
    difference = max(each["difference"] for each in runs[0])
    rows.append(at_most("largest difference of a coefficient", difference, bar=1e-9, unit=""))
    whole = [VERICAP, "judge", BENCHMARK, "--data", DATA, "--metrics", METRICS]
    found: dict[str, Any] = {"correlations": runs}
    if (DATA / "flickr8k").is_dir():
        races = contest({"judge": Command(whole)}, repetitions=repetitions)
        what = f"vericap judge {BENCHMARK}, {METRICS.count(',') + 1} metrics, the whole process"
        rows.append(row(what, races.seconds("judge"), unit="s"))
        rows.append(row("its peak memory, PSS", races.megabytes("judge"), unit="MB"))
        found["judge"] = races.to_dict()
    return {
        "title": "Judging: correlations in resamples, one core",
        "peer": "SciPy",
        "command": "python -m benchmarks.speed.correlations",
        "rows": rows,
        "remarks": ["Processor time; SciPy computes the four coefficients of rows that were drawn and written down."],
        "runs": found,
    }
