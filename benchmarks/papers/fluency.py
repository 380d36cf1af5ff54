"""Accuracy of `fluency` in telling captions from the same words said badly.

    python -m benchmarks.papers.fluency [--model FILE_OR_FOLDER]

Needs coco_val2017 (VERICAP_DATA). For its agreement with people see benchmarks/papers/vifidel.py.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable

import numpy as np

from benchmarks.places import DATA
from vericap.corpus import Corpus
from vericap.metrics.fluency import Fluency
from vericap.text.tokenizers import tokenizer
from vericap.views import Views

ARTICLES_AND_PREPOSITIONS = frozenset(
    "a an the about above across after against along among around as at before behind below beneath beside besides "
    "between beyond by down during for from in inside into near of off on onto opposite out outside over past through "
    "to toward towards under underneath up upon with within without".split()
)
Spoil = Callable[[list[str], np.random.Generator], list[str]]


def doubled(words: list[str], random: np.random.Generator) -> list[str]:
    at = random.integers(len(words))
    return [*words[: at + 1], *words[at:]]


def shuffled(words: list[str], random: np.random.Generator) -> list[str]:
    while (order := random.permutation(len(words)).tolist()) and [words[i] for i in order] == words:
        pass
    return [words[i] for i in order]


def stripped(words: list[str], random: np.random.Generator) -> list[str]:
    return [word for word in words if word not in ARTICLES_AND_PREPOSITIONS]


SPOILT: dict[str, Spoil] = {
    "a word doubled": doubled,
    "words shuffled": shuffled,
    "articles and prepositions dropped": stripped,
}


def statistics(captions: list[str], metric: Fluency) -> np.ndarray:
    return metric.statistics(Views(Corpus.from_lists(captions), tokenizer="whitespace"))


def spoilt(captions: list[list[str]], model: str) -> None:
    usable = [c for c in captions if len(set(c)) > 1 and ARTICLES_AND_PREPOSITIONS & set(c)]
    chosen = [usable[i] for i in np.random.default_rng(0).choice(len(usable), 2000, replace=False)]
    print("spoilt captions that score below the original, of 2,000 of val2017")
    for scale in ("probability", "slor"):
        metric, random = Fluency(model=model, scale=scale), np.random.default_rng(1)
        original = metric.score(statistics([" ".join(words) for words in chosen], metric))
        for name, spoil in SPOILT.items():
            worse = metric.score(statistics([" ".join(spoil(words, random)) for words in chosen], metric))
            print(f"  {scale:<12} {name:<34} {100 * (worse < original).mean():.1f} %")
    metric = Fluency(model=model)
    everything = statistics([" ".join(words) for words in captions], metric)
    print(f"  perplexity of all {len(captions):,} captions: {metric.details(everything)['perplexity']:.1f}")


def captions_as_words() -> list[list[str]]:
    """Words of every caption of COCO val2017."""
    annotations = json.loads((DATA / "coco_val2017" / "captions_val2017.json").read_text("utf-8"))["annotations"]
    vocabulary: dict[str, int] = {}
    ids = tokenizer("ptb")([row["caption"] for row in annotations], vocabulary)
    words = list(vocabulary)
    return [[words[i] for i in row] for row in ids]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="")
    spoilt(captions_as_words(), parser.parse_args().model)


if __name__ == "__main__":
    main()
