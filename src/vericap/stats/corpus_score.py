"""The part of a metric that statistics need: a corpus score from the captions' statistics."""

from __future__ import annotations

from typing import Protocol

from vericap.arrays import Floats


class CorpusScore(Protocol):
    """A metric, as resampling sees it; every `vericap.Metric` is one."""

    @property
    def higher_is_better(self) -> bool: ...

    def aggregate(self, statistics: Floats, weights: Floats | None = None) -> float:
        """Return the corpus score of statistics [captions, k]; weight w counts a caption w times."""
        ...

    def aggregates(self, statistics: Floats, weights: Floats) -> Floats:
        """Return the corpus score under each row of weights [resamples, captions]."""
        ...
