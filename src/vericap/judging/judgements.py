"""Human judgements of captions: ratings of single captions, or choices between two captions of the same image."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import offsets_of
from vericap.corpus import Corpus, ImageId
from vericap.stats.ceiling import one_against_others
from vericap.stats.correlation import kendall_b, kendall_c, pearson, spearman

if TYPE_CHECKING:
    from vericap.judging.protocols import Protocol
    from vericap.readers.judgements import Folder

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Judged:
    """Captions in rows, grouped into items: an item is an image as it was shown, with its references.

    `item[row]` is the item of a row. The same image may be shown several times, as several items: then an n-gram's
    document frequency counts it as often, and the bootstrap draws them together (`clusters`).
    """

    image_ids: Sequence[ImageId]
    references: Sequence[Sequence[str]]
    candidates: Sequence[str]
    item: Integers
    groups: Sequence[str] = ()
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.candidates)

    def clusters(self) -> Integers:
        """The image of each item as a number: the items that belong together."""
        number: dict[ImageId, int] = {}
        return np.array([number.setdefault(each, len(number)) for each in self.image_ids], np.int64)

    def _columns(self, items: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the common fields of all judgements, for some items in the same order."""
        places = np.flatnonzero(items).tolist()
        rows = np.flatnonzero(items[self.item])
        return {
            "image_ids": [self.image_ids[i] for i in places],
            "references": [self.references[i] for i in places],
            "candidates": [self.candidates[row] for row in rows.tolist()],
            "item": (np.cumsum(items) - 1)[self.item[rows]],
            "groups": [self.groups[i] for i in places] if self.groups else (),
        }

    def corpus(self, references: Sequence[Sequence[str]]) -> Corpus:
        """The rows as a corpus with these references of each item."""
        ids = [self.image_ids[i] for i in self.item.tolist()]
        if not any(references):
            return Corpus(ids, self.candidates, self.item)
        offsets = offsets_of([len(each) for each in references])
        return Corpus(ids, self.candidates, self.item, [one for each in references for one in each], offsets)


@dataclass(frozen=True, eq=False)
class Ratings(Judged):
    """Captions that people rated: `human` is [rows, judges], NaN where a judge did not say.

    >>> rated = Ratings(["a", "b"], [["a dog"], ["a cat"]], ["dog", "dog"], np.arange(2), human=np.array([[4.], [1.]]))
    >>> rated.judgements, rated.clusters().tolist()
    (2, [0, 1])
    """

    human: Floats = field(default_factory=lambda: np.zeros((0, 1)))
    systems: Sequence[str] = ()
    columns: Mapping[str, Floats] = field(default_factory=dict)  # scores of metrics that the table has, by key

    @property
    def judgements(self) -> int:
        return int(np.isfinite(self.human).sum())

    def measure(self, protocol: Protocol) -> str:
        """The name of the figure that the protocol is about."""
        return "kendall_b" if protocol.correlation == "image" else protocol.measure

    def ceiling(self) -> dict[str, float]:
        """Return the agreement of people: each judge with the mean of the others, and every two judges (`pairs.…`)."""
        if self.human.shape[1] < 2:
            return {}
        measures = {"kendall_b": kendall_b, "kendall_c": kendall_c, "spearman": spearman, "pearson": pearson}
        others = {name: float(one_against_others(self.human, each).mean()) for name, each in measures.items()}
        two = list(combinations(self.human.T, 2))
        pairs = {f"pairs.{name}": float(np.mean([each(*one) for one in two])) for name, each in measures.items()}
        return others | pairs

    def keep(self, items: NDArray[np.bool_]) -> Self:
        """The ratings of some items."""
        rows = np.flatnonzero(items[self.item])
        systems = [self.systems[row] for row in rows.tolist()] if self.systems else ()
        columns = {key: column[rows] for key, column in self.columns.items()}
        return replace(self, **self._columns(items), human=self.human[rows], systems=systems, columns=columns)

    @classmethod
    def of(cls, rows: Iterable[tuple[ImageId, Sequence[str], str, Sequence[float]]], **more: Any) -> Ratings:
        """Return ratings of captions, each with the image, its references and the numbers of its judges.

        >>> Ratings.of([("a", ["a dog runs"], "a dog", [4.0])]).human.tolist()
        [[4.0]]
        """
        ids, references, captions, human = [*map(list, zip(*rows, strict=True))] or [[], [], [], []]
        return cls(ids, references, captions, np.arange(len(ids)), human=np.array(human, float), **more)


@dataclass(frozen=True, eq=False)
class Choices(Judged):
    """Pairs of captions from which people chose one: rows 2i and 2i + 1 are the pair of item i.

    `preferred[i]` is 1 for the first, -1 for the second, 0 where people were divided: such a pair is left out.
    `votes` [items, references], where given, says the same against each reference: 1, -1.
    """

    preferred: Integers = field(default_factory=lambda: np.zeros(0, np.int64))
    votes: Integers | None = None

    @property
    def judgements(self) -> int:
        return int((self.preferred != 0).sum())

    def measure(self, protocol: Protocol) -> str:
        """The name of the figure that the protocol is about."""
        return "accuracy.all"

    def ceiling(self) -> dict[str, float]:
        """Choices are given without the judges who made them."""
        return {}

    def keep(self, items: NDArray[np.bool_]) -> Self:
        """The choices between some pairs."""
        votes = None if self.votes is None else self.votes[items]
        return replace(self, **self._columns(items), preferred=self.preferred[items], votes=votes)

    @classmethod
    def of(
        cls,
        image_ids: Sequence[ImageId],
        references: Sequence[Sequence[str]],
        pairs: Sequence[tuple[str, str]],
        preferred: Sequence[int],
        groups: Sequence[str] = (),
        votes: Integers | None = None,
        notes: tuple[str, ...] = (),
    ) -> Choices:
        """Choices from a list of pairs.

        >>> one = Choices.of(["a"], [["a dog runs"]], [("a dog", "a cat")], [1])
        >>> list(one.candidates), one.item.tolist()
        (['a dog', 'a cat'], [0, 0])
        """
        captions = [caption for pair in pairs for caption in pair]
        item = np.repeat(np.arange(len(pairs)), 2)
        return cls(image_ids, references, captions, item, groups, notes, np.array(preferred, np.int64), votes)


@dataclass(frozen=True, eq=False)
class Systems:
    """Systems that people judged, with scores that metrics gave them; there are no captions to score.

    `human[question]` and `scores[metric]` have one number per system.
    """

    names: Sequence[str]
    human: dict[str, Floats]
    scores: dict[str, Floats]
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    @property
    def judgements(self) -> int:
        return len(self.names) * len(self.human)

    def measure(self, protocol: Protocol) -> str:
        """The name of the figure that the protocol is about: of the first question."""
        return f"{next(iter(self.human))}.{protocol.measure}"

    def ceiling(self) -> dict[str, float]:
        """Systems have one figure per question, not one per judge."""
        return {}


Judgements: TypeAlias = Ratings | Choices | Systems
WithCaptions = TypeVar("WithCaptions", bound=Ratings | Choices)


@dataclass(frozen=True)
class Benchmark:
    """A set of human judgements: what it is, where it comes from, how it is judged, and how it is read.

    `folders` are the names its folder usually has; `protocols` the named ways to judge with it, the usual one first.
    """

    name: str
    what: str
    size: str
    licence: str
    source: str
    citation: str
    folders: tuple[str, ...]
    protocols: tuple[Protocol, ...]
    load: Callable[[Folder, Protocol], Judgements]
    subsets: tuple[str, ...] = ()
