"""The base class of metrics: a few facts about a metric, sufficient statistics of each caption, a score from them,
and a corpus score from weighted statistics."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import cache
from inspect import getdoc
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

import numpy as np

from vericap.arrays import Floats, sum_columns
from vericap.errors import InputError, MetricError
from vericap.options.declared import check_fields
from vericap.options.keys import quote
from vericap.text.tokenizers import signed_name
from vericap.version import __version__
from vericap.views import Facts, View, Views

if TYPE_CHECKING:
    from vericap.results.explanation import Explanation, Matrix, Part

Question: TypeAlias = Literal["fidelity", "adequacy", "fluency"]
Parameter: TypeAlias = str | int | float | bool | tuple[float, ...]

# What of a corpus a metric may need, and what for.
_NEEDS = {
    "references": "compares with reference captions",
    "objects": "compares with the objects in the picture",
    "regions": "looks at regions of the picture",
    "images": "looks at the picture itself",
}


def option_of(need: str, has_pictures: bool = False) -> str:
    """Return how a user gives what a metric needs; objects can be found in pictures, if these were given.

    >>> option_of("references"), option_of("images")
    ('--references FILE (references=… in Python)', '--images DIR (images=… in Python)')
    >>> option_of("objects", has_pictures=True)
    '--detector ssd (detector="ssd" in Python), which finds them in the pictures, or --objects FILE ...'
    """
    given = f"--{need} {'DIR' if need == 'images' else 'FILE'} ({need}=… in Python)"
    if need == "objects" and has_pictures:
        return f'--detector ssd (detector="ssd" in Python), which finds them in the pictures, or {given}'
    return given


class Metric(ABC):
    """A metric. Subclasses are frozen dataclasses; their fields are the metric's parameters.

    `str(metric)` is its key everywhere, and parses back by `vericap.metrics.parse`. A field of type `Literal[…]` takes
    one of its values, and `Annotated[float, Between(0, 1)]` a number within bounds: both are checked here.
    """

    name: ClassVar[str]
    paper_name: ClassVar[str] = ""  # the name as papers write it; the key if it is empty
    summary: ClassVar[str] = ""  # one line: what it looks at; the beginning of the docstring if it is empty
    question: ClassVar[Question]
    needs: ClassVar[tuple[str, ...]] = ("references",)
    reads_references: ClassVar[bool] = True  # whether references change the number, needed or not
    reads_texts: ClassVar[bool] = False  # whether captions count as they are written, rather than as tokens
    range: ClassVar[tuple[float | None, float | None]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    summed: ClassVar[bool] = False  # whether the corpus score is the score of the summed statistics
    languages: ClassVar[tuple[str, ...]] = ()  # whose words it knows; empty if it compares words of any
    counts_end: ClassVar[bool] = False  # whether a reward with eos="counted" counts the end of a caption as a word
    needs_frequencies: ClassVar[bool] = False  # whether document frequencies weigh its n-grams
    best_of_references: ClassVar[bool] = False  # whether a score is the highest of those against single references
    uses_threads: ClassVar[bool] = False  # whether a batch of rewards is worth several threads
    depends_on_others: ClassVar[bool] = False  # whether a caption's score depends on the other captions
    served: ClassVar[bool] = False  # whether a server offers it, beside the table of a paper, if nobody says what
    when_asked: ClassVar[str] = ""  # a note for those who ask for it by name
    citation: ClassVar[str]

    def __post_init__(self) -> None:
        check_fields(self, self.name)

    @classmethod
    def make(cls, **parameters: Any) -> Metric:
        """Return the metric of these parameters; a class may give one of its subclasses."""
        return cls(**parameters)

    @abstractmethod
    def statistics(self, views: Views) -> Floats:
        """Sufficient statistics of each caption, array [captions, k]."""

    def expected_views(self) -> Iterable[tuple[int, View[Any]]]:
        """Return the views of n-grams that `statistics` will ask for, each with the order that it looks at; see
        `Views.look_at`."""
        return ()

    @abstractmethod
    def score(self, statistics: Floats) -> Floats:
        """Return the score of each caption, array [captions]."""

    def aggregate(self, statistics: Floats, weights: Floats | None = None) -> float:
        """Return the corpus score; weight w counts a caption w times (a bootstrap resample is such weights).

        The mean of the captions' scores, leaving out what is undefined; the score of the sums where `summed`.
        """
        if self.summed:
            return self.from_sums(total(self.summands(statistics), weights))
        return mean(self.score(statistics), weights)

    def aggregates(self, statistics: Floats, weights: Floats) -> Floats:
        """Return the corpus score under each row of weights [resamples, captions], array [resamples].

        A metric with an `aggregate` of its own is asked resample by resample unless it overrides this too.
        """
        if type(self).aggregate is not Metric.aggregate:
            return np.array([self.aggregate(statistics, row) for row in weights])
        if self.summed:
            return self.score(weights @ self.summands(statistics))
        return means(self.score(statistics), weights)

    def summands(self, statistics: Floats) -> Floats:
        """Return what a corpus adds up over its captions, array [captions, m]; `from_sums` makes the corpus score from
        it.

        So a corpus that never is in memory as a whole is summed piece by piece. A metric with an `aggregate` of its
        own overrides this and `from_sums` if sums suffice for it.
        """
        if self.summed:
            return statistics
        scores = self.score(statistics)
        defined = ~np.isnan(scores)
        return np.column_stack([np.where(defined, scores, 0.0), defined.astype(np.float64)])

    def from_sums(self, sums: Floats) -> float:
        """Return the corpus score from the sums of `summands` over all captions: what `aggregate` gives for all of
        them."""
        if self.summed:
            return float(self.score(sums[None])[0])
        return float(sums[0] / sums[1]) if sums[1] else float("nan")

    @property
    def adds_up(self) -> bool:
        """Return whether the corpus score comes from sums over the captions, so that a stream can compute it."""
        kind = type(self)
        return kind.aggregate is Metric.aggregate or kind.from_sums is not Metric.from_sums

    def details(self, statistics: Floats) -> dict[str, Any]:
        """Further corpus figures that go into the JSON: precision, recall, sub-scores."""
        return {}

    @abstractmethod
    def explain(self, views: Views, i: int) -> Explanation:
        """Return what matched in caption i, what did not, and with which weights."""

    def explanation(
        self,
        views: Views,
        i: int,
        score: float,
        values: Mapping[str, float | int | str],
        sections: Mapping[str, Sequence[Part]] | None = None,
        drawing: Sequence[str] = (),
        matrices: Mapping[str, Matrix] | None = None,
    ) -> Explanation:
        """Return an explanation of caption i by this metric."""
        from vericap.results.explanation import Explanation

        caption, references = views.corpus.candidates[i], views.corpus.references_of(i)
        return Explanation(self.key, float(score), caption, references, values, sections or {}, drawing, matrices or {})

    def summarised(self) -> str:
        """Return one line: what the metric looks at."""
        first = " ".join((getdoc(type(self)) or "").split("\n\n")[0].split())
        return self._fact("summary") or first.partition(". ")[0].rstrip(".")

    def named(self) -> str:
        """Return the name of the metric as papers write it, with the parameters that differ from their defaults."""
        return self.key.replace(self.name, self._fact("paper_name") or self.name, 1)

    def _fact(self, fact: str) -> str:
        """Return a fact that belongs to the metric's name: a metric made from another one has its own."""
        home = next(each for each in type(self).__mro__ if "name" in vars(each))
        return str(vars(home).get(fact, ""))

    def knows(self, language: str) -> bool:
        """Return whether it knows words of a language, so that it would misread captions of another."""
        return language in self.languages

    def frequency_order(self) -> int:
        """Return the longest n-grams whose document frequencies it asks for; 0 if it asks for none."""
        return 4 if package_of(type(self)) else 0  # a metric of another package may look at them

    def parameters(self) -> dict[str, Parameter]:
        """Return the parameters that differ from their defaults."""
        given = [(p, getattr(self, p.name)) for p in fields(self)]  # type: ignore[arg-type]  # subclasses are dataclasses
        return {p.name: value for p, value in given if p.default is MISSING or value != p.default}

    @property
    def key(self) -> str:
        """The metric's word on the command line, in columns and in JSON."""
        changed = [f"{name}={quote(_spell(value))}" for name, value in self.parameters().items()]
        return f"{self.name}({','.join(changed)})" if changed else self.name

    def __str__(self) -> str:
        return self.key

    def signature(self, views: Facts) -> str:
        """Return all that changes the number, in one line."""
        objects, references = views.corpus.objects, dict.fromkeys(map(str, views.corpus.reference_counts))
        sources = objects.sources if objects is not None and any("objects" in need for need in self.needs) else ()
        found_by = [name.removeprefix("detector ") for name in sources if name.startswith("detector ")]
        facts = {
            "metric": self.key,
            "version": __version__,
            "package": package_of(type(self)),
            "tokenizer": signed_name(views.tokenizer),
            "language": views.language,
            "references": "-".join(references) if self.reads_references else None,
            "detector": ", ".join(found_by) or None,  # and the minimum confidence
        }
        parts = {name: fact for name, fact in facts.items() if fact is not None}
        return "|".join(f"{k}:{_spell(v)}" for k, v in {**parts, **self.signature_parts(views)}.items())

    def signature_parts(self, views: Facts) -> dict[str, Parameter]:
        """Return what a metric adds to its signature: every parameter, and resources with their hashes."""
        return {p.name: getattr(self, p.name) for p in fields(self)}  # type: ignore[arg-type]

    def in_language(self, language: str) -> Metric:
        """Return the metric as it is in a language; most are the same in all."""
        return self

    def without_references(self) -> Metric | None:
        """Return the metric to compute where objects were given and references were not, if it has such a form."""
        return None

    def check(self, views: Facts) -> None:
        """Raise an error that names metric, field and fix when what the metric needs is not there."""
        if lacking := self.lacks(views):
            need = lacking[0]
            raise InputError(
                f"{self.key} {_NEEDS[need]}, and none were given",
                field=need,
                fix=f"add {option_of(need, views.corpus.has_pictures)} or leave the metric out",
            )

    def require_english(self, views: Facts, does: str, fix: str) -> None:
        """Raise an error if captions are in another language; `does` says what the metric does with English."""
        if views.language != "en":
            problem = f"{self.key} {does}, and --language is {views.language!r}"
            raise InputError(problem, field="language", fix=fix)

    def lacks(self, views: Facts) -> list[str]:
        """Return what the metric needs and the corpus does not have."""
        corpus = views.corpus
        given = {
            "references": corpus.has_references,
            "objects": corpus.objects is not None,
            "regions": corpus.regions is not None,
            "images": corpus.pictures is not None,
        }
        return [need for need in _NEEDS if need in self.needs and not given[need]]


