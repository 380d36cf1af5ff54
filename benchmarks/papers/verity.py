"""Analysis of Verity: what carries its agreement, what fools it, and its worst cases.

    python -m benchmarks.papers.verity study [--pictures 100] [--metrics …]
    python -m benchmarks.papers.verity foil [--captions 500] [--metrics …]
    python -m benchmarks.papers.verity fooled [--pictures 200] [--metrics …]
    python -m benchmarks.papers.verity objects [--pictures 500]
    python -m benchmarks.papers.verity worst BENCHMARK [--captions 50] [--data DIR]

`study`, `fooled` and `objects` use development data alone (tools/verity/development.py). `objects` compares `verity`,
`verity(objects=join)` and the latter without references, with the objects that people annotated. `foil` is
nocaps-FOIL (Petryk et al. 2024): the share of true captions that come before their foil. `worst` lists the captions of
a benchmark whose rank by Verity is farthest from their rank by people: that is a look at test data, to be listed in
docs/verity.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from benchmarks.places import DATA
from tools.verity import spoilt
from tools.verity.development import GRADES, Row, development, gold_objects, scores, views_of
from vericap.corpus import Corpus, Objects
from vericap.metrics import parse
from vericap.metrics.base import Metric
from vericap.metrics.verity import Verity
from vericap.metrics.verity.matching import FEATURES, match
from vericap.metrics.verity.model import load
from vericap.stats.correlation import kendall_c
from vericap.views import Views

Scores = NDArray[np.float64]
OTHERS = ("cider-d", "spice", "meteor", "aier", "sbert")
FREQUENT = "a man is standing in front of a building with a group of people"  # fits many pictures a little


def available(keys: Sequence[str], views: Views) -> list[Metric]:
    """Return the metrics that can run here; of the others a line says why not."""
    found = []
    for key in keys:
        try:
            metric = parse(key)
            metric.check(views)
        except Exception as error:  # a metric that is not installed is left out, whatever it lacks
            print(f"{key} is left out: {error}\n")
        else:
            found.append(metric)
    return found


def first_share(better: Scores, worse: Scores) -> float:
    """Return how often the better one comes first, in per cent; ties count half."""
    return float(np.mean((better > worse) + 0.5 * (better == worse)) * 100)


def table(columns: Sequence[str], rows: Mapping[str, Sequence[float]]) -> str:
    """Return a Markdown table of numbers with one decimal."""
    lines = [["", *columns], ["---", *["---:"] * len(columns)]]
    lines += [[name, *(f"{number:.1f}" for number in numbers)] for name, numbers in rows.items()]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def features_of(rows: Sequence[Row]) -> dict[str, Scores]:
    """Return each feature of Verity as a score of its own."""
    model = load()
    captions, pictures = model.read([row.caption for row in rows], [row.references for row in rows])
    found = np.array([match(text, picture) for text, picture in zip(captions, pictures, strict=True) if picture])
    return {name: found[:, place] for place, name in enumerate(FEATURES)}


def judged(rows: Sequence[Row], found: Scores) -> dict[str, float]:
    """Return how well scores give the known order: grades, objects, and each way of spoiling."""
    kinds = np.array([row.kind for row in rows])
    graded = np.isin(kinds, list(GRADES))
    others = graded & (kinds != "own")
    own = {row.image: score for row, score in zip(rows, found.tolist(), strict=True) if row.kind == "own"}
    grades = np.array([GRADES.get(kind, -1) for kind in kinds], np.float64)
    objects = np.array([np.nan if row.f1 is None else row.f1 for row in rows])
    figures = {
        "graded order (τ-c)": 100 * float(kendall_c(found[graded], grades[graded])),
        "gold objects (τ-c)": 100 * float(kendall_c(found[others], objects[others])),
    }
    for kind in spoilt.KINDS:
        places = np.flatnonzero(kinds == kind)
        if len(places):
            before = np.array([own[rows[place].image] for place in places.tolist()])
            figures[kind] = first_share(before, found[places])
    return figures


def first_pictures(pictures: int) -> list[Row]:
    """Return the development rows of some pictures."""
    chosen = set(list(dict.fromkeys(row.image for row in development()))[:pictures])
    return [row for row in development() if row.image in chosen]


def study(options: argparse.Namespace) -> str:
    """Return each ingredient and each metric on development data."""
    rows = first_pictures(options.pictures)
    views = views_of(rows)
    found = features_of(rows)
    for metric in available([*(options.metrics or OTHERS), "verity"], views):
        found[f"`{metric.key}`"] = scores(rows, metric, views)
    figures = {name: judged(rows, values) for name, values in found.items()}
    names = list(figures["`verity`"])
    return table(list(figures), {name: [each[name] for each in figures.values()] for name in names})


def foil(options: argparse.Namespace) -> str:
    """Return the share of true captions before their foil, in each domain of nocaps."""
    given = json.loads((options.data / "nocaps-val-foil.json").read_text("utf-8"))
    given = given[:: max(1, len(given) // options.captions)]
    captions = [row[side] for row in given for side in ("baseline", "foil")]
    references = [row["references"] for row in given for _ in range(2)]
    views = Views(Corpus.from_lists(captions, references))
    domains = np.array([row["domain"] for row in given])
    rows = {}
    for metric in available([*(options.metrics or OTHERS), "verity"], views):
        found = metric.score(metric.statistics(views)).reshape(-1, 2)
        parts = [np.ones(len(domains), bool), *(domains == name for name in sorted(set(domains.tolist())))]
        rows[f"`{metric.key}`"] = [first_share(*found[part].T) for part in parts]
    return table([f"all {len(given):,}", *sorted(set(domains.tolist()))], rows)


def tricks() -> dict[str, Callable[[Row, Random, spoilt.Pool], str | None]]:
    """Ways to gain a score without a better caption: what to put in the place of a person's own caption."""

    def spoil(kind: str) -> Callable[[Row, Random, spoilt.Pool], str | None]:
        def found(row: Row, random: Random, pool: spoilt.Pool) -> str | None:
            words = spoilt.KINDS[kind](spoilt.split(row.caption), random, pool)
            return " ".join(words) if words else None

        return found

    def plain(caption: str) -> str:
        return caption.rstrip(". ")

    return {
        "length: the end of another caption added": spoil("invented"),
        "length: said twice": lambda row, *_: f"{plain(row.caption)} and {plain(row.caption).lower()}",
        "repetition of the last words": spoil("repeated"),
        "a frequent phrase instead": lambda *_: FREQUENT,
        "a frequent phrase added": lambda row, *_: f"{plain(row.caption)} {FREQUENT}",
        "keywords alone": spoil("keywords"),
        "shuffled words": spoil("shuffled"),
        "negation": spoil("negation"),
        "swapped roles": spoil("roles"),
    }


