"""Agreement of a caption parser with the original SPICE on every set with known scores, and CIDEr-R's Table 3.

    python -m benchmarks.papers.spice_sets --exact --write       # SPICE's own parser: scores that are equal
    python -m benchmarks.papers.spice_sets                       # the parser that ships
    python -m benchmarks.papers.spice_sets --parser FOLDER       # another one, before it ships
    python -m benchmarks.papers.spice_sets --write               # puts the table into docs/spice.md

A parser ships only if no number here gets worse. Tuples are those of the candidates' graphs.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.pages import replace, table
from benchmarks.papers.spice_differences import SETS
from benchmarks.places import DATA, ROOT
from vericap import evaluate
from vericap.corpus import Corpus
from vericap.metrics.spice import PARTS, Spice, f_score
from vericap.readers.storage.registered import cache_folder
from vericap.scene.graph import SceneGraph
from vericap.scene.parser import Parser
from vericap.scene.synsets import synset_lookup
from vericap.views import Views

# CIDEr-R's Table 3, SPICE × 100: correct candidates, then incorrect ones. Printed by its authors.
TABLE_3 = {
    "correct": [80.0, 80.0, 66.7, 50.0, 15.4, 10.5, 35.3, 22.2, 35.3, 14.3, 50.0, 50.0, 50.0, 50.0, 50.0],
    "incorrect": [20.0, 20.0, 20.0, 20.0, 20.0, 15.4, 15.4, 15.4, 15.4, 15.4, 88.9, 46.2, 53.3, 40.0, 30.8],
}
AIM = 0.95  # tuple F1


@dataclass(frozen=True)
class Equality:
    """Of one set: captions, those whose score is the original's to 1e-6, and both corpus scores."""

    captions: int
    equal: int
    ours: float
    theirs: float


@dataclass(frozen=True)
class Agreement:
    """Of one set; the tuples of one were not kept."""

    f1: float | None
    pearson: float
    difference: float  # of the corpus scores, ours less the original's
    largest: float  # difference of a sub-score


def tuple_f1(ours: list[set[Any]], theirs: list[set[Any]]) -> float:
    """Return the figure of all tuples together.

    >>> tuple_f1([{("dog",)}, set()], [{("dog",), ("dog", "red")}, set()])
    0.6666666666666666
    """
    both = sum(len(a & b) for a, b in zip(ours, theirs, strict=True))
    return 2 * both / (sum(map(len, ours)) + sum(map(len, theirs)))


def scored(name: str, workers: int) -> tuple[list[dict[str, Any]], Views]:
    """Return the rows of a set with the original's scores, and their views."""
    rows = list(_lines(DATA / "oracle" / "spice" / f"{name}.jsonl.xz"))
    tokenizer = "none"
    if "references" not in rows[0]:  # captions #2 of Flickr8k against the other four, as they are written
        captions, tokenizer = _without_2(), "ptb"
        for row in rows:
            row["references"] = captions[row["id"].split("|")[0]]
    corpus = Corpus.from_lists([row["candidate"] for row in rows], [row["references"] for row in rows])
    return rows, Views(corpus, tokenizer=tokenizer, workers=workers, graph_folder=cache_folder())


def equality(name: str, workers: int) -> Equality:
    """Return how many scores of a set are the original's with its own parser; those that are not are printed."""
    rows, views = scored(name, workers)
    spice = Spice("stanford")
    scores = spice.score(spice.statistics(views))
    theirs = np.array([row["all"][3] for row in rows])
    equal = np.abs(scores - theirs) < 1e-6
    for row in np.flatnonzero(~equal).tolist():
        print(f"{name} {row}: {scores[row]:.6f}, original {theirs[row]:.6f}: {rows[row]['candidate']}")
    return Equality(len(rows), int(equal.sum()), float(scores.mean()), float(theirs.mean()))