@cache
def package_of(metric: type[Metric]) -> str | None:
    """Return the distribution and version that a metric comes from; None for Vericap's own."""
    top = metric.__module__.partition(".")[0]
    if top == "vericap":
        return None
    from importlib.metadata import packages_distributions, version

    found = packages_distributions().get(top)
    return f"{found[0]} {version(found[0])}" if found else f"{top}, not installed as a package"


@dataclass(frozen=True)
class Statistics(View[Floats]):
    """The statistics of a metric, computed once and found again by the combinations it takes part in."""

    metric: Metric

    def compute(self, views: Views) -> Floats:
        return checked_statistics(self.metric, self.metric.statistics(views), len(views.corpus))


def checked_statistics(metric: Metric, statistics: Any, captions: int) -> Floats:
    """Statistics as an array [captions, k]; an error that names the metric where they are anything else. Those
    that are summed over the corpus must be finite: one infinite caption would be the score of all.

    >>> from vericap.metrics.rouge_l import RougeL
    >>> checked_statistics(RougeL(), np.zeros((3, 2)), 10)
    Traceback (most recent call last):
    vericap.errors.MetricError: rouge-l: statistics of shape (3, 2) for 10 captions; return an array [captions, k]
    """
    found = _checked_array(metric, "statistics", statistics, captions, "[captions, k]")
    infinite = np.argwhere(np.isinf(found)) if metric.summed else found[:0]
    if len(infinite):
        row, column = infinite[0].tolist()
        raise MetricError(
            f"{metric.key}: statistic {column} of caption {row} is {found[row, column]}; "
            "statistics that are summed must be finite"
        )
    return found


