"""Verity's head, learned in addition to its encoder: vectors and weights of word pieces, and the weights of the
features."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from vericap.arrays import Floats
from vericap.errors import InputError
from vericap.metrics.verity.matching import AGREED_COVERAGE, FEATURES, SUPPORT, Array, EncodedReferences
from vericap.readers.storage import array_file

KIND, FORMAT = "verity", 2
AGAIN = "export it again with python -m tools.verity.export"
# Columns of `Sums.statistics`.
STATISTICS = ("fidelity", "adequacy", "wholes", "references", "support", "agreed coverage")


@dataclass(frozen=True, eq=False)
class Sums:
    r"""The weights that turn features into one number.

    $$ z = \sum_k w_k f_k + \sum_k y_k g_k + b_1 [\lvert R \rvert = 1] + b_n \ln \lvert R \rvert + b $$

    with features $f$, the yardstick $g$ of the references (0 for a single one), and $w_k \ge 0$: a caption never gains
    by saying less of what the references say, or more of what they do not.
    """

    features: Floats  # w
    yardstick: Floats  # y
    single: float  # b_1
    count: float  # b_n
    bias: float  # b, chosen so that z = 0 is the middle between captions of the picture and of a similar one
    judgements: tuple[str, ...] = ()  # benchmarks whose human judgements the weights were fitted to

    @classmethod
    def of_facts(cls, facts: Mapping[str, Any]) -> Sums:
        """From what `facts` gave."""
        numbers = {name: float(facts[name]) for name in ("single", "count", "bias")}
        features, yardstick = _numbers(facts["weights"]), _numbers(facts["yardstick"])
        return cls(features, yardstick, **numbers, judgements=tuple(facts.get("judgements", ())))

    def facts(self) -> dict[str, Any]:
        """Return all of it as JSON."""
        return {
            "weights": self.features.tolist(),
            "yardstick": self.yardstick.tolist(),
            **{name: getattr(self, name) for name in ("single", "count", "bias")},
            "judgements": list(self.judgements),
        }

    def alone(self, references: EncodedReferences) -> float:
        """Return what comes from the references alone: the second to the last summand of z."""
        found = float((references.yardstick * self.yardstick).sum())
        found += self.count * float(np.log(references.number)) + self.bias
        return found + (self.single if references.number == 1 else 0.0)

    def statistics(self, features: Floats, alone: Floats) -> Floats:
        """Array [captions, 6] from features [captions, 8] and `alone` of each caption's references: the summands of z
        by kind (fidelity, adequacy, the texts as wholes, the references alone), support and agreed coverage."""
        support, agreed, unsupported, coverage, best, shared, nearest, near = (features * self.features).T
        return np.column_stack(
            [
                support + agreed + unsupported,
                coverage + best + shared,
                nearest + near,
                alone,
                features[:, SUPPORT],
                features[:, AGREED_COVERAGE],
            ]
        )

    def stretched(self, slope: float, shift: float) -> Sums:
        """Return those whose z is slope · z + shift."""
        return replace(
            self,
            features=self.features * slope,
            yardstick=self.yardstick * slope,
            single=self.single * slope,
            count=self.count * slope,
            bias=self.bias * slope + shift,
        )


@dataclass(frozen=True, eq=False)
class Head:
    """The head: from vectors of an encoder to vectors and weights of word pieces, and from their features to one
    number. `tuned` has weights of the features that were fitted to human judgements, by name."""

    projection: Array  # [size of the encoder, d]
    weigh: Array  # [size]: softplus(weigh · h + weigh_bias) is the weight of a piece
    weigh_bias: float
    sums: Sums
    tuned: Mapping[str, Sums] = field(default_factory=dict)
    digest: str = ""

    @classmethod
    def read(cls, path: Path) -> Head:
        """From a file that `write_head` wrote."""
        source = str(path)
        _, facts, arrays, digest = array_file.read(path, verify=False)
        array_file.check_format(facts, KIND, FORMAT, source, "a head of Verity", AGAIN)
        if facts.get("features") != list(FEATURES):
            raise InputError("the head has other features than this version computes", source=source, fix=AGAIN)
        try:
            size, dimension = facts["shape"]
            return cls(
                projection=arrays["projection"].view("<f4").reshape(size, dimension).astype(np.float32),
                weigh=arrays["weigh"].view("<f4").reshape(size).astype(np.float32),
                weigh_bias=float(facts["weigh_bias"]),
                sums=Sums.of_facts(facts["sums"]),
                tuned={name: Sums.of_facts(each) for name, each in facts["tuned"].items()},
                digest=digest[:12],
            )
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"the file is damaged ({error})", source=source, fix=AGAIN) from None

    def sums_of(self, tuned: str) -> Sums:
        """Return the weights as they were trained, or those that were fitted to judgements under a name."""
        if not tuned:
            return self.sums
        if tuned not in self.tuned:
            there = f"use one of {', '.join(self.tuned)}, or leave it out" if self.tuned else "leave it out"
            raise InputError(f"this model has no weights tuned to {tuned!r}", field="tuned", fix=there)
        return self.tuned[tuned]


def write_head(path: str | os.PathLike[str], head: Head, about: Mapping[str, Any]) -> None:
    """Write a head; `about` says how it was made."""
    facts = {
        "kind": KIND,
        "format": FORMAT,
        "features": list(FEATURES),
        "shape": list(head.projection.shape),
        "weigh_bias": head.weigh_bias,
        "sums": head.sums.facts(),
        "tuned": {name: sums.facts() for name, sums in head.tuned.items()},
        "about": dict(about),
    }
    given = {"projection": head.projection, "weigh": head.weigh}
    arrays = {name: np.ascontiguousarray(array, "<f4").reshape(-1).view("<u4") for name, array in given.items()}
    array_file.write(path, "verity", facts, arrays)


def _numbers(values: Any) -> Floats:
    found = np.array(values, np.float64)
    if found.shape != (len(FEATURES),) or not np.isfinite(found).all():
        raise ValueError(f"{len(FEATURES)} numbers are needed, one per feature")
    return found
