"""Results by metric: a mapping from a metric's key to what it found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Generic, Protocol, TypeVar


class HasScore(Protocol):
    """What a metric found on a corpus."""

    @property
    def score(self) -> float: ...


Found = TypeVar("Found", bound=HasScore)


class ByMetric(Mapping[str, Found], Generic[Found]):
    """Subclasses are dataclasses with a field `results`: one entry per metric, in the order asked for."""

    results: Mapping[str, Found]

    def __getitem__(self, key: str) -> Found:
        return self.results[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    @property
    def scores(self) -> dict[str, float]:
        """The corpus scores by key, as loggers take them."""
        return {key: each.score for key, each in self.items()}

    def in_short(self, captions: int) -> str:
        """What `repr` shows: how many captions, and each score."""
        scores = ", ".join(f"{key} {score:.4f}" for key, score in self.scores.items())
        return f"<{type(self).__name__} of {captions:,} captions: {scores}>"
