"""What FAIEr lacks is named before any work starts."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.metrics.faier.faier_captions import Make, key, scores
from vericap.errors import InputError


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


def test_a_model_of_another_kind_is_refused(tiny: Make) -> None:
    with pytest.raises(InputError, match=r'field "variant": the model was trained with variant=fier'):
        scores(key(tiny("fier")))
    with pytest.raises(InputError, match=r'field "relations": the model was trained with relations=off'):
        scores(key(tiny(relations=False)))
    with pytest.raises(InputError, match=r"no checkpoint ships for faier\(references=1,variant=fier\+aier\)"):
        scores("faier(references=1,variant=fier+aier)")


def test_torch_is_not_needed() -> None:
    code = (
        "import sys; sys.modules['torch'] = sys.modules['safetensors'] = None\n"
        "from vericap import evaluate\n"
        "found = evaluate({1: 'a dog'}, {1: ['the dog']}, objects={1: ['dog']}, metrics=['faier', 'fier', 'aier'])\n"
        "print(len(found))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"3\n"
