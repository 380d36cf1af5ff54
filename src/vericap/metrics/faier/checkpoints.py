"""The trained model of a metric: its own checkpoint, or the one that ships."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from vericap.errors import InputError

if TYPE_CHECKING:
    from vericap.metrics.faier.metric import FaierFamily
    from vericap.metrics.faier.scorer import Scorer


def checkpoint_of(metric: FaierFamily) -> Scorer:
    """The model in the metric's folder."""
    if not metric.checkpoint and not metric.folder.is_dir():
        raise InputError(
            f"no checkpoint ships for {metric.key}",
            field="checkpoint",
            fix="train one with `vericap train faier --config FILE` and add checkpoint=FOLDER",
        )
    return load(str(metric.folder))


@lru_cache(maxsize=8)  # all variants side by side in one table
def load(folder: str) -> Scorer:
    """The model in a folder, read once."""
    try:
        from vericap.metrics.faier.scorer import Scorer
    except ImportError as error:  # torch is there, but is broken or of another machine
        problem = f"the neural network cannot be loaded ({error})"
        raise InputError(problem, fix="pip install --force-reinstall 'vericap[neural]'") from error
    return Scorer.load(folder)
