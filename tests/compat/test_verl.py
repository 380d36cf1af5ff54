"""verl's calls: `compute_score` by keyword for one sample, the plural names for a batch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.reward.captions import IMAGES, REFERENCES, SAMPLES
from vericap.compat.verl import compute_score, compute_score_batch
from vericap.errors import InputError
from vericap.reward import Reward


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("verl") / "references.reward"
    Reward("cider-d", REFERENCES).save(path)
    return path


def test_a_batch_by_image_ids(index: Path) -> None:
    """As verl's batch reward manager calls it: all by keyword, `reward_kwargs` of the configuration at the end."""
    found = compute_score_batch(
        data_sources=["coco"] * len(SAMPLES),
        solution_strs=SAMPLES,
        ground_truths=[None] * len(SAMPLES),
        extra_infos=[{"image_id": image, "split": "train"} for image in IMAGES],
        index=str(index),
    )
    np.testing.assert_array_equal(found, Reward.load(index)(SAMPLES, IMAGES).tolist())
    assert all(type(value) is float for value in found)


def test_one_sample_whose_ground_truth_is_the_image(index: Path) -> None:
    one = compute_score(
        data_source="coco", solution_str=SAMPLES[0], ground_truth=IMAGES[0], extra_info=None, index=index
    )
    assert one == Reward.load(index)(SAMPLES[:1], IMAGES[:1])[0]


def test_references_as_ground_truth() -> None:
    found = compute_score_batch(["coco"], ["a dog runs"], [["a dog runs", "the dog"]], [{}], metric="rouge-l")
    assert found == [1.0]


def test_an_error_rate_is_no_reward() -> None:
    with pytest.raises(InputError, match="ter is better the lower"):
        compute_score("coco", "a dog", ["a dog"], metric="ter")
