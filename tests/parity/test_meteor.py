"""METEOR is meteor-1.5.jar's: its 23 statistics, scores and corpus scores; the published numbers that rest on it."""

from __future__ import annotations

import csv
import json
import lzma

import numpy as np
import pytest
from scipy.stats import spearmanr

from vericap import evaluate
from vericap.corpus import Corpus
from vericap.metrics.meteor import Meteor
from vericap.views import Views

SETS = ("fakecap1000", "k5k_nn", "pascal1000")


@pytest.fixture(scope="module")
def jar(data):
    """The jar's statistics of a set: for each caption those of the best reference, and of each where there."""

    def read(name):
        with lzma.open(data / "oracle" / "coco" / f"{name}.meteor_stats.jsonl.xz") as lines:
            return [json.loads(line) for line in lines]

    return read


@pytest.mark.slow_when_pure
@pytest.mark.parametrize("name", SETS)
def test_statistics_and_scores_of_every_caption(name, jar, data, oracle, tokenized):
    views = Views(tokenized(name), tokenizer="none", workers=2)
    statistics = Meteor().statistics(views)
    np.testing.assert_array_equal(statistics, [row["best"] for row in jar(name)])
    original = np.load(data / "oracle" / "coco" / f"{name}.npz")["meteor"]
    np.testing.assert_allclose(Meteor().score(statistics), original, rtol=0, atol=1e-12)
    corpus = oracle(f"{name}.corpus")["meteor"]
    assert Meteor().aggregate(statistics) == pytest.approx(corpus, abs=1e-12)


def test_statistics_of_every_pair_of_the_example(jar, tokenized):
    corpus = tokenized("fakecap1000")
    rows = jar("fakecap1000")
    candidates = [corpus.candidates[i] for i, row in enumerate(rows) for _ in row["each"]]
    references = [[text] for i in range(len(corpus)) for text in corpus.references_of(i)]
    assert len(candidates) == 5005
    statistics = Meteor().statistics(Views(Corpus.from_lists(candidates, references), tokenizer="none"))
    np.testing.assert_array_equal(statistics, [each for row in rows for each in row["each"]])


@pytest.mark.slow_when_pure
def test_raw_text_gives_the_corpus_score(oracle):
    given = oracle("fakecap1000.input")
    result = evaluate(given["cands"], given["refs"], metrics="meteor")
    assert result["meteor"].score == pytest.approx(0.19525467, abs=1e-6)


# Table 3 of the CIDEr-R paper, scores × 100: the correct candidates, then the incorrect ones.
TABLE_3 = {
    "correct": [92.5, 53.6, 46.6, 44.1, 25.6, 8.8, 21.8, 15.6, 26.7, 14.4, 22.9, 22.9, 22.9, 22.9, 22.9],
    "incorrect": [47.2, 47.2, 47.2, 47.2, 47.2, 25.9, 25.9, 25.9, 25.9, 25.9, 56.1, 30.9, 24.4, 24.0, 12.2],
}


@pytest.mark.parametrize("side", TABLE_3)
def test_table_3_of_cider_r_to_the_printed_digit(side, data):
    folder = data / "ciderr"
    result = evaluate(
        folder / f"toy_candidate_classification_{side}_candidates.json",
        folder / "toy_candidate_classification_references.json",
        metrics="meteor",
    )
    ours = [f"{100 * score:.1f}" for score in result["meteor"].captions]
    assert ours == [f"{score:.1f}" for score in TABLE_3[side]]


@pytest.mark.slow_when_pure
@pytest.mark.parametrize(
    "tokenizer, metric, rho",
    [
        ("whitespace", Meteor(text="given"), 0.524),  # as published
        ("ptb", Meteor(), 0.560),  # as the authors' repository says of PTB tokens
    ],
)
def test_correlation_with_judgements_of_elliott_and_keller(tokenizer, metric, rho, data):
    """Table 1, Flickr8K, the three judges apart; the study took the text as it was written."""
    folder = data / "elliott_keller_2014"
    rows = list(csv.DictReader((folder / "judgements").read_text("utf-8").splitlines()))
    names = ("candidates", *(f"ref-{k}" for k in range(5)))
    candidates, *references = [(folder / n).read_text("utf-8").split("\n")[: len(rows)] for n in names]
    human = np.array([[int(row[judge]) for row in rows] for judge in ("j1", "j2", "j3")]).ravel()
    corpus = Corpus.from_lists(candidates, list(zip(*references, strict=True)))
    scores = metric.score(metric.statistics(Views(corpus, tokenizer=tokenizer, workers=2)))
    assert round(spearmanr(np.tile(scores, 3), human).statistic, 3) == rho
