"""The Flickr8K column of Table 1 in Elliott and Keller (2014), under every text preparation and reading.

    python -m benchmarks.papers.elliott_keller [--write]

Spearman's correlation of caption scores with human judgements, the three judges kept apart (n = 17,466). With
`--write` the tables go into docs/elliott-keller.md. Needs the study's data (VERICAP_DATA) and, for stems, PyStemmer.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import Stemmer
from numpy.typing import NDArray

from benchmarks.pages import replace
from benchmarks.places import DATA, ROOT
from vericap.corpus import Corpus
from vericap.judging import load
from vericap.judging.judgements import Ratings
from vericap.metrics import parse
from vericap.metrics.bleu_smoothed import BleuSmoothed
from vericap.stats.correlation import spearman
from vericap.text.tokenizers import register_tokenizer
from vericap.views import Views

STUDY = DATA / "elliott_keller_2014"
PAGE = ROOT / "docs" / "elliott-keller.md"

Floats = NDArray[np.float64]

PUBLISHED = {"bleu-unigram": 0.345, "bleu-smoothed": 0.429, "rouge-su4": 0.435, "ter": -0.279}
METRICS = {
    "bleu-unigram": "bleu-unigram",
    "bleu-smoothed": "bleu-smoothed",
    "bleu-smoothed(smoothing=halving)": "bleu-smoothed",
    "rouge-su4": "rouge-su4",
    "rouge-su4(measure=recall)": "rouge-su4",
    "ter": "ter",
}

stem = Stemmer.Stemmer("porter").stemWord
PREPARATIONS: dict[str, Callable[[str], list[str]] | None] = {
    "as written, split at white space": str.split,
    "the same, lower-cased": lambda text: text.lower().split(),
    "punctuation split off": lambda text: re.findall(r"\w+|[^\w\s]", text),
    "punctuation split off, lower-cased": lambda text: re.findall(r"\w+|[^\w\s]", text.lower()),
    "ROUGE's words (letters and digits, lower-cased)": lambda text: re.findall("[a-z0-9]+", text.lower()),
    # ROUGE's option -m leaves words of up to three letters alone.
    "ROUGE's words, Porter stems": lambda text: [
        stem(word) if len(word) > 3 else word for word in re.findall("[a-z0-9]+", text.lower())
    ],
    "ptb (COCO's tokens)": None,
}
AS_WRITTEN, LOWER_CASED, *_, STEMMED, _ = PREPARATIONS


def main() -> None:
    parser = argparse.ArgumentParser(description="Elliott and Keller's correlations, under every preparation.")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/elliott-keller.md")
    options = parser.parse_args()
    tables = "\n\n".join([preparations(), programs(), readings()])
    print(tables)
    if options.write:
        replace(PAGE, "tables", tables)


def preparations() -> str:
    """Return every metric under every preparation, with the five references together."""
    lines = [["text", *METRICS], ["*published*", *(f"*{PUBLISHED[key]:.3f}*" for key in METRICS.values())]]
    for name in PREPARATIONS:
        views = views_of(name)
        lines.append([name, *(f"{correlation(scores(key, views)):.3f}" for key in METRICS)])
    return table("### The metrics, five references", lines)


def programs() -> str:
    """Return what the programs of the study print, if that differs from the metrics' own definition."""
    multeval = views_of(AS_WRITTEN)
    edits, length = parse("ter").statistics(views_of(LOWER_CASED)).T
    halving = scores("bleu-smoothed(smoothing=halving)", multeval)
    rows = {
        "Smoothed BLEU: MultEval's `BLEU` × 100 in two digits, text as written": (
            correlation(np.round(100 * halving, 2)),
            PUBLISHED["bleu-smoothed"],
        ),
        "Unigram BLEU: MultEval's `bleu1p` (brevity penalty × p₁ to the ¼) in two digits, text as written": (
            correlation(np.round(bleu1p(multeval), 2)),
            PUBLISHED["bleu-unigram"],
        ),
        "TER: tercom's lower-casing, MultEval's mean length cut to an integer, × 100 in two digits": (
            correlation(np.round(100 * edits / np.floor(length), 2)),
            PUBLISHED["ter"],
        ),
        "ROUGE-SU4: recall of stems, average over references (options -m -f A, R)": (
            correlation(scores("rouge-su4(measure=recall)", views_of(STEMMED))),
            PUBLISHED["rouge-su4"],
        ),
    }
    lines = [["measure", "ours", "published"]]
    lines += [[name, f"{ours:.3f}", f"{published:.3f}"] for name, (ours, published) in rows.items()]
    return table("### As the study's programs print it", lines)


