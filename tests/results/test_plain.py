"""Numbers as JSON has them: what does not exist is null."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vericap
from vericap.results.curve import Curve
from vericap.results.explanation import Explanations
from vericap.results.plain import SCHEMA, finite, plain, versions


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_a_number_is_itself_or_null(number: float) -> None:
    found = finite(number)
    assert found == number if math.isfinite(number) else found is None
    assert json.loads(json.dumps(found, allow_nan=False)) == found


@pytest.mark.parametrize(("given_", "found"), [(None, None), ((0.1, 0.2), [0.1, 0.2]), ([], [])])
def test_an_interval_is_a_list(given_: tuple[float, ...] | None, found: list[float] | None) -> None:
    assert plain(given_) == found


def test_every_result_says_who_wrote_it_and_in_which_shape() -> None:
    references = {1: ["a dog runs"], 2: ["a cat"]}
    captions = {1: "a dog", 2: "a cat"}
    documents = [
        vericap.evaluate(captions, references, metrics="bleu-1").to_dict(),
        vericap.compare({"a": captions, "b": captions}, references, metrics="bleu-1", bootstrap=9).to_dict(),
        Explanations([]).to_dict(),
        Curve("t", "references", "accuracy", [], {}).to_dict(),
    ]
    for document in documents:
        assert list(document)[:2] == ["vericap", "schema"]
        assert (document["vericap"], document["schema"]) == (vericap.__version__, SCHEMA)
    assert versions() == {"vericap": vericap.__version__, "schema": 1}
