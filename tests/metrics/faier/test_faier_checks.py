"""What FAIEr lacks is named before any work starts."""

from __future__ import annotations

import pytest

from tests.metrics.faier.faier_captions import CAPTIONS, OBJECTS, REFERENCES, Make, key, scores
from vericap import evaluate
from vericap.errors import InputError


@pytest.mark.torch
def test_what_is_lacking_is_named(tiny: Make) -> None:
    metric = key(tiny())
    with pytest.raises(InputError, match=r"neither its objects nor its regions were given; add --objects FILE or"):
        scores(metric, objects=None)
    with pytest.raises(InputError, match="trained on English"):
        scores(metric, language="de", tokenizer="unicode")
    with pytest.raises(InputError, match="compares with reference captions"):
        scores(key(tiny("aier", references="4"), "aier"), references=None)
    fixed = key(tiny(references="4"), references="4")
    with pytest.raises(InputError, match="was trained with references, and some images have none"):
        scores(fixed, references=None)


@pytest.mark.torch
def test_a_model_of_another_kind_is_refused(tiny: Make) -> None:
    with pytest.raises(InputError, match=r'field "variant": the model was trained with variant=fier'):
        scores(key(tiny("fier")))
    with pytest.raises(InputError, match=r'field "relations": the model was trained with relations=off'):
        scores(key(tiny(relations=False)))
    with pytest.raises(InputError, match=r"no checkpoint ships for faier\(references=1,variant=fier\+aier\)"):
        scores("faier(references=1,variant=fier+aier)")


def test_without_torch_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vericap.encoders.installed.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"torch is not installed; pip install 'vericap\[neural\]'"):
        scores("faier")
    result = evaluate(CAPTIONS, REFERENCES, objects=OBJECTS, metrics="all", missing="zero")
    assert "faier" not in result
    assert any(note.startswith("faier left out:") and "vericap[neural]" in note for note in result.notes)