def agreement(name: str, workers: int) -> Agreement:
    """Return our scores of a set and the original's."""
    rows, views = scored(name, workers)
    means = json.loads((DATA / "oracle" / "spice" / "corpus.json").read_text("utf-8"))[name]
    spice = Spice("vericap")
    statistics = spice.statistics(views)
    f1 = None
    if "candidate_tuples" in rows[0]:
        said, _ = views.get(spice.graphs)
        synsets = synset_lookup(said)
        ours = [{tuple(map(str, t)) for t in SceneGraph.of(p, synsets).tuples()} for p in said]
        f1 = tuple_f1(ours, [{tuple(words) for words, _ in row["candidate_tuples"]} for row in rows])
    return Agreement(
        f1,
        float(np.corrcoef(spice.score(statistics), [row["all"][3] for row in rows])[0, 1]),
        spice.aggregate(statistics) - means["all"]["mean"],
        max(abs(float(np.nanmean(f_score(statistics, part))) - means[part]["mean"]) for part in PARTS),
    )


def table_3(parser: str) -> int:
    """Return the number of the 30 printed values that agree to the digit."""
    folder, agreed = DATA / "ciderr", 0
    for side, printed in TABLE_3.items():
        given = folder / f"toy_candidate_classification_{side}_candidates.json"
        key = f"spice(parser={parser})"
        found = evaluate(given, folder / "toy_candidate_classification_references.json", metrics=key)[key]
        agreed += sum(f"{100 * s:.1f}" == f"{p:.1f}" for s, p in zip(found.captions, printed, strict=True))
    return agreed


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def _without_2() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in (DATA / "flickr8k" / "Flickr8k.token.txt").read_text("utf-8").splitlines():
        name, caption = line.split("\t")
        image, number = name.split("#")
        if number != "2":
            found.setdefault(image, []).append(caption)
    return found


def shown(agreements: dict[str, Agreement]) -> str:
    """Return the table, without leading zeros; tuple F1 short of the aim is bold."""

    def f1(value: float | None) -> str:
        if value is None:
            return "not kept"
        text = f"{value:.4f}".removeprefix("0")
        return text if value >= AIM else f"**{text}**"

    head = ["set", "tuple F1", "Pearson of caption scores", "corpus score, ours − original"]
    body = [
        [name, f1(a.f1), f"{a.pearson:.4f}".removeprefix("0"), f"{a.difference:+.5f}".replace("0.", ".", 1),
         f"{a.largest:.4f}".removeprefix("0")]
        for name, a in agreements.items()
    ]  # fmt: skip
    return table([[*head, "largest difference of a sub-score"], *body])


def shown_exact(found: dict[str, Equality]) -> str:
    """Return the table of SPICE's own parser."""
    head = ["set", "captions", "equal to 1e-6", "share", "corpus score", "original's"]
    body = [
        [name, f"{each.captions:,}", f"{each.equal:,}", f"{100 * each.equal / each.captions:.2f} %",
         *(f"{score:.5f}".removeprefix("0") for score in (each.ours, each.theirs))]
        for name, each in found.items()
    ]  # fmt: skip
    return table([head, *body])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--parser", type=Path, help="folder with parser.npz and parser.json")
    options.add_argument("--exact", action="store_true", help="measure SPICE's own parser")
    options.add_argument("--workers", type=int, default=1)
    options.add_argument("--write", action="store_true", help="put the table into docs/spice.md")
    given = options.parse_args()
    if given.parser:
        parser = Parser(given.parser)
        Parser.load = staticmethod(lambda: parser)  # type: ignore[method-assign, assignment]
    if given.exact:
        text = shown_exact({name: equality(name, given.workers) for name in SETS})
    else:
        text = shown({name: agreement(name, given.workers) for name in SETS})
    agreed = table_3("stanford" if given.exact else "vericap")
    text += f"\n\nOf the 30 values of SPICE in CIDEr-R's Table 3, {agreed} come out to the printed digit."
    print(text)
    if given.write:
        replace(ROOT / "docs" / "spice.md", "exact" if given.exact else "sets", text)


if __name__ == "__main__":
    main()
