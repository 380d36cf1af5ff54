"""The development rows as a corpus."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="needs the extra `neural`")
from tools.verity.development import Row, flickr8k_captions, scores, views_of
from vericap.metrics import parse

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


def test_no_picture_of_flickr8k_is_one_of_a_test_benchmark(data):
    images = set(flickr8k_captions(data / "flickr8k").images)
    assert len(images) > 5000
    for name in ("ExpertAnnotations.txt", "CrowdFlowerAnnotations.txt"):
        for line in (data / "flickr8k" / name).read_text("utf-8").splitlines():
            shown, written_for = line.split("\t")[:2]
            assert not {int(shown.partition("_")[0]), int(written_for.partition("_")[0])} & images
