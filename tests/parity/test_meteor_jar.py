"""Tokens, alignments and scores of meteor-1.5.jar on lines written for Vericap, in nine languages: meteor_jar.jsonl has
what the jar wrote with -writeAlignments (links: reference start and length, caption start and length, matcher)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from vericap.corpus import Corpus
from vericap.lexicon.matching import MODULES
from vericap.metrics.meteor import Meteor
from vericap.views import Views

LINES = [json.loads(line) for line in (Path(__file__).parent / "meteor_jar.jsonl").read_text("utf-8").splitlines()]
LANGUAGES = sorted({line["language"] for line in LINES})


@pytest.fixture(scope="module", params=LANGUAGES)
def compared(request):
    lines = [line for line in LINES if line["language"] == request.param]
    metric = Meteor(language=request.param)
    corpus = Corpus.from_lists([x["caption"] for x in lines], [[x["reference"]] for x in lines])
    return metric, lines, Views(corpus, tokenizer="none", language=request.param)


def test_tokens_and_links(compared):
    metric, lines, views = compared
    matched = views.get(metric.matching)
    for row, line in enumerate(lines):
        assert matched.spell(row) == line["caption_tokens"]
        assert matched.spell(len(lines) + row) == line["reference_tokens"]
        links, _ = matched.links(row, len(lines) + row)
        # The jar numbers the matchers that are in use; in the languages here they come in the same order.
        ours = [[x.reference_start, x.reference_words, x.start, x.words, MODULES.index(x.module)] for x in links]
        assert ours == line["links"]


def test_scores(compared):
    metric, lines, views = compared
    scores = metric.score(metric.statistics(views))
    np.testing.assert_allclose(scores, [line["score"] for line in lines], rtol=0, atol=1e-12)