def checked_scores(metric: Metric, scores: Any, captions: int) -> Floats:
    """Return scores as an array [captions]; NaN is an undefined score, and infinity has to be within the metric's
    range.

    >>> from vericap.metrics.rouge_l import RougeL
    >>> checked_scores(RougeL(), [0.5, float("inf")], 2)
    Traceback (most recent call last):
    vericap.errors.MetricError: rouge-l: the score of caption 1 is inf, outside its range 0 to 1
    """
    found = _checked_array(metric, "scores", scores, captions, "[captions]")
    low, high = metric.range
    beyond = np.flatnonzero((found == np.inf) & (high is not None) | (found == -np.inf) & (low is not None))
    if len(beyond):
        raise MetricError(
            f"{metric.key}: the score of caption {beyond[0]} is {found[beyond[0]]}, "
            f"outside its range {_bound(low)} to {_bound(high)}"
        )
    return found


def _checked_array(metric: Metric, what: str, given: Any, captions: int, axes: str) -> Floats:
    """Return numbers as an array with these axes, the first of them the captions."""
    try:
        found: Floats = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise MetricError(f"{metric.key}: {what} are not numbers; return an array {axes}") from None
    if found.shape[:1] != (captions,) or found.ndim != len(axes.split(",")):
        problem = f"{what} of shape {found.shape} for {captions} captions"
        raise MetricError(f"{metric.key}: {problem}; return an array {axes}")
    return found


