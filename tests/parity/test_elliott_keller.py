"""Elliott and Keller (2014), Table 1, Flickr8K: Spearman's correlation of caption scores with human judgements, the
three judges kept apart. docs/elliott-keller.md has all preparations and readings."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy.stats import spearmanr

from vericap.judging import load
from vericap.metrics import parse
from vericap.text import tokenizers
from vericap.views import Views

PREPARATIONS = {
    "as written": str.split,
    "lower-cased": lambda text: text.lower().split(),
    "ROUGE's words": lambda text: re.findall("[a-z0-9]+", text.lower()),
}


@pytest.fixture(scope="module")
def study(data):
    judged, _ = load("elliott-keller", data)
    assert judged.judgements == 17_466
    return judged.corpus(judged.references), judged.human.T.ravel()


@pytest.fixture(scope="module")
def prepared(study):
    for name, tokenize in PREPARATIONS.items():
        tokenizers.register_tokenizer(name, tokenize)
    yield {name: Views(study[0], tokenizer=name) for name in PREPARATIONS}
    for name in PREPARATIONS:
        del tokenizers.TOKENIZERS[name]


def rho(scores, human):
    return spearmanr(np.tile(scores, 3), human).statistic


@pytest.mark.parametrize(
    "key, text, published",
    [
        ("bleu-smoothed", "as written", 0.429),
        ("rouge-su4", "ROUGE's words", 0.435),
        ("ter", "as written", -0.279),
        ("ter", "lower-cased", -0.279),
    ],
)
def test_the_metrics_correlate_as_published(key, text, published, prepared, study):
    metric = parse(key)
    assert rho(metric.score(metric.statistics(prepared[text])), study[1]) == pytest.approx(published, abs=0.02)


def test_smoothed_bleu_of_the_studys_program_gives_the_published_digits(prepared, study):
    metric = parse("bleu-smoothed(smoothing=halving)")
    scores = metric.score(metric.statistics(prepared["as written"]))
    assert round(rho(np.round(100 * scores, 2), study[1]), 3) == 0.429


def test_unigram_bleu_as_the_studys_program_prints_it_gives_the_published_digits(prepared, study):
    """MultEval's bleu1p: the brevity penalty and the fourth root of the precision, in two digits."""
    metric = parse("bleu-smoothed(n=1,smoothing=halving)")
    statistics = metric.statistics(prepared["as written"])
    precision = metric.precisions(statistics)[:, 0]
    bleu1p = metric.score(statistics) / precision**0.75
    assert round(rho(np.round(bleu1p, 2), study[1]), 3) == 0.345


def test_unigram_precision_itself_correlates_better_than_published(prepared, study):
    metric = parse("bleu-unigram")
    assert rho(metric.score(metric.statistics(prepared["as written"])), study[1]) > 0.44


def test_ter_as_the_studys_program_prints_it_gives_the_published_digits(prepared, study):
    """MultEval cuts the mean reference length to an integer."""
    edits, length = parse("ter").statistics(prepared["lower-cased"]).T
    assert round(rho(np.round(100 * edits / np.floor(length), 2), study[1]), 3) == -0.279
