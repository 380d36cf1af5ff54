"""Combinations: the mean of several metrics as a metric of its own (VIFIDEL's "+LM" and "+CIDEr", SPIDEr)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from vericap.arrays import Floats
from vericap.errors import InputError
from vericap.metrics.base import Metric, Parameter, Statistics, mean, means
from vericap.metrics.cider_d import CiderD
from vericap.metrics.spice import AUTO, Spice
from vericap.options.declared import option
from vericap.results.explanation import Explanation, Part
from vericap.views import Facts, View, Views

Normalization: TypeAlias = Literal["none", "range", "quantiles"]


@dataclass(frozen=True)
class Mean(Metric):
    r"""The weighted mean of its parts' scores, $\sum_j w_j f(s_j) / \sum_j w_j$.

    `normalize` is f: `none` leaves each score on its own scale (what the papers do); `range` maps a part's range
    onto 0–1; `quantiles` takes the share of the corpus's captions that score lower, half of those that score the
    same included. Both reverse parts whose lower scores are better, so that 1 is best; without them the parts have to
    agree on which way is better. `weights` are `.7:.3`, one per part; without them all weigh the same.

    The corpus score is the weighted mean of the parts' corpus scores, each normalised: of BLEU and METEOR, whose
    corpus score is not a mean over captions, the one in the table takes part. With quantiles it is the mean over
    captions; quantiles tell captions and groups of one corpus apart, not corpora.

    Statistics [captions, parts + Σ k_j]: where the columns of each part end, the same in every row, and the parts'
    statistics side by side; with quantiles another column for each part behind its own. The ends are in the rows
    because rows are selected, weighted, merged and read back from checkpoints by processes that never computed them,
    and a metric, a plug-in's above all, need not say how many columns it has.

    >>> from vericap.corpus import Corpus
    >>> from vericap.metrics import parse
    >>> views = Views(Corpus.from_lists(["a dog"], [["a dog runs"]]), tokenizer="whitespace")
    >>> both = parse("mean(bleu-1, rouge-l, weights=3:1)")
    >>> both.score(both.statistics(views)).round(4).tolist(), str(both)
    ([0.6479], 'mean(bleu-1,rouge-l,weights=3:1)')
    """

    parts: tuple[Metric, ...] = option((), "Metrics in the brackets.")
    weights: tuple[float, ...] = option((), "Weight of each part, as in .7:.3; default: all the same.")
    normalize: Normalization = option("none", "Bring parts to one scale before they are added.")

    name: ClassVar[str] = "mean"

    def __post_init__(self) -> None:
        super().__post_init__()
        parts = self.parts
        if not parts:
            raise InputError("mean has no parts", fix="name metrics, as in mean(spice,cider-d)")
        if self.weights and len(self.weights) != len(parts):
            problem, fix = f"{len(self.weights)} weights for {len(parts)} metrics", "give one weight per metric"
            raise InputError(problem, field="weights", fix=f"{fix}, as in weights=.7:.3")
        if not all(math.isfinite(weight) and weight > 0 for weight in self.weights):
            raise InputError("a weight is not a number above 0", field="weights", fix="write them as in weights=.7:.3")
        if self.normalize == "none" and len({part.higher_is_better for part in parts}) > 1:
            lower = next(part.key for part in parts if not part.higher_is_better)
            raise InputError(
                f"lower is better for {lower} and higher for others, so that their plain mean says nothing",
                field="normalize",
                fix="add normalize=quantiles (or range), which reverse it",
            )
        endless = next((part.key for part in parts if None in part.range), None)
        if self.normalize == "range" and endless is not None:
            fix = "use normalize=quantiles, or none"
            raise InputError(f"the range of {endless} is unbounded", field="normalize", fix=fix)
        questions = [part.question for part in parts]
        # Facts that its parts decide.
        vars(self).update(
            question=max(questions, key=questions.count),  # that most parts answer; of two, the one named first
            needs=tuple(dict.fromkeys(need for part in parts for need in part.needs)),
            reads_references=any(part.reads_references for part in parts),
            reads_texts=any(part.reads_texts for part in parts),
            uses_threads=any(part.uses_threads for part in parts),
            depends_on_others=self.normalize == "quantiles",
        )

    def knows(self, language: str) -> bool:
        return any(part.knows(language) for part in self.parts)

    def frequency_order(self) -> int:
        return max(part.frequency_order() for part in self.parts)

    @property
    def range(self) -> tuple[float | None, float | None]:  # type: ignore[override]
        if self.normalize != "none":
            return 0.0, 1.0
        low, high = zip(*(part.range for part in self.parts), strict=True)
        return _weighted(self.shares, low), _weighted(self.shares, high)

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        return self.normalize != "none" or self.parts[0].higher_is_better

    @property
    def citation(self) -> str:  # type: ignore[override]
        return " ".join(dict.fromkeys(part.citation for part in self.parts))

    @property
    def key(self) -> str:
        given = super().key.removeprefix(self.name)[1:-1]  # the parameters in its brackets
        return f"{self.name}({','.join([*(part.key for part in self.parts), *([given] if given else [])])})"

    def parameters(self) -> dict[str, Parameter]:
        return {name: value for name, value in super().parameters().items() if name != "parts"}

    @property
    def shares(self) -> Floats:
        """The weights, summing to 1, array [parts]."""
        weights: Floats = np.array(self.weights or [1.0] * len(self.parts))
        return np.asarray(weights / weights.sum())

    def statistics(self, views: Views) -> Floats:
        columns = []
        for part in self.parts:
            statistics = views.get(Statistics(part))
            if self.normalize == "quantiles":
                scores = part.score(statistics) if part.higher_is_better else -part.score(statistics)
                statistics = np.column_stack([statistics, _quantiles(scores)])
            columns.append(statistics)
        ends = np.cumsum([statistics.shape[1] for statistics in columns]) + len(columns)
        return np.column_stack([np.broadcast_to(ends.astype(np.float64), (len(columns[0]), len(ends))), *columns])

    def expected_views(self) -> Iterator[tuple[int, View[Any]]]:
        return (each for part in self.parts for each in part.expected_views())

    def score(self, statistics: Floats) -> Floats:
        scores = np.zeros(len(statistics))
        for share, (part, own) in zip(self.shares, self._own(statistics), strict=bool(len(statistics))):
            scores += share * (own[:, -1] if self.normalize == "quantiles" else self._map(part, part.score(own)))
        return scores

    def aggregate(self, statistics: Floats, weights: Floats | None = None) -> float:
        if self.normalize == "quantiles" or not len(statistics):
            return mean(self.score(statistics), weights)
        corpus = [self._map(part, part.aggregate(own, weights)) for part, own in self._own(statistics)]
        return float(self.shares @ np.array(corpus))

    def aggregates(self, statistics: Floats, weights: Floats) -> Floats:
        if self.normalize == "quantiles" or not len(statistics):
            return means(self.score(statistics), weights)
        corpus = [self._map(part, part.aggregates(own, weights)) for part, own in self._own(statistics)]
        return np.asarray(self.shares @ np.array(corpus))

    @property
    def adds_up(self) -> bool:
        return self.normalize != "quantiles" and all(part.adds_up for part in self.parts)

    def summands(self, statistics: Floats) -> Floats:
        """Return those of the parts side by side, before them captions and, weighted by these, where each part's
        end."""
        pieces = [part.summands(own) for part, own in self._own(statistics)]
        ends = np.cumsum([piece.shape[1] for piece in pieces], dtype=np.float64)
        places = np.broadcast_to([1.0, *ends], (len(statistics), len(ends) + 1))
        return np.column_stack([places, *pieces])

    def from_sums(self, sums: Floats) -> float:
        if not sums[0]:
            return float("nan")
        count = len(self.parts)
        ends = np.rint(sums[: count + 1] / sums[0]).astype(int) + count
        ends[0] = count + 1
        own = [sums[first:last] for first, last in pairwise([ends[0], *(ends[1:] + 1)])]
        corpus = [self._map(part, part.from_sums(each)) for part, each in zip(self.parts, own, strict=True)]
        return float(self.shares @ np.array(corpus))

    def details(self, statistics: Floats) -> dict[str, Any]:
        """Return the corpus score of each part on its own scale, and its own details."""
        return {
            part.key: {"score": score if math.isfinite(score := part.aggregate(own)) else None, **part.details(own)}
            for part, own in self._own(statistics, without_quantiles=True)
        }

    def explain(self, views: Views, i: int) -> Explanation:
        # A quantile is a place among all captions of the corpus.
        whole, row = (views.whole, views.row_in_whole(i)) if self.normalize == "quantiles" else (views, i)
        statistics = self.statistics(whole)[row : row + 1]
        values: dict[str, float | int | str] = {}
        sections: dict[str, list[Part]] = {}
        drawing: list[str] = []
        for part, share, (_, own) in zip(self.parts, self.shares, self._own(statistics), strict=True):
            why = part.explain(views, i)
            values[part.key] = why.score
            if self.normalize != "none":
                mapped = own[0, -1] if self.normalize == "quantiles" else self._map(part, why.score)
                values[f"{part.key}, by {self.normalize}"] = float(mapped)
            values[f"weight of {part.key}"] = float(share)
            values |= {f"{part.key}: {name}": value for name, value in why.values.items()}
            sections |= {f"{part.key}: {name}": list(lines) for name, lines in why.sections.items()}
            drawing += [f"{part.key}:", *why.drawing] if why.drawing else []
        return self.explanation(views, i, self.score(statistics)[0], values, sections, drawing)

    def signature_parts(self, views: Facts) -> dict[str, Parameter]:
        """Return the parts by number: `1:spice|1.parser:…|2:cider-d|2.n:4|…`."""
        facts: dict[str, Parameter] = {"weights": self.weights or "equal", "normalize": self.normalize}
        if self.normalize == "quantiles":
            facts["captions"] = len(views.corpus)
        for number, part in enumerate(self.parts, 1):
            facts[f"{number}"] = part.key
            facts |= {f"{number}.{name}": value for name, value in part.signature_parts(views).items()}
        return facts

    def in_language(self, language: str) -> Metric:
        parts = tuple(part.in_language(language) for part in self.parts)
        return self if parts == self.parts else replace(self, parts=parts)

    def check(self, views: Facts) -> None:
        for part in self.parts:
            part.check(views)

    def _own(self, statistics: Floats, *, without_quantiles: bool = False) -> Iterator[tuple[Metric, Floats]]:
        """Each part with its own columns."""
        if not len(statistics):
            return
        start = len(self.parts)
        for part, end in zip(self.parts, statistics[0, :start].astype(int).tolist(), strict=True):
            last = end - 1 if without_quantiles and self.normalize == "quantiles" else end
            yield part, statistics[:, start:last]
            start = end

    def _map(self, part: Metric, scores: Any) -> Any:
        """Return scores of a part as they enter the mean."""
        low, high = part.range
        if self.normalize != "range" or low is None or high is None:
            return scores
        share = (scores - low) / (high - low)
        return share if part.higher_is_better else 1 - share


@dataclass(frozen=True)
class Spider(Mean):
    """SPIDEr: mean(spice,cider-d), both on COCO's scales; `parser` and `source` are those of `spice`.

    >>> Spider().key, Spider().range, Spider(parser="vericap").parts[0].key
    ('spider', (0.0, 5.5), 'spice(parser=vericap)')
    """

    parts: tuple[Metric, ...] = field(default=(), init=False)
    weights: tuple[float, ...] = field(default=(), init=False)
    normalize: Normalization = field(default="none", init=False)

    parser: str = option(AUTO, "Parser of captions: auto, stanford, vericap, factual or graphs.")
    source: str = option("", "Folder of the FACTUAL model, or JSON file of graphs.")

    name: ClassVar[str] = "spider"
    paper_name: ClassVar[str] = "SPIDEr"
    summary: ClassVar[str] = "the mean of SPICE and CIDEr-D"

    def __post_init__(self) -> None:
        vars(self)["parts"] = Spice(self.parser, self.source), CiderD()
        super().__post_init__()

    @property
    def citation(self) -> str:  # type: ignore[override]
        return (
            "Liu, Zhu, Ye, Guadarrama, Murphy. Improved image captioning via policy gradient optimization of SPIDEr. "
            "ICCV 2017."
        )

    @property
    def key(self) -> str:
        return super(Mean, self).key


def _weighted(shares: Floats, bounds: Sequence[float | None]) -> float | None:
    known = [bound for bound in bounds if bound is not None]
    return float(shares @ np.array(known)) if len(known) == len(bounds) else None


def _quantiles(scores: Floats) -> Floats:
    """Return the share of scores below each, half of those equal to it included; undefined scores stay so.

    >>> _quantiles(np.array([3.0, 1.0, 3.0, np.nan, 9.0])).tolist()
    [0.5, 0.125, 0.5, nan, 0.875]
    """
    defined = np.sort(scores[~np.isnan(scores)])
    below, upto = np.searchsorted(defined, scores, "left"), np.searchsorted(defined, scores, "right")
    return np.where(np.isnan(scores), np.nan, (below + upto) / 2 / max(len(defined), 1))