def _bound(bound: float | None) -> str:
    return "infinity" if bound is None else f"{bound:g}"


def mean(scores: Floats, weights: Floats | None) -> float:
    """Mean over the captions whose score is defined, weighted if weights are given."""
    if weights is not None:
        return float(means(scores, weights[None])[0])
    defined = scores[~np.isnan(scores)]
    return float(sum_columns(defined[:, None])[0][0] / len(defined)) if len(defined) else float("nan")


def means(scores: Floats, weights: Floats) -> Floats:
    """Weighted means over the captions whose score is defined, one for each row of weights [resamples, captions].

    >>> means(np.array([1.0, 3.0, np.nan]), np.array([[1.0, 1, 1], [3, 1, 0], [0, 0, 2]])).tolist()
    [2.0, 1.5, nan]
    """
    defined = ~np.isnan(scores)
    with np.errstate(invalid="ignore"):
        return np.asarray(weights @ np.where(defined, scores, 0.0) / (weights @ defined.astype(np.float64)))


def total(statistics: Floats, weights: Floats | None) -> Floats:
    """Column sums over captions, weighted if weights are given."""
    return sum_columns(statistics)[0] if weights is None else weights @ statistics


def note_some(views: Views, problem: str, which: Sequence[str]) -> None:
    """Add a note that names the first few of which a problem is true, if there are any."""
    if which:
        views.note(f"{problem}: {', '.join(which[:5])}{', …' if len(which) > 5 else ''}")


def _spell(value: Parameter) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ":".join(map(_spell, value))
    if isinstance(value, float) and float(f"{value:g}") == value:
        return f"{value:g}"
    return str(value)
