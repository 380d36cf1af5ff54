"""VIFIDEL, CHAIR and FAIEr with detected objects: agreement with people against the errors of a simulated detector.

    python -m benchmarks.papers.detection_noise [--write] [--only NAME …] [--seeds N] [--workers N]

Needs the benchmarks' data (VERICAP_DATA). `simulated_detector.py` says what the detector does and where its rates come
from. With `--write` the tables go into docs/detected.md and the curve to docs/images/detected.svg. Figures are kept in
benchmarks/.input/detection-noise.json: what is there is not computed again.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np

from benchmarks.pages import replace as put
from benchmarks.pages import table
from benchmarks.papers.simulated_detector import Noise, Objects, by_class, detect, mention_rates, sized
from benchmarks.places import COCO_LABELS, DATA, INPUT, ROOT, VOC_OBJECTS
from vericap.judging import judge
from vericap.readers.objects import read_objects
from vericap.scene.caption_graphs import remembering
from vericap.show.figures import draw_lines

PAGE, FIGURE = ROOT / "docs" / "detected.md", ROOT / "docs" / "images" / "detected.svg"
KEPT = INPUT / "detection-noise.json"
LEVELS = (0.0, 0.25, 0.5, 1.0, 1.5, 2.0)
FEW = (0.0, 0.5, 1.0, 2.0)
FREE = ("vifidel", "vifidel(p=2)", "chair-i(truth=labels)", "chair-s(truth=labels)", "faier", "fier")
WITH_REFERENCES = ("vifidel", "chair-i", "chair-s", "faier")


@dataclass(frozen=True)
class Study:
    """One benchmark with its gold objects, and which figure of agreement is read."""

    benchmark: str
    title: str
    measure: str
    unit: str
    choices: dict[str, Any]


STUDIES = (
    Study("composite", "Composite, COCO part", "kendall_c", "Kendall's τ-c × 100",
          {"protocol": "human-removed", "subset": "coco"}),
    Study("pascal-50s", "PASCAL-50S", "accuracy.all", "per cent of pairs", {"protocol": "faier"}),
)  # fmt: skip


@cache
def gold(benchmark: str) -> Objects:
    """Return the annotated objects, each with the probability that the detector finds it."""
    if benchmark == "pascal-50s":
        return sized(json.loads(VOC_OBJECTS.read_text("utf-8")), scale=640 / 500)
    rows = (line.rstrip("\n").split("\t") for line in COCO_LABELS.open(encoding="utf-8"))
    labels = {int(image): names.split(",") for image, names in rows}
    captions: dict[int, list[str]] = {}
    told = json.loads((DATA / "coco_val2017" / "captions_val2017.json").read_text("utf-8"))
    for each in told["annotations"]:
        captions.setdefault(each["image_id"], []).append(each["caption"])
    rates = mention_rates({image: labels[image] for image in captions if image in labels}, captions)
    judged = {int(row["image_id"]) for row in json.loads(COMPOSITE.read_text("utf-8")) if row["dataset"] == "coco"}
    return by_class({image: own for image, own in labels.items() if image in judged}, rates)


COMPOSITE = DATA / "composite" / "composite_joined.json"


Values = dict[str, dict[str, float]]
"""× 100, by metric and measure."""


class Runs:
    """Judges metrics on objects as the detector reports them, each setting once."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.kept: dict[str, Values] = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}

    def one(self, study: Study, noise: Noise, seed: int, *, references: int = 0, gold_too: bool = False,
            least: float = 0.5, metrics: tuple[str, ...] = ()) -> Values:  # fmt: skip
        """Return all figures with one seed."""
        said = [study.benchmark, study.choices, asdict(noise), seed, references, gold_too, least]
        name = json.dumps([*said, *metrics], sort_keys=True)
        if name not in self.kept:
            known = gold(study.benchmark)
            annotated = {image: [label for label, _ in shown] for image, shown in known.items()}
            found = detect(known, noise, seed)
            verdict = judge(
                study.benchmark,
                DATA,
                metrics=list(metrics or (WITH_REFERENCES if references else FREE)),
                objects=[read_objects(each) for each in ([annotated, found] if gold_too else [found])],
                confidence=least,
                references_used=references,
                sampling="first",
                missing="drop",
                bootstrap=0,
                workers=self.workers,
                **study.choices,
            )
            self.kept[name] = {
                row.metric: {measure: 100 * figure.value for measure, figure in row.estimates.items()}
                for row in verdict.rows
            }
            print(name, flush=True)
            KEPT.parent.mkdir(parents=True, exist_ok=True)
            KEPT.write_text(json.dumps(self.kept), "utf-8")
        return self.kept[name]

    def over(self, study: Study, noise: Noise, seeds: int, **choices: Any) -> dict[str, tuple[float, float]]:
        """Mean and deviation over seeds of the study's figure; at level 0 nothing is random. The sign of CHAIR's
        correlation is turned: it is an error."""
        runs = [self.one(study, noise, seed, **choices) for seed in range(seeds if noise.level else 1)]
        found = {}
        for key in runs[0]:
            turned = -1 if key.startswith("chair") and not study.measure.startswith("accuracy") else 1
            own = [turned * run[key][study.measure] for run in runs]
            found[key] = float(np.mean(own)), float(np.std(own, ddof=1)) if len(own) > 1 else 0.0
        return found


