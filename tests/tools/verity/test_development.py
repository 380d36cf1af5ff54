"""The development rows as a corpus."""

from __future__ import annotations

import pytest

from tools.verity.development import Row, scores, views_of
from vericap.metrics import parse

pytestmark = pytest.mark.torch

ROWS = [
    Row(1, ("a dog runs", "the dog"), "a dog runs", "own", 1.0),
    Row(2, ("a red cat",), "a blue bus", "random", 0.0),
    Row(1, ("a dog runs", "the dog"), "a cat runs", "objects", None),
]


def test_rows_of_a_picture_share_its_references():
    corpus = views_of(ROWS).corpus
    assert corpus.images == 2 and len(corpus) == 3
    assert [corpus.references_of(row) for row in range(3)] == [list(row.references) for row in ROWS]


def test_a_metric_scores_each_row():
    own, other, spoilt = scores(ROWS, parse("rouge-l"))
    assert own == 1 and other < spoilt < own
