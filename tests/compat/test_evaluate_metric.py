"""The module of Hugging Face evaluate, loaded from its path as a user would."""

from __future__ import annotations

from pathlib import Path

import pytest

import vericap

evaluate = pytest.importorskip("evaluate")
pytestmark = pytest.mark.filterwarnings("ignore")

CAPTIONS = ["a dog runs on grass", "a red bus"]
REFERENCES = [["a brown dog runs on the grass", "the dog"], ["the bus is red", "a bus"]]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    from vericap.compat.evaluate_metric import PATH

    monkeypatch.setenv("HF_EVALUATE_OFFLINE", "1")
    return evaluate.load(PATH, cache_dir=str(tmp_path), experiment_id="test")


def test_it_computes_what_evaluate_of_vericap_does(module) -> None:  # type: ignore[no-untyped-def]
    found = module.compute(predictions=CAPTIONS, references=REFERENCES, metrics="cider-d,bleu-2")
    result = vericap.evaluate(CAPTIONS, REFERENCES, metrics="cider-d,bleu-2")
    assert found == {key: pytest.approx(result[key].score) for key in ("cider-d", "bleu-2")}


def test_batches_are_added_up(module) -> None:  # type: ignore[no-untyped-def]
    for caption, references in zip(CAPTIONS, REFERENCES, strict=True):
        module.add(prediction=caption, reference=references)
    result = vericap.evaluate(CAPTIONS, REFERENCES, metrics="rouge-l")
    assert module.compute(metrics="rouge-l") == {"rouge-l": pytest.approx(result["rouge-l"].score)}
