"""A reward function as TRL's trainers call it (GRPO, RLOO and others): with `prompts`, `completions`, `completion_ids`
and every column of the dataset as keywords. Nothing of TRL is imported."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from vericap.errors import InputError, not_a_set
from vericap.reward import Reward

RewardFunction: TypeAlias = Callable[..., list[float | None]]


def reward_function(reward: Reward, image_ids: str = "image_id", name: str | None = None) -> RewardFunction:
    """Return the function to give to a trainer as `reward_funcs`.

    `image_ids` is the dataset's column of image ids. A row without an image id, and one for which the metric is
    undefined, gets None, which trainers leave out. `name` is what the trainer logs the reward as.

    >>> function = reward_function(Reward("cider-d", {1: ["a dog runs"], 2: ["a red cat"]}, tokenizer="whitespace"))
    >>> function(prompts=["", ""], completions=["a red cat", "a red cat"], completion_ids=[[], []], image_id=[2, None])
    [7.5, None]
    """

    def rewards(*, completions: Sequence[Any], **columns: Any) -> list[float | None]:
        if image_ids not in columns:
            raise InputError(
                f"the dataset has no column {image_ids!r}",
                field="image_ids",
                fix=f"name the column of image ids; there are {', '.join(sorted(columns))}",
            )
        ids = not_a_set(columns[image_ids], image_ids)
        rows = [row for row, image_id in enumerate(ids) if image_id is not None]
        found: list[float | None] = [None] * len(not_a_set(completions, "completions"))
        if rows:
            values = reward([text_of(completions[row]) for row in rows], [ids[row] for row in rows]).tolist()
            for row, value in zip(rows, values, strict=True):
                found[row] = None if math.isnan(value) else value
        return found

    rewards.__name__ = name or "+".join(reward.weights)
    return rewards


def text_of(completion: str | Sequence[Mapping[str, Any]]) -> str:
    """Return the text of a completion: a string, or the messages of a conversation, whose assistant's texts count.

    >>> text_of([{"role": "assistant", "content": "a dog"}])
    'a dog'
    >>> text_of([{"role": "assistant", "content": [{"type": "text", "text": "a dog"}]}])
    'a dog'
    """
    if isinstance(completion, str):
        return completion
    texts = []
    for message in completion:
        content = message.get("content") if message.get("role", "assistant") == "assistant" else None
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
        texts += [str(part["text"]) for part in parts if part.get("type") == "text"]
    return " ".join(texts)
