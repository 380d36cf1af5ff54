"""Lists side by side are scored as `evaluate` scores them."""

from __future__ import annotations

import numpy as np
import pytest

import vericap
from vericap.compat.aligned import frequencies, measured
from vericap.errors import InputError

CAPTIONS = ["a dog runs on grass", "a red bus"]
REFERENCES = [["a brown dog runs on the grass", "the dog"], ["the bus is red"]]


@pytest.mark.parametrize("df", ["corpus", "coco"])
def test_the_numbers_are_those_of_evaluate(df: str) -> None:
    run = measured(CAPTIONS, REFERENCES, "cider-d,bleu-2", df=df)
    result = vericap.evaluate(CAPTIONS, REFERENCES, metrics="cider-d,bleu-2", df=df)
    for key in run:
        np.testing.assert_allclose(run[key].scores, result[key].captions, rtol=1e-12)
        assert run[key].aggregate == pytest.approx(result[key].score, rel=1e-12)


def test_one_reference_may_be_a_string() -> None:
    assert measured(["a dog"], ["a dog"], "bleu-1")["bleu-1"].scores[0] == pytest.approx(1)


def test_a_table_is_read_once() -> None:
    assert frequencies("coco") is frequencies("coco")
    assert frequencies("corpus") is None


@pytest.mark.parametrize(
    ("captions", "references", "message"),
    [
        (["a", 3], [["a"], ["b"]], "row 1: .* not a string"),
        (["a", "b"], [["a"], []], "row 1: .* no references"),
        (["a", "b"], [["a"]], "2 candidates but 1"),
    ],
)
def test_wrong_rows_are_named(captions: list, references: list, message: str) -> None:
    with pytest.raises(InputError, match=message):
        measured(captions, references, "bleu-1")
