"""docs/agreement.md: every metric on every benchmark at hand, with intervals, and papers' values next to ours.

    python tools/make_agreement.py [--data DIR] [--fresh] [--only NAME …] [--list]

Each run's JSON is kept in build/agreement, so that what was interrupted goes on where it stopped; --fresh makes all
anew, --only some. A run whose metrics have changed is made again by itself. Until every run is there, the page is
build/agreement/agreement.md.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vericap.encoders.encoder import remembering_vectors
from vericap.errors import InputError
from vericap.judging import benchmark, judge
from vericap.judging.published import unmatched
from vericap.judging.scoring import KnownScores
from vericap.metrics import registry
from vericap.results.verdict import PublishedValue
from vericap.scene.caption_graphs import remembering
from vericap.show.grid import Grid
from vericap.show.verdict import sentences
from vericap.version import __version__

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "agreement.md"
KEPT = ROOT / "build" / "agreement"
BOOTSTRAP = 1000
TEST = "studentised"  # its p is not bounded by the resamples: some runs compare hundreds of pairs
VOC = ("voc_objects", "voc2012_objects_for_pascal50s.json")
COCO = ("coco_objects", "coco_val2014_gold_labels.tsv")
COMBINED = ("mean(vifidel,cider-d)", "mean(vifidel,fluency)", "wmd(reduce=worst)")


@dataclass(frozen=True)
class Run:
    """One verdict of the page."""

    name: str
    benchmark: str
    choices: dict[str, Any] = field(default_factory=dict)
    objects: tuple[str, str] | None = None
    folder: str = ""
    extra: tuple[str, ...] = ()
    metrics: str = "all"

    def command(self) -> str:
        """The command that a user types."""
        words = [
            f"vericap judge {self.benchmark}",
            f"--data DATA{f'/{self.folder}' if self.folder else ''}",
            f"--metrics '{','.join([self.metrics, *self.extra])}'",
        ]
        words += [f"--{name.replace('_', '-')} {value}" for name, value in self.choices.items()]
        words += [f"--objects DATA/{'/'.join(self.objects)} --missing drop"] if self.objects else []
        return " ".join(words)


RUNS = (
    Run("flickr8k-expert", "flickr8k-expert"),
    Run("flickr8k-expert, judges averaged", "flickr8k-expert", {"protocol": "judges-averaged"}),
    Run("flickr8k-expert, one reference", "flickr8k-expert", {"protocol": "faier"}),
    Run("flickr8k-cf", "flickr8k-cf"),
    Run("flickr8k-cf, own removed", "flickr8k-cf", {"protocol": "own-removed"}),
    Run("composite", "composite"),
    Run("composite, own removed", "composite", {"protocol": "own-removed"}),
    Run("composite, own kept", "composite", {"protocol": "own-kept"}),
    Run("composite, one reference", "composite", {"protocol": "faier"}),
    Run("composite coco, one reference", "composite", {"protocol": "faier", "subset": "coco"}, COCO),
    Run(
        "composite coco, no reference", "composite", {"protocol": "faier", "subset": "coco", "references_used": 0}, COCO
    ),
    Run("composite coco, machines", "composite", {"protocol": "vifidel"}, COCO, extra=COMBINED),
    Run(
        "composite coco, machines, one reference",
        "composite",
        {"protocol": "vifidel", "references_used": 1},
        COCO,
        extra=COMBINED,
    ),
    Run(
        "composite coco, machines, no reference",
        "composite",
        {"protocol": "vifidel", "references_used": 0},
        COCO,
        extra=COMBINED,
    ),
    Run("pascal-50s", "pascal-50s", {}, VOC, extra=COMBINED),
    Run("pascal-50s, as SPICE's paper", "pascal-50s", {"protocol": "spice"}, VOC, extra=COMBINED),
    Run("pascal-50s, as FAIEr's paper", "pascal-50s", {"protocol": "faier"}, VOC, extra=COMBINED),
    Run("pascal-50s, eleven votes", "pascal-50s", {"protocol": "faier-votes11"}, VOC, extra=COMBINED),
    Run("pascal-50s, as VIFIDEL's paper", "pascal-50s", {"protocol": "vifidel"}, VOC, extra=COMBINED),
    Run("pascal-50s, no reference", "pascal-50s", {"protocol": "vifidel", "references_used": 0}, VOC, extra=COMBINED),
    Run("pascal-50s, one reference", "pascal-50s", {"protocol": "vifidel", "references_used": 1}, VOC, extra=COMBINED),
    Run(
        "pascal-50s, 48 references",
        "pascal-50s",
        {"protocol": "vifidel", "references_used": 48},
        VOC,
        extra=("wmd", "vifidel", "fluency", *COMBINED),
        metrics="default",  # FAIEr reads every reference: 192,000 here
    ),
    Run("abstract-50s", "abstract-50s"),
    Run("abstract-50s, as CIDEr-R's paper", "abstract-50s", {"protocol": "cider-r"}),
    Run("elliott-keller", "elliott-keller", extra=("meteor(text=given)", "bleu-smoothed(smoothing=halving)")),
    Run("coco-2015", "coco-2015"),
    Run("hm-pairs, COCO's example results", "hm-pairs", {}, COCO),
    Run("hm-pairs, Composite", "hm-pairs", {"subset": "coco"}, COCO, "composite"),
)
# One column each: the run and the measure it is read by.
MATRIX = {
    "Flickr8k-Expert τ-c": ("flickr8k-expert", "kendall_c"),
    "τ-b": ("flickr8k-expert", "kendall_b"),
    "Flickr8k-CF τ-b": ("flickr8k-cf", "kendall_b"),
    "Composite τ-c": ("composite", "kendall_c"),
    "Composite COCO, 1 ref. τ-c": ("composite coco, one reference", "kendall_c"),
    "0 ref. τ-c": ("composite coco, no reference", "kendall_c"),
    "PASCAL-50S": ("pascal-50s", "accuracy.all"),
    "MM": ("pascal-50s", "accuracy.MM"),
    "ABSTRACT-50S": ("abstract-50s", "accuracy.all"),
    "Elliott & Keller ρ": ("elliott-keller", "spearman"),
    "COCO 2015 r (M1)": ("coco-2015", "M1.pearson"),
    "human / machine": ("hm-pairs, Composite", "accuracy.all"),
}


def main() -> None:
    # Most runs are about the same captions: each is parsed and encoded once.
    with remembering(), remembering_vectors():
        make_page()


def make_page() -> None:
    """The runs that are asked for, and the page."""
    parser = argparse.ArgumentParser(description="Every metric on every benchmark, as a page.")
    data = os.environ.get("VERICAP_DATA", ROOT.parent / "shared" / "data")
    parser.add_argument("--data", type=Path, default=Path(data), help="the folder that holds the benchmarks")
    parser.add_argument("--fresh", action="store_true", help="make kept runs again")
    parser.add_argument("--only", nargs="*", help="runs by name; the others as they are kept")
    parser.add_argument("--list", action="store_true", help="name the runs, and stop")
    parser.add_argument("--bootstrap", type=int, default=BOOTSTRAP)
    options = parser.parse_args()
    if options.list:
        print("\n".join(run.name for run in RUNS))
        return
    known = KnownScores()
    results: dict[str, dict[str, Any]] = {}
    for run in RUNS:
        path = KEPT / f"{re.sub('[^a-z0-9A-Z-]+', '-', run.name)}.json"
        found = kept(path, run, options.bootstrap)
        wanted = options.only is None or run.name in options.only
        if wanted and (options.fresh or options.only or found is None):
            found = make(run, options.data, options.bootstrap, known)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(found), "utf-8")
        if found is not None:
            results[run.name] = found
    # A page of some runs is for a look at them; it does not take the place of the whole one.
    path = PAGE if len(results) == len(RUNS) else KEPT / PAGE.name
    path.write_text(page(results), "utf-8")
    print(f"{path}: {len(results)} of {len(RUNS)} runs")


def kept(path: Path, run: Run, bootstrap: int) -> dict[str, Any] | None:
    """Return the run as it was kept, unless it was made with other metrics, resamples or another version."""
    if not path.is_file():
        return None
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found if found["made with"] == made_with(run, bootstrap) else None


def made_with(run: Run, bootstrap: int) -> list[Any]:
    return [__version__, sorted(registry()), run.command(), list(run.extra), bootstrap, TEST]


def make(run: Run, data: Path, bootstrap: int, known: KnownScores) -> dict[str, Any]:
    """Judges, and says how long it took."""
    start, cpu = time.perf_counter(), time.process_time()
    objects = None if run.objects is None else [data.joinpath(*run.objects)]
    # Combinations whose parts are not there are left out, as what a set cannot compute is.
    verdict = judge(
        run.benchmark,
        data / run.folder,
        metrics=[run.metrics, *run.extra],
        objects=objects,
        missing="drop",
        bootstrap=bootstrap,
        test=TEST,
        workers=0,
        known=known,
        **run.choices,
    )
    seconds = time.process_time() - cpu
    print(f"{run.name}: {seconds:.0f} s processor, {time.perf_counter() - start:.0f} s", file=sys.stderr)
    return {
        "made with": made_with(run, bootstrap),
        "n": verdict.n,
        "measure": verdict.measure,
        "table": verdict.table("markdown"),
        "sentences": [each for each in sentences(verdict) if "left out" not in each],
        "values": {row.metric: {m: [e.value, e.interval] for m, e in row.estimates.items()} for row in verdict.rows},
        "published": [vars(each) for each in verdict.published],
        "seconds": seconds,
    }


def page(results: dict[str, dict[str, Any]]) -> str:
    """Return the page from the kept runs."""
    parts = [
        HEAD,
        matrix(results),
        PUBLISHED_HEAD,
        published(results),
        UNMATCHED_HEAD,
        not_matched(results),
        "## Each run\n",
    ]
    for run in RUNS:
        if run.name not in results:
            continue
        found = results[run.name]
        said = "\n".join(f"- {each}" for each in found["sentences"])
        parts.append(
            f"### {run.name}\n\n{benchmark(run.benchmark).what}.\n\n    {run.command()}\n\n{found['table']}\n\n{said}\n"
        )
    return "\n".join(parts)


def matrix(results: dict[str, dict[str, Any]]) -> str:
    """Return one row per metric, one column per benchmark."""
    columns = {head: where for head, where in MATRIX.items() if where[0] in results}
    metrics = list(registry())
    extra = [key for run in results.values() for key in run["values"] if key not in metrics]
    rows = []
    for key in dict.fromkeys([*metrics, *extra]):
        cells = [cell(results[run]["values"].get(key, {}).get(measure)) for run, measure in columns.values()]
        if any(each != "–" for each in cells):
            rows.append([f"`{key}`", *cells])
    return Grid(["metric", *columns], rows).draw("markdown") + "\n"


def cell(found: list[Any] | None) -> str:
    if found is None or found[0] is None or found[0] != found[0]:
        return "–"
    value, interval = found
    return f"{100 * value:.1f}" + (f" ± {50 * (interval[1] - interval[0]):.1f}" if interval else "")


def published(results: dict[str, dict[str, Any]]) -> str:
    rows = []
    for run in results.values():
        for each in run["published"]:
            one = PublishedValue(**each)
            rows.append(
                [
                    f"{one.paper}, {one.where}",
                    f"`{one.metric}`",
                    one.measure,
                    f"{one.published:g}",
                    f"{one.ours:.3f}",
                    f"{one.difference:+.3f}{f' ({one.note})' if one.note else ''}",
                ]
            )
    return Grid(["where", "metric", "measure", "published", "ours", "difference"], sorted(rows)).draw("markdown") + "\n"


def not_matched(results: dict[str, dict[str, Any]]) -> str:
    matched = [PublishedValue(**each) for run in results.values() for each in run["published"]]
    rows = [
        [f"{paper}, {where}", f"`{row}`" if row else "all", reason] for paper, where, row, reason in unmatched(matched)
    ]
    return Grid(["where", "row", "why not"], rows).draw("markdown") + "\n"


HEAD = """# Agreement with people

Every metric on every benchmark at hand. `make agreement` makes this page from the raw judgements (DATA below is the
folder that holds them); `docs/judge.md` says how to judge with your own.

Correlations and accuracies × 100, ± half the 95 % interval over 1,000 resamples of images. Two figures whose
difference is smaller than their ± should not be ranked by it. The runs below say which differences are significant:
every two metrics are tested by the studentised bootstrap and corrected by Holm (docs/statistics.md). A negative
correlation of an error rate (TER, CHAIR) means agreement.
"""
PUBLISHED_HEAD = """## Beside published values

In the paper's own unit. Where ours differs, the paper does not state all its choices (own captions, label, ties, which
references), or the metric is not the same (SPICE uses our own parser here, VIFIDEL our own vectors, FAIEr our own
model). Nothing was tuned to these values.
"""
UNMATCHED_HEAD = """## Published values without one of ours beside them
"""

if __name__ == "__main__":
    try:
        main()
    except InputError as error:
        sys.exit(f"make_agreement: {error}")
