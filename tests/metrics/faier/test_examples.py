"""Training data from files: which images are used, for what, and what a batch is drawn from."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.metrics.faier.faier_world import NOUNS, small_world
from vericap.corpus import Regions
from vericap.metrics.faier.config import DataConfig, FaierConfig, ModelConfig, TrainingConfig
from vericap.metrics.faier.examples import Prepared, draw, prepare, read_ids, take_regions
from vericap.metrics.faier.inputs import shipped_vectors
from vericap.metrics.faier.pictures import label_regions


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
    config = FaierConfig(ModelConfig("aier"), TrainingConfig("4", seed=seed, batch=4), data)
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
        words = [[examples.words[i] for i in examples.captions.words[row]] for row in examples.of_image[image]]
        assert words == [f"a dog number {image}".split(), "two cats on a mat".split()]


def test_regions_are_taken_in_the_order_asked_for() -> None:
    regions = Regions([7, 8], np.array([0, 1, 3]), np.arange(6, dtype=np.float32).reshape(3, 2), labels=list("abc"))
    taken = take_regions(regions, np.array([1, 0, 1]), [1, 2, 3])
    assert taken.labels == list("bcabc") and taken.offsets.tolist() == [0, 2, 3, 5]
    assert taken.features.tolist() == [[2, 3], [4, 5], [0, 1], [2, 3], [4, 5]]


def test_references_are_drawn_from_the_others() -> None:
    examples, _ = small_world(40)
    rng = np.random.default_rng(0)
    counts = set()
    for epoch in range(20):
        batch = draw(examples, np.arange(40), epoch, "r", rng, 36)
        for i in range(40):
            drawn = batch.references[i].tolist()
            assert int(batch.candidates[i]) not in drawn and len(set(drawn)) == len(drawn)
        of_batch = set(batch.references.lengths.tolist())
        assert len(of_batch) == 1
        counts |= of_batch
    assert counts == {1, 2, 3, 4}  # none counts as the empty reference


def test_half_of_the_batches_know_fewer_classes() -> None:
    examples, _ = small_world(40)
    assert examples.regions is not None
    vectors = np.random.default_rng(1).normal(size=(9, 4)).astype(np.float32)
    labels = [[NOUNS[k] for k in range(9) if (image >> k) % 2] for image in range(1, 41)]
    regions = label_regions(range(40), labels, lambda words: vectors[[NOUNS.index(word) for word in words]])
    seen = replace(examples, regions=regions)
    rng = np.random.default_rng(0)
    sizes = [len(seen.with_fewer_classes(np.arange(40), 36, 0.01, rng).features) for _ in range(400)]
    # Six classes, each known with a chance between 0 and 1: all are one time in seven, and none one time in seven, when
    # every image keeps what it has.
    assert np.mean([size < len(regions.features) for size in sizes]) == pytest.approx(0.5 * 5 / 7, abs=0.07)
    whole = [len(seen.with_fewer_classes(np.arange(40), 36, 1.0, rng).features) for _ in range(20)]
    assert set(whole) == {len(regions.features)}
