"""Soft-SPICE: its formula on graphs of one's own, with the vectors of sentence-transformers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.encoders.test_encoder import of_sentence_transformers
from vericap import evaluate, explain
from vericap.metrics import parse
from vericap.metrics.soft_spice import phrases

CAPTIONS = ["a young girl stands on a court", "a girl plays tennis", "the court is empty"]
GRAPHS = {
    CAPTIONS[0]: "( girl , is , young ) , ( girl , stand on , court )",
    CAPTIONS[1]: "( girl , play , tennis )",
    CAPTIONS[2]: "( court , is , empty )",
}
SAID = ["young girl", "girl", "girl stand on court", "court"]
WANTED = ["girl play tennis", "girl", "tennis", "empty court", "court"]


@pytest.mark.torch
@pytest.mark.parametrize("direction", ["candidate", "both"])
def test_formula(minilm: Path, tmp_path: Path, direction: str) -> None:
    (tmp_path / "graphs.json").write_text(json.dumps(GRAPHS))
    vectors = of_sentence_transformers(minilm, [*SAID, *WANTED])
    cosines = vectors[: len(SAID)] @ vectors[len(SAID) :].T
    right = cosines.max(axis=1).mean()
    if direction == "both":
        right = (right + cosines.max(axis=0).mean()) / 2
    key = f"soft-spice(parser=graphs,source={tmp_path / 'graphs.json'},direction={direction})"
    [found] = evaluate([CAPTIONS[0]], references=[CAPTIONS[1:]], metrics=key).values()
    assert found.captions == pytest.approx([right], abs=1e-5)


def test_phrases_of_a_side_count_once() -> None:
    assert phrases([("dog",), ("dog", "brown"), ("dog",), ("dog", "grass", "be on")]) == [
        "dog", "brown dog", "dog on grass", "grass",
    ]  # fmt: skip


def test_a_caption_of_the_same_graph_scores_one(minilm: Path) -> None:
    found = evaluate(["two brown dogs"], references=[["two brown dogs", "a red car"]], metrics="soft-spice")
    assert found["soft-spice"].score == pytest.approx(1, abs=1e-6)


def test_nothing_said_and_nothing_to_compare_with(minilm: Path) -> None:
    found = evaluate(["very", "a dog"], references=[["a dog"], ["very"]], metrics="soft-spice")["soft-spice"]
    assert found.captions[0] == 0
    assert np.isnan(found.captions[1])


def test_near_words_count_where_spice_sees_none(minilm: Path) -> None:
    found = evaluate(["a physician"], references=[["a hospital"]], metrics="spice-exact,soft-spice")
    assert found["spice-exact"].score == 0
    assert 0.3 < found["soft-spice"].score < 0.9


def test_explanation_and_key(minilm: Path) -> None:
    [found] = explain(["a girl on a court"], references=[["a woman on a court"]], image_id=0, metrics="soft-spice")
    assert "girl → woman" in [part.text for part in found.sections["the caption says"]]
    assert str(parse("soft-spice(direction=both)")) == "soft-spice(direction=both)"
