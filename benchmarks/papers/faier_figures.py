"""Agreement figures by `vericap.judge`, kept: those of metrics that no checkpoint changes are computed once.

All metrics see the same draws of references and the same resamples of images, whether they are judged together or not,
so that their differences may be taken.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.places import DATA, INPUT
from vericap.judging import judge
from vericap.metrics import parse
from vericap.metrics.faier import FaierFamily


@dataclass(frozen=True)
class Figures:
    """One metric's figures by measure, their deviation over draws, and their values in each resample."""

    n: int
    values: dict[str, float]
    deviation: dict[str, float]
    replicates: dict[str, list[float]]

    def cell(self, measure: str) -> str:
        """Return a figure × 100, with its deviation if it is an accuracy over several draws."""
        spread = self.deviation.get(measure, 0.0)
        shown = f" ± {100 * spread:.1f}" if spread and measure.startswith("accuracy") else ""
        return f"{100 * self.values[measure]:.1f}{shown}"


def judged(
    benchmark: str, metrics: Iterable[str], *, objects: Path, data: Path = DATA, bootstrap: int, **choices: object
) -> dict[str, Figures]:
    """Return the figures of each metric, in the order asked for."""
    metrics = [metric for metric in metrics if _there(metric)]
    folder = INPUT / "faier-figures"
    folder.mkdir(parents=True, exist_ok=True)
    paths = {metric: folder / _name(benchmark, metric, bootstrap, choices) for metric in metrics}
    learned = {metric for metric in metrics if isinstance(parse(metric), FaierFamily)}
    wanted = [metric for metric in metrics if metric in learned or not paths[metric].exists()]
    found: dict[str, Figures] = {}
    if wanted:
        verdict = judge(
            benchmark,
            data,
            objects=[objects],
            missing="drop",
            metrics=wanted,
            bootstrap=bootstrap,
            workers=2,
            **choices,  # type: ignore[arg-type]
        )
        for row in verdict.rows:
            found[row.metric] = Figures(
                verdict.n,
                {name: one.value for name, one in row.estimates.items()},
                dict(row.deviation),
                {name: [round(float(x), 6) for x in one.replicates] for name, one in row.estimates.items()},
            )
            if row.metric not in learned:
                paths[row.metric].write_text(json.dumps(asdict(found[row.metric])))
    kept = {m: Figures(**json.loads(paths[m].read_text())) for m in metrics if m not in found}
    return {metric: found.get(metric) or kept[metric] for metric in metrics}


def _there(metric: str) -> bool:
    """Return whether a learned metric has its checkpoint; others need none."""
    parsed = parse(metric)
    return not isinstance(parsed, FaierFamily) or parsed.folder.is_dir()


def _name(benchmark: str, metric: str, bootstrap: int, choices: dict[str, object]) -> str:
    key = json.dumps([benchmark, metric, bootstrap, choices], sort_keys=True, default=str)
    return f"{benchmark}-{metric}-{hashlib.sha256(key.encode()).hexdigest()[:12]}.json"