def fooled(options: argparse.Namespace) -> str:
    """Return how often a person's own caption comes before each trick."""
    own = [row for row in first_pictures(options.pictures) if row.kind == "own"]
    random, pool = Random(0), spoilt.make_pool([text for row in own for text in row.references], Random(0))
    rows: list[Row] = []
    for name, trick in tricks().items():
        for row in own:
            caption = trick(row, random, pool)
            if caption and caption != row.caption:
                rows.append(row._replace(caption=caption, kind=name))
    given = [*own, *rows]
    views = views_of(given)
    kinds = np.array([row.kind for row in given])
    figures: dict[str, list[float]] = {name: [] for name in tricks()}
    metrics = available([*(options.metrics or ("cider-d", "spice", "sbert")), "verity"], views)
    for metric in metrics:
        found = scores(given, metric, views)
        before = {row.image: score for row, score in zip(own, found.tolist(), strict=False)}
        for name, shares in figures.items():
            places = np.flatnonzero(kinds == name)
            truth = np.array([before[given[place].image] for place in places.tolist()])
            shares.append(first_share(truth, found[places]))
    return table([f"`{metric.key}`" for metric in metrics], figures)


def objects(options: argparse.Namespace) -> str:
    """Return the graded order with and without the objects of the pictures, and by objects alone."""
    rows = [row for row in first_pictures(options.pictures) if row.kind in GRADES]
    kinds, gold = np.array([row.kind for row in rows]), gold_objects()
    images = dict.fromkeys(row.image for row in rows)
    labels = sorted({label for image in images for label in gold[image]})
    shown = [[labels.index(label) for label in sorted(gold[image])] for image in images]
    given = Objects(labels, np.concatenate(shown), np.cumsum([0, *map(len, shown)]))
    corpus = views_of(rows).corpus
    without = Corpus(corpus.image_ids, corpus.candidates, corpus.image, objects=given)
    figures = {}
    for name, metric, used in (
        ("`verity`", Verity(), replace(corpus, objects=given)),
        ("`verity(objects=join)`", Verity(objects="join"), replace(corpus, objects=given)),
        ("the same without references", Verity(objects="join"), without),
    ):
        found = scores(rows, metric, Views(used))
        order = 100 * float(kendall_c(found, np.array([GRADES[kind] for kind in kinds], np.float64)))
        figures[name] = [order, *(100 * float(found[kinds == kind].mean()) for kind in GRADES)]
    return table(["graded order (τ-c)", *(f"mean of {kind} × 100" for kind in GRADES)], figures)


def worst(options: argparse.Namespace) -> str:
    """Return the captions whose rank by Verity is farthest from their rank by people."""
    from vericap.judging import Ratings
    from vericap.judging import load as load_benchmark

    rated, _ = load_benchmark(options.benchmark, options.data)
    if not isinstance(rated, Ratings):
        raise SystemExit(f"{options.benchmark} has no ratings of single captions")
    human = np.nanmean(rated.human, axis=1)
    views = Views(rated.corpus(rated.references))
    found = Verity().score(Verity().statistics(views))
    defined = np.flatnonzero(np.isfinite(human) & np.isfinite(found))
    places = [rankdata(values[defined]) / len(defined) for values in (found, human)]
    difference = places[0] - places[1]
    lines = ["| rank − people's | verity | people | caption | first reference |", "| ---: | ---: | ---: | --- | --- |"]
    for place in np.argsort(-np.abs(difference), kind="stable")[: options.captions].tolist():
        row = int(defined[place])
        texts = rated.candidates[row], rated.references[rated.item[row]][0]
        cells = [f"{difference[place]:+.2f}", f"{found[row]:.3f}", f"{human[row]:.2f}", *texts]
        lines.append(f"| {' | '.join(cell.replace('|', ' ') for cell in cells)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb, default in (("study", 100), ("fooled", 200), ("objects", 500)):
        verbs.add_parser(verb).add_argument("--pictures", type=int, default=default, help="of 500")
    verbs.add_parser("foil").add_argument("--captions", type=int, default=500, help="of 2,500")
    verbs.choices["foil"].add_argument("--data", type=Path, default=DATA / "hallucination")
    verbs.add_parser("worst").add_argument("benchmark")
    verbs.choices["worst"].add_argument("--captions", type=int, default=50)
    verbs.choices["worst"].add_argument("--data", type=Path, default=DATA)
    for verb in ("study", "fooled", "foil"):
        verbs.choices[verb].add_argument("--metrics", nargs="*", help="in addition to verity")
    options = parser.parse_args()
    run = {"study": study, "foil": foil, "fooled": fooled, "objects": objects, "worst": worst}[options.verb]
    print(run(options))


if __name__ == "__main__":
    main()
