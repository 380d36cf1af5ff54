"""`compute_score` as verl calls a custom reward function, for one sample and for a batch. Nothing of verl is imported.

In verl's configuration: `custom_reward_function.path` is this file, `name` one of the two functions, and
`reward_kwargs` their keywords.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from vericap.compat.aligned import measured
from vericap.errors import InputError, not_a_set
from vericap.metrics.base import Metric
from vericap.reward import Reward

__all__ = ["compute_score", "compute_score_batch"]


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    **reward_kwargs: Any,
) -> float:
    """Return the reward of one sample; see `compute_score_batch`.

    >>> compute_score("coco", "a dog runs", ["a dog runs", "the dog"], metric="rouge-l")
    1.0
    """
    return compute_score_batch([data_source], [solution_str], [ground_truth], [extra_info], **reward_kwargs)[0]


def compute_score_batch(
    data_sources: Sequence[str],
    solution_strs: Sequence[str],
    ground_truths: Sequence[Any],
    extra_infos: Sequence[Mapping[str, Any] | None] | None = None,
    *,
    index: str | os.PathLike[str] | None = None,
    metric: str | Metric = "cider-d",
    df: Any = "coco",
    tokenizer: str = "ptb",
) -> list[float]:
    """Return the rewards of samples.

    With `index`, a file that `Reward.save` wrote, the image is `extra_info["image_id"]`, or else the ground truth.
    Without it the ground truth is a list of reference captions, scored by `metric` with document frequencies `df`.
    """
    solution_strs = list(not_a_set(solution_strs, "solution_strs"))
    ground_truths = list(not_a_set(ground_truths, "ground_truths"))
    infos = extra_infos if extra_infos is not None else [None] * len(solution_strs)
    if index is not None:
        reward = _loaded(os.fspath(index))
        ids = [(info or {}).get("image_id", truth) for info, truth in zip(infos, ground_truths, strict=True)]
        rewards: list[float] = reward(solution_strs, ids).tolist()
        return rewards
    run = measured(solution_strs, ground_truths, [metric], df=df, tokenizer=tokenizer)
    [found] = run.values()
    if not found.metric.higher_is_better:
        raise InputError(
            f"{found.metric.key} is better the lower it is, so it cannot be a reward",
            field="metric",
            fix="choose one that is better the higher it is",
        )
    scores: list[float] = found.scores.tolist()
    return scores


@lru_cache(maxsize=4)  # verl calls with the same keywords for every sample
def _loaded(path: str) -> Reward:
    return Reward.load(path)
