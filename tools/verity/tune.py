"""Fits the weights of Verity's features to human judgements: of all benchmarks at hand, and of all but each one.

    python -m tools.verity.tune [--data DIR] [--out src/vericap/data/verity]

Each benchmark weighs the same. Least squares with a penalty on long weights: a rating, made to have mean 0 and standard
deviation 1 in its benchmark, is told from features and yardstick; of a pair, which of both is better (1 or -1) from the
difference of their features. Weights of features are not negative. Slope and bias are fitted as in `export`, so that
1/2 means the same. The head says which benchmarks were seen: `verity(tuned=without-composite)` never saw a judgement of
Composite.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import lsq_linear

from benchmarks.places import DATA
from tools.verity.development import development
from tools.verity.export import SHIPPED, fit_logistic
from vericap.judging import Choices, Ratings
from vericap.judging import load as load_benchmark
from vericap.judging.scoring import draws
from vericap.metrics.verity.head import Sums, write_head
from vericap.metrics.verity.matching import FEATURES, match
from vericap.metrics.verity.model import HEAD, Model

BENCHMARKS = ("flickr8k-expert", "flickr8k-cf", "composite", "pascal-50s")
PENALTY = 0.05  # of the squared weights of features with standard deviation 1
CHUNK = 500

Array = NDArray[np.float64]


class Told(NamedTuple):
    """Facts about captions or pairs [n, 16: features, yardstick], and the judgements of people [n]."""

    known: Array
    said: Array


def known_of(model: Model, captions: Sequence[str], references: Sequence[Sequence[str]]) -> Array:
    """Features and yardstick of each caption, array [captions, 16]."""
    found = []
    for first in range(0, len(captions), CHUNK):
        pictures = [tuple(each) for each in references[first : first + CHUNK]]
        texts, gathered = model.read(captions[first : first + CHUNK], pictures, workers=0)
        for text, picture in zip(texts, gathered, strict=True):
            if picture is None:
                raise SystemExit("a picture of these judgements has no reference with a word")
            found.append(np.append(match(text, picture), picture.yardstick))
    return np.array(found)


def told(name: str, folder: Path, model: Model) -> Told:
    """Return a benchmark under its first protocol, with the first draw of references."""
    judged, protocol = load_benchmark(name, folder)
    if not isinstance(judged, Ratings | Choices):
        raise SystemExit(f"{name} has no judgements of captions")
    draw = next(draws(judged, protocol))
    references = draw.references()
    known = known_of(model, judged.candidates, [references[item] for item in judged.item.tolist()])
    if isinstance(judged, Choices):
        said = draw.preferred().astype(np.float64)
        decided = said != 0
        return Told((known[::2] - known[1::2])[decided], said[decided])
    ratings = np.nanmean(judged.human, axis=1)
    return Told(known - known.mean(axis=0), (ratings - ratings.mean()) / ratings.std())


def fit(parts: Sequence[Told], penalty: float = PENALTY) -> tuple[Array, Array]:
    """Return the weights of the features, not negative, and of the yardstick."""
    shares = np.concatenate([np.full(len(part.said), 1 / np.sqrt(len(part.said))) for part in parts])
    known = np.concatenate([part.known for part in parts])
    said = np.concatenate([part.said for part in parts])
    scale = np.sqrt(((shares[:, None] * known) ** 2).sum(axis=0) / len(parts)) + 1e-9
    rows = np.concatenate([shares[:, None] * known / scale, np.sqrt(penalty * len(parts)) * np.eye(known.shape[1])])
    wanted = np.concatenate([shares * said, np.zeros(known.shape[1])])
    least = np.repeat([0.0, -np.inf], len(FEATURES))
    found = lsq_linear(rows, wanted, bounds=(least, np.inf)).x / scale
    return found[: len(FEATURES)], found[len(FEATURES) :]


def tuned(model: Model, parts: Mapping[str, Told]) -> Sums:
    """Return the weights fitted to some benchmarks, with slope and bias of the development captions."""
    features, yardstick = fit(list(parts.values()))
    rows = [row for row in development() if row.kind in ("own", "near")]
    z = known_of(model, [row.caption for row in rows], [row.references for row in rows]) @ np.append(
        features, yardstick
    )
    slope, shift = fit_logistic(z, np.array([row.kind == "own" for row in rows]))
    found = replace(model.head.sums, features=features, yardstick=yardstick, single=0.0, count=0.0, bias=0.0)
    found = found.stretched(slope, shift)
    # A single reference, or many, change z as they do without tuning; the development captions have four.
    count = model.head.sums.count
    return replace(
        found, single=model.head.sums.single, count=count, bias=found.bias - count * np.log(4), judgements=tuple(parts)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="the folder that holds the benchmarks")
    parser.add_argument("--out", type=Path, default=SHIPPED, help="folder of the model")
    options = parser.parse_args()
    model = Model(options.out)
    parts = {name: told(name, options.data, model) for name in BENCHMARKS}
    sets = {"all": parts}
    sets |= {f"without-{name}": {k: v for k, v in parts.items() if k != name} for name in BENCHMARKS}
    found = {name: tuned(model, some) for name, some in sets.items()}
    for name, sums in found.items():
        print(f"{name:>24} {np.round(sums.features, 2)} {np.round(sums.yardstick, 2)}")
    write_head(options.out / HEAD, replace(model.head, tuned=found), {})


if __name__ == "__main__":
    main()