def readings() -> str:
    """Unigram BLEU under several readings of "each image–description–reference tuple"."""
    candidates, references, _, chosen = study()
    names = [name for name in PREPARATIONS if name != STEMMED]
    lines = [["reading", *names]]
    rows: dict[str, list[float]] = {}
    for name in names:
        alone = np.array([scores("bleu-unigram", views_of(name, [k])) for k in range(len(references))])
        penalised = np.array([bleu1p(views_of(name, [k])) for k in range(len(references))])
        together = views_of(name)
        one = [correlation(each) for each in alone]
        for reading, rho in {
            "five references, clipped by the one with most": correlation(scores("bleu-unigram", together)),
            "each reference alone: lowest of the five correlations": min(one),
            "each reference alone: highest": max(one),
            "each reference alone: all 5 × 17,466 tuples": correlation(alone.ravel(), times=len(alone)),
            "the reference named in the judgements file": correlation(alone[chosen, np.arange(len(candidates))]),
            "mean over the references": correlation(alone.mean(axis=0)),
            "best reference": correlation(alone.max(axis=0)),
            "worst reference": correlation(alone.min(axis=0)),
            "brevity penalty × p₁": correlation(bleu1p(together, power=1)),
            "brevity penalty alone": correlation(bleu1p(together, power=0)),
            "brevity penalty × p₁ to the ¼ (`bleu1p`), five references": correlation(bleu1p(together)),
            "`bleu1p`, all 5 × 17,466 tuples": correlation(penalised.ravel(), times=len(alone)),
            "`bleu1p`, five references, in two digits as printed": correlation(np.round(bleu1p(together), 2)),
        }.items():
            rows.setdefault(reading, []).append(rho)
    lines += [[reading, *(f"{rho:.3f}" for rho in all_texts)] for reading, all_texts in rows.items()]
    return table(f"### Unigram BLEU ({PUBLISHED['bleu-unigram']} published): readings", lines)


@cache
def study() -> tuple[list[str], list[list[str]], NDArray[np.float64], NDArray[np.int64]]:
    """Candidates, five lists of references, judgements [3, pairs], and the reference each judgement names."""
    judged, _ = load("elliott-keller", STUDY)
    assert isinstance(judged, Ratings)
    with (STUDY / "judgements").open(encoding="utf-8", newline="") as file:
        named = [int(row["refid"].rpartition("#")[2]) for row in csv.DictReader(file)]
    references = [list(column) for column in zip(*judged.references, strict=True)]
    return list(judged.candidates), references, judged.human.T, np.array(named)


def views_of(preparation: str, references: Sequence[int] = range(5)) -> Views:
    """Return the study's captions under a preparation, with some of the references."""
    candidates, columns, _, _ = study()
    tokenizer = PREPARATIONS[preparation]
    if tokenizer is not None:
        register_tokenizer(preparation, tokenizer)
    corpus = Corpus.from_lists(candidates, list(zip(*(columns[k] for k in references), strict=True)))
    return Views(corpus, tokenizer="ptb" if tokenizer is None else preparation)


def scores(key: str, views: Views) -> Floats:
    metric = parse(key)
    return metric.score(metric.statistics(views))


def bleu1p(views: Views, power: float = 0.25) -> Floats:
    """Return what MultEval calls bleu1p: it stops jBLEU's sum of four weighted logarithms after the first."""
    bleu = BleuSmoothed(1, "halving")
    statistics = bleu.statistics(views)
    precision = bleu.precisions(statistics)[:, 0]
    return bleu.score(statistics) / precision * precision**power


def correlation(values: Floats, times: int = 1) -> float:
    """Spearman's rho with the judgements of the three judges kept apart; `times` the pairs one after another."""
    _, _, judgements, _ = study()
    return spearman(np.tile(values, 3), np.tile(judgements, (1, times)).ravel())


def table(title: str, lines: list[list[str]]) -> str:
    """Return a Markdown table under a heading."""
    head, *body = lines
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join([title, "", *(f"| {' | '.join(cells)} |" for cells in [head, rule, *body])])


if __name__ == "__main__":
    main()
