"""The scorer of inspect_ai, called with the state of a sample and its target."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import vericap

inspect_ai = pytest.importorskip("inspect_ai", reason="inspect_ai is not installed: pip install inspect_ai")
pytestmark = pytest.mark.filterwarnings("ignore")

CAPTIONS = ["a dog runs", "a red bus"]
REFERENCES = [["a dog runs on grass", "the dog"], ["the bus is red"]]


def scored(caption: str, references: list[str], **options: Any) -> Any:
    from inspect_ai.model import ModelName, ModelOutput
    from inspect_ai.scorer import Target
    from inspect_ai.solver import TaskState

    from vericap.compat.inspect_ai import caption_score

    output = ModelOutput.from_content("mockllm/model", caption)
    state = TaskState(ModelName("mockllm/model"), 1, 1, "Describe the picture.", [], output=output)
    return asyncio.run(caption_score(**options)(state, Target(references)))


def test_a_score_has_value_answer_explanation_and_metadata() -> None:
    expected = vericap.evaluate(CAPTIONS, REFERENCES, metrics="cider-d", df="coco")["cider-d"]
    scores = [scored(caption, references) for caption, references in zip(CAPTIONS, REFERENCES, strict=True)]
    assert [score.value for score in scores] == pytest.approx(expected.captions.tolist())
    assert [score.answer for score in scores] == CAPTIONS
    assert scores[0].metadata["metric"] == "cider-d" and "coco@" in scores[0].metadata["signature"]
    assert "dog" in scores[0].explanation


def test_any_metric_is_a_scorer() -> None:
    assert scored("a dog", ["a dog"], metric="rouge-l").value == pytest.approx(1)


def test_it_is_registered_with_mean_and_standard_error() -> None:
    from inspect_ai._util.registry import registry_info

    from vericap.compat.inspect_ai import caption_score

    assert registry_info(caption_score()).name.endswith("caption_score")
