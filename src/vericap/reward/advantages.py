"""Baselines of policy gradients: the reward of the greedy caption, or of the other samples of the same image."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError

Rewards: TypeAlias = NDArray[np.float32]


class Advantages(NamedTuple):
    """`advantages` = `rewards` - `baselines`, float32 [samples] each."""

    advantages: Rewards
    rewards: Rewards
    baselines: Rewards


def self_critical(rewards: Rewards, greedy: Rewards, image_ids: Sequence[Hashable]) -> Advantages:
    """The reward of the greedy caption as baseline (Rennie et al. 2017): one for each sample, or one for each image in
    the order in which `image_ids` first names the images.

    >>> self_critical(np.float32([3, 1, 2]), np.float32([2, 5]), ["a", "a", "b"]).advantages.tolist()
    [1.0, -1.0, -3.0]
    """
    if len(greedy) == len(rewards):
        return _against(rewards, greedy)
    image = _numbered(image_ids)
    if len(greedy) != int(image.max(initial=-1)) + 1:
        raise InputError(
            f"there are {len(greedy)} greedy captions for {len(rewards)} samples of {int(image.max(initial=-1)) + 1} "
            "images",
            field="greedy",
            fix="give one for each sample or one for each image",
        )
    return _against(rewards, greedy[image])


def leave_one_out(rewards: Rewards, image_ids: Sequence[Hashable]) -> Advantages:
    """The mean reward of the image's other samples as baseline, which needs no greedy caption.

    >>> leave_one_out(np.float32([3, 1, 2, 6]), ["a", "a", "b", "b"]).baselines.tolist()
    [1.0, 3.0, 6.0, 2.0]
    """
    image = _numbered(image_ids)
    count = np.bincount(image)
    if len(count) and count.min() < 2:
        alone = int(np.flatnonzero(count[image] < 2)[0])
        raise InputError(
            f"image {image_ids[alone]!r} has one sample, and nothing to compare it with",
            row=alone,
            field="image_ids",
            fix="draw two samples or more of each image",
        )
    total = np.bincount(image, rewards.astype(np.float64))
    return _against(rewards, ((total[image] - rewards) / (count[image] - 1)).astype(np.float32))


def _numbered(image_ids: Sequence[Hashable]) -> NDArray[np.int64]:
    """Images by number, in the order of appearance."""
    number: dict[Hashable, int] = {}
    return np.array([number.setdefault(image_id, len(number)) for image_id in image_ids], np.int64)


def _against(rewards: Rewards, baselines: Rewards) -> Advantages:
    return Advantages(rewards - baselines, rewards, baselines)
