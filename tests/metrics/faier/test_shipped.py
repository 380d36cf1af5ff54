"""The checkpoints that ship: what they are, how large, and that they tell a right caption from a wrong one."""

from __future__ import annotations

import json

import numpy as np
import pytest

from vericap.data import FOLDER
from vericap.metrics.faier.scenes import Caption, Scenes
from vericap.metrics.faier.scorer import FaierScorer

NAMES = ("faier", "fier", "aier")


def test_they_are_small() -> None:
    assert sum(file.stat().st_size for file in (FOLDER / "faier").rglob("*") if file.is_file()) <= 16_000_000


@pytest.mark.parametrize("name", NAMES)
def test_they_say_how_they_were_made(name: str) -> None:
    about = json.loads((FOLDER / "faier" / name / "model.json").read_text("utf-8"))
    assert about["config"]["model"]["variant"] == name
    facts = about["data"]
    parts = ("left_out", "without_regions", "train", "validation", "held_out")
    assert facts["captioned_images"] == sum(facts[part] for part in parts)
    assert facts["train"] > facts["left_out"] > facts["validation"] == facts["held_out"] == 1000
    assert about["curve"] and about["step"] in [row["step"] for row in about["curve"]]
    assert not any("/" in path for path in (about["config"]["data"]["captions"], about["config"]["data"]["objects"]))


@pytest.mark.parametrize("name", NAMES)
def test_a_right_caption_beats_a_wrong_one(name: str) -> None:
    scorer = FaierScorer.load(FOLDER / "faier" / name)
    right = Caption.of("a man riding a horse on a beach".split(), [("man", "horse", "ride"), ("man", "beach", "on")])
    wrong = Caption.of("a plate of pizza on a table".split(), [("plate", "table", "on")])
    reference = Caption.of("a person rides a brown horse".split(), [("person", "horse", "ride")])
    regions = scorer.label_regions([["person", "horse"]])
    references = [[]] if name == "faier" else [[reference]]
    found = scorer.score(Scenes([right, wrong], np.array([0, 0]), references, regions, np.array([0])))
    assert found.total[0] > found.total[1] + 0.2
