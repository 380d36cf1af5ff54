"""A `torchmetrics.Metric` of any text metric: captions become rows of statistics as they come, and processes merge
those rows, so that the score of a distributed run is that of all captions together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torchmetrics import Metric as TorchMetric
from torchmetrics.utilities import dim_zero_cat

from vericap.compat.aligned import frequencies, measured
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.metrics.base import Metric


class CaptionScore(TorchMetric):
    """The corpus score of a metric.

    CIDEr needs document frequencies that are known before the last caption comes: `df` is "coco" or a file.

    >>> score = CaptionScore("bleu-1")
    >>> score.update(["a dog runs"], [["a dog runs", "the dog"]])
    >>> score.compute()
    tensor(1.)
    """

    is_differentiable = False
    full_state_update = False
    statistics: list[Any]

    def __init__(
        self, metric: str | Metric = "cider-d", *, df: Any = "coco", tokenizer: str = "ptb", **options: Any
    ) -> None:
        super().__init__(**options)
        self.metric = parse(metric) if isinstance(metric, str) else metric
        self.df, self.tokenizer = df, tokenizer
        if self.metric.needs_frequencies and frequencies(df, tokenizer) is None:
            raise InputError(
                f"{self.metric.key} with document frequencies of the corpus has none before the last caption has come",
                field="df",
                fix='use df="coco", or a table made with `vericap resources df`',
            )
        self.add_state("statistics", default=[], dist_reduce_fx="cat")

    def update(self, preds: Sequence[str], target: Sequence[Sequence[str] | str]) -> None:
        """Take in captions, each with its references."""
        run = measured(preds, target, [self.metric], df=self.df, tokenizer=self.tokenizer)
        rows = run[self.metric.key].statistics
        self.statistics.append(torch.as_tensor(np.ascontiguousarray(rows), dtype=torch.float64, device=self.device))

    def compute(self) -> Any:
        """Return the score of all captions so far; NaN before the first."""
        if not len(self.statistics):
            return torch.tensor(float("nan"))
        rows = dim_zero_cat(self.statistics).cpu().numpy()
        return torch.tensor(self.metric.aggregate(rows), dtype=torch.float32)