def cell(figure: tuple[float, float]) -> str:
    """Return the mean, and twice the deviation over seeds.

    >>> cell((45.93, 0.25)), cell((45.93, 0.0))
    ('45.9 ± 0.5', '45.9')
    """
    mean, deviation = figure
    return f"{mean:.1f} ± {2 * deviation:.1f}" if deviation else f"{mean:.1f}"


def levels(runs: Runs, seeds: int) -> str:
    """Agreement against the level of noise, without references and with."""
    parts = []
    for study in STUDIES:
        for references, at, said in ((0, LEVELS, "without references"), (4, FEW, "with four references")):
            found = {level: runs.over(study, Noise(level), seeds, references=references) for level in at}
            lines = [["metric", *("gold (0)" if not level else f"{level:g}" for level in at), "lost at 1"]]
            for key, (annotated, _) in found[0.0].items():
                lost = f"{annotated - found[1.0][key][0]:.1f}"
                lines.append([f"`{key}`", *(cell(found[level][key]) for level in at), lost])
            parts.append(f"### {study.title}, {said}\n\n{table(lines)}\n\n{study.unit}, by level of noise.")
    return "\n\n".join(parts)


def kinds(runs: Runs, seeds: int) -> str:
    """Return the cost of each kind of error, at level 1."""
    parts = []
    for study in STUDIES:
        columns = {"gold": Noise(0.0), "all errors": Noise(), "misses alone": Noise().only("missed")}
        columns |= {"confusions alone": Noise().only("confused"), "false objects alone": Noise().only("false")}
        found = {name: runs.over(study, noise, seeds) for name, noise in columns.items()}
        lines = [["metric", *columns]]
        lines += [[f"`{key}`", *(cell(found[name][key]) for name in columns)] for key in FREE]
        parts.append(f"### {study.title}: errors of one kind, level 1\n\n{table(lines)}\n\n{study.unit}.")
    return "\n\n".join(parts)


def confidence(runs: Runs, seeds: int) -> str:
    """Return the effect of a higher --confidence at level 1."""
    at, study = (0.5, 0.6, 0.7, 0.8), STUDIES[0]
    found = {least: runs.over(study, Noise(), min(seeds, 3), least=least) for least in at}
    lines = [["metric", *(f"{least:g}" for least in at)]]
    lines += [[f"`{key}`", *(cell(found[least][key]) for least in at)] for key in FREE]
    return f"### {study.title}: minimum confidence, level 1\n\n{table(lines)}\n\n{study.unit}; three seeds."


def vifidel(runs: Runs, seeds: int) -> str:
    """Return the rows of VIFIDEL's tables that have detected objects of 80 classes."""
    columns = [Study("composite", "Composite, ρ", "spearman", "", {"protocol": "vifidel"})]
    columns += [
        Study("pascal-50s", group, f"accuracy.{group}", "", {"protocol": "vifidel"})
        for group in ("HC", "HI", "HM", "MM", "all")
    ]
    rows = {"gold": (0.0, False), "detected, 80 classes": (1.0, False), "gold and detected": (1.0, True)}
    lines = [["objects", *(study.title for study in columns)]]
    for name, (level, gold_too) in rows.items():
        how: dict[str, Any] = {"gold_too": gold_too, "metrics": ("vifidel",)}
        found = [runs.over(study, Noise(level), seeds, **how)["vifidel"] for study in columns]
        lines.append([name, *map(cell, found)])
    return table(lines)


def figure(runs: Runs, seeds: int) -> bytes:
    """Agreement on Composite against the level of noise."""
    study = STUDIES[0]
    found = [runs.over(study, Noise(level), seeds) for level in LEVELS]
    values = {key: np.array([each[key][0] for each in found]) for key in FREE}
    spread = {key: np.array([2 * each[key][1] for each in found]) for key in FREE}
    title = "Agreement with people, no references (Composite, COCO part)"
    return draw_lines(title, "noise: 0 gold labels, 1 the detector", study.unit, LEVELS, values, spread)


TABLES: dict[str, Callable[[Runs, int], str]] = {
    "levels": levels,
    "kinds": kinds,
    "confidence": confidence,
    "vifidel": vifidel,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", nargs="*", choices=list(TABLES), default=list(TABLES))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    runs = Runs(given.workers)
    with remembering():  # a caption is parsed once for all runs
        for name in given.only:
            text = TABLES[name](runs, given.seeds)
            print(f"{text}\n", flush=True)
            if given.write:
                put(PAGE, name, text)
        if given.write:
            FIGURE.write_bytes(figure(runs, given.seeds))


if __name__ == "__main__":
    main()
