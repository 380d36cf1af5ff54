"""Facts about unigram and smoothed BLEU."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.views import Views

CAPTION = st.lists(st.sampled_from("abcde"), max_size=10).map(" ".join)
IMAGES = st.lists(st.tuples(CAPTION, st.lists(CAPTION, max_size=4)), min_size=1, max_size=5)
KEYS = ["bleu-unigram", "bleu-smoothed", "bleu-smoothed(smoothing=halving)"]


def statistics(key, images):
    corpus = Corpus.from_lists([c for c, _ in images], [r for _, r in images])
    return parse(key).statistics(Views(corpus, tokenizer="whitespace"))


def score(key, candidate, *references):
    return float(parse(key).score(statistics(key, [(candidate, references)]))[0])


def test_unigram_bleu_knows_no_brevity():
    """Papineni's example of a precise fragment."""
    assert score("bleu-unigram", "of the", "of the people by the people") == 1
    assert score("bleu-smoothed", "of the", "of the people by the people") == pytest.approx(np.exp(1 - 6 / 2))


def test_unigram_bleu_clips_by_the_reference_with_most():
    assert score("bleu-unigram", "the the the the the the the", "the cat is on the mat", "the mat") == 2 / 7


def test_the_corpus_score_of_unigram_bleu_sums_words():
    metric = parse("bleu-unigram")
    assert metric.aggregate(statistics("bleu-unigram", [("a", ["b"]), ("a b c", ["a b c"])])) == 3 / 4


def test_one_match_more_above_the_first_order():
    """2 / 5 words, 1 / 4, 0 / 3 and 0 / 2 n-grams, and a reference of 6 words for 5."""
    expected = (2 / 5 * 2 / 5 * 1 / 4 * 1 / 3) ** (1 / 4) * np.exp(1 - 6 / 5)
    assert score("bleu-smoothed", "a b x y z", "a b c d e f") == pytest.approx(expected, abs=1e-12)


def test_halving_gives_half_a_match_then_a_quarter():
    expected = (2 / 5 * 1 / 4 * (1 / 2) / 3 * (1 / 4) / 2) ** (1 / 4) * np.exp(1 - 6 / 5)
    key = "bleu-smoothed(smoothing=halving)"
    assert score(key, "a b x y z", "a b c d e f") == pytest.approx(expected, abs=1e-12)


@given(images=IMAGES.filter(lambda images: all(r and c for c, r in images)))
def test_captions_score_as_in_sacrebleu(images):
    """add-k with k = 1; exp smoothing is halving for captions that have an n-gram of every order."""
    bleu = pytest.importorskip("sacrebleu.metrics").BLEU
    options = {"tokenize": "none", "effective_order": False}
    for candidate, references in images:
        expected = bleu(smooth_method="add-k", smooth_value=1, **options).sentence_score(candidate, references)
        # Without any match sacreBLEU's answer is 0, and ours too.
        assert score("bleu-smoothed", candidate, *references) == pytest.approx(expected.score / 100, abs=1e-9)
        shared = set(candidate.split()) & set(" ".join(references).split())
        if len(candidate.split()) >= 4 and shared:
            expected = bleu(smooth_method="exp", **options).sentence_score(candidate, references)
            got = score("bleu-smoothed(smoothing=halving)", candidate, *references)
            assert got == pytest.approx(expected.score / 100, abs=1e-9)


@pytest.mark.parametrize("key", KEYS)
@given(images=IMAGES, random=st.randoms())
def test_the_order_of_references_does_not_matter(key, images, random):
    shuffled = [(c, random.sample(r, len(r))) for c, r in images]
    assert statistics(key, images).tolist() == statistics(key, shuffled).tolist()


@pytest.mark.parametrize("key", KEYS)
@given(reference=CAPTION)
def test_the_reference_itself_scores_1(key, reference):
    assert score(key, reference, reference) == pytest.approx(1 if reference else 0)


@pytest.mark.parametrize("key", KEYS)
@given(images=IMAGES)
def test_sharded_is_whole(key, images):
    whole = statistics(key, images)
    assert whole.tolist() == np.concatenate([statistics(key, [image]) for image in images]).tolist()
    low, high = parse(key).range
    scores = parse(key).score(whole)
    assert np.all((scores >= low) & (scores <= high))


@pytest.mark.parametrize("key", ["bleu-unigram", "bleu-smoothed"])
def test_without_references_nothing_matches(key):
    assert score(key, "a dog runs") == 0
    assert score(key, "") == 0


def test_explanations_show_precisions():
    views = Views(Corpus.from_lists(["a b x"], [["a b c d"]]), tokenizer="whitespace")
    assert parse("bleu-unigram").explain(views, 0).values == {"precision": "2 / 3"}
    explanation = parse("bleu-smoothed").explain(views, 0)
    assert explanation.values["precision of order 2"] == "1 / 2"
    assert explanation.values["smoothed precision of order 2"] == pytest.approx(2 / 3)
    assert explanation.score == score("bleu-smoothed", "a b x", "a b c d")


def test_an_unknown_smoothing_says_which_there_are():
    with pytest.raises(InputError, match="add-one, halving"):
        parse("bleu-smoothed(smoothing=floor)")
