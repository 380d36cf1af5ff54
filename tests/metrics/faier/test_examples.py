"""Training data from files: which images are used, and for what."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from vericap.corpus import Regions
from vericap.metrics.faier.config import Config, DataConfig, ModelConfig, TrainingConfig
from vericap.metrics.faier.examples import Prepared, prepare, read_ids, take_regions
from vericap.metrics.faier.words import shipped_vectors

pytestmark = pytest.mark.torch


def test_what_was_left_out_is_what_people_judged(data: Path) -> None:
    """The ids that training must not see are read from every layout they come in."""
    composite = read_ids(data / "composite" / "composite_joined.json")
    karpathy = read_ids(data / "coco_objects" / "karpathy_test_ids.txt")
    val2017 = read_ids(data / "coco_val2017" / "captions_val2017.json")
    assert (len(composite), len(karpathy), len(val2017)) == (3995, 5000, 5000)


@pytest.mark.parametrize(
    "content",
    [
        "42\nCOCO_val2014_000000000007.jpg\n",
        "[42, 7]",
        '[{"image_id": 42}, {"image_id": "7"}]',
        '{"images": [{"id": 42}, {"id": 7}], "annotations": []}',
        '{"annotations": [{"image_id": 7}, {"image_id": 42}]}',
    ],
)
def test_image_ids_are_read_from_every_layout(tmp_path: Path, content: str) -> None:
    (tmp_path / "ids").write_text(content, "utf-8")
    assert read_ids(tmp_path / "ids") == {"42", "7"}


def prepared(folder: Path, seed: int) -> Prepared:
    captions = {image: [f"a dog number {image}", "two cats on a mat"] for image in range(12)}
    rows = [{"image_id": image, "caption": text} for image, own in captions.items() for text in own]
    (folder / "captions.json").write_text(json.dumps({"images": [], "annotations": rows}), "utf-8")
    data = DataConfig("captions.json", validation=3, held_out=2)
    config = Config(ModelConfig("aier"), TrainingConfig("4", seed=seed, batch=4), data)
    return prepare(config, folder, lambda captions: [[("dog", "mat", "on")]] * len(captions), shipped_vectors())


def test_the_split_does_not_depend_on_the_seed(tmp_path: Path) -> None:
    first, second = prepared(tmp_path, 0), prepared(tmp_path, 1)
    for name in ("train", "validation", "held_out"):
        assert getattr(first, name).tolist() == getattr(second, name).tolist()
    rows = np.concatenate([first.train, first.validation, first.held_out])
    assert sorted(rows.tolist()) == list(range(12)) and first.facts["sha256"] == second.facts["sha256"]


def test_an_image_keeps_its_own_captions(tmp_path: Path) -> None:
    examples = prepared(tmp_path, 0).examples
    for image in range(12):
        words = [[examples.words[i] for i in examples.captions.words[row]] for row in examples.captions_of(image)]
        assert words == [f"a dog number {image}".split(), "two cats on a mat".split()]


def test_regions_are_taken_in_the_order_asked_for() -> None:
    regions = Regions([7, 8], np.array([0, 1, 3]), np.arange(6, dtype=np.float32).reshape(3, 2), labels=list("abc"))
    taken = take_regions(regions, np.array([1, 0, 1]), [1, 2, 3])
    assert taken.labels == list("bcabc") and taken.offsets.tolist() == [0, 2, 3, 5]
    assert taken.features.tolist() == [[2, 3], [4, 5], [0, 1], [2, 3], [4, 5]]
