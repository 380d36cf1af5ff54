"""Facts about BLEU, ROUGE-L and the CIDErs that hold for any captions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap import evaluate
from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.views import Views

KEYS = ["bleu-1", "bleu-4", "rouge-l", "cider", "cider-d", "cider-r"]
WORD = st.sampled_from(["a", "the", "dog", "cat", "red", "runs", "sits", "on", "grass"])
CAPTION = st.lists(WORD, max_size=12).map(" ".join)
IMAGE = st.tuples(CAPTION, st.lists(CAPTION, min_size=1, max_size=4))
IMAGES = st.lists(IMAGE, min_size=2, max_size=6)


def statistics(key, images, workers=1):
    corpus = Corpus.from_lists([c for c, _ in images], [r for _, r in images])
    return parse(key).statistics(Views(corpus, tokenizer="whitespace", workers=workers))


@pytest.mark.parametrize("key", KEYS)
@given(images=IMAGES, random=st.randoms())
def test_the_order_of_references_does_not_matter(key, images, random):
    shuffled = [(c, random.sample(r, len(r))) for c, r in images]
    np.testing.assert_allclose(statistics(key, images), statistics(key, shuffled), atol=1e-12)


@pytest.mark.parametrize("key", KEYS)
@given(images=IMAGES)
def test_scores_stay_in_the_stated_range(key, images):
    metric = parse(key)
    low, high = metric.range
    scores = metric.score(statistics(key, images))
    assert np.all(scores >= low) and np.all(scores <= high + 1e-9)


@pytest.mark.parametrize("key", KEYS)
@given(images=IMAGES)
def test_no_caption_scores_above_the_reference_itself(key, images):
    """With one reference, the reference is the best caption there can be."""
    images = [(c, r[:1]) for c, r in images]
    metric = parse(key)
    ideal = metric.score(statistics(key, [(r[0], r) for _, r in images]))
    assert np.all(metric.score(statistics(key, images)) <= ideal + 1e-8)


@pytest.mark.parametrize("key", ["bleu-4", "rouge-l"])
@given(images=IMAGES)
def test_sharded_is_whole(key, images):
    whole = statistics(key, images)
    np.testing.assert_allclose(whole, np.concatenate([statistics(key, [image]) for image in images]), atol=1e-12)


@pytest.mark.parametrize("key", KEYS)
def test_any_number_of_workers_gives_the_same_bytes(key, tokenized):
    views = [Views(tokenized("fakecap1000"), tokenizer="none", workers=w) for w in (1, 2, 5)]
    one, *more = [parse(key).statistics(v).tobytes() for v in views]
    assert all(other == one for other in more)


def test_bleu_clips_by_the_reference_with_most():
    """Papineni's example: seven times "the" is credited twice."""
    [[*_, matches, guesses]] = statistics(
        "bleu-1", [("the the the the the the the", ["the cat is on the mat", "there is a cat on the mat"])]
    ).tolist()
    assert (matches, guesses) == (2, 7)


def test_bleu_takes_the_shorter_of_two_references_equally_near():
    assert statistics("bleu-1", [("a b c d", ["a b c", "a b c d e"])])[0, 1] == 3


def test_rouge_l_takes_best_precision_and_best_recall_of_different_references():
    [[precision, recall]] = statistics("rouge-l", [("a b c d", ["a b c x y z", "a b"])]).tolist()
    assert (precision, recall) == (3 / 4, 2 / 2)


def test_rouge_l_of_empty_against_empty_is_1():
    metric = parse("rouge-l")
    assert metric.score(statistics("rouge-l", [("", [""]), ("", ["a dog"])])).tolist() == [1.0, 0.0]


def test_rouge_l_with_more_words_than_there_are_characters(monkeypatch, tokenized):
    from vericap.metrics import rouge_l

    corpus = tokenized("fakecap1000")
    usual = parse("rouge-l").statistics(Views(corpus, tokenizer="none"))
    monkeypatch.setattr(rouge_l, "CHARACTERS", 100)
    np.testing.assert_array_equal(usual, parse("rouge-l").statistics(Views(corpus, tokenizer="none")))


def test_cider_of_one_image_with_corpus_frequencies_is_undefined_and_says_so():
    for key in ("cider", "cider-d", "cider-r"):
        with pytest.raises(InputError, match=r"of one image is undefined.*--df coco"):
            evaluate({1: "a dog"}, {1: ["a dog"]}, metrics=key)


def test_a_set_of_metrics_leaves_out_what_is_undefined_and_says_which():
    result = evaluate({1: "a dog"}, {1: ["a dog"]}, metrics="default")
    assert "bleu-4" in result and "cider-d" not in result
    assert any("cider-d left out" in note for note in result.notes)


def test_words_in_every_image_weigh_nothing_in_cider():
    images = [("a dog", ["a dog"]), ("a cat", ["a bird"])]
    scores = parse("cider(n=1)").score(statistics("cider(n=1)", images))
    assert scores.tolist() == pytest.approx([10, 0])


def test_metrics_that_compare_say_so_when_there_is_nothing_to_compare_with():
    with pytest.raises(InputError, match=r"bleu-1 compares with reference captions.*--references"):
        evaluate({1: "a dog"}, metrics="bleu-1")


def test_that_no_references_were_given_is_said_once_for_all_metrics_left_out():
    compared = "bleu-1, bleu-2, bleu-3, bleu-4, meteor, rouge-l, cider-d, cider-r, spice"
    said = f"no references were given, so these were left out: {compared}; add --references FILE"
    with pytest.raises(InputError, match=said):
        evaluate({1: "a dog"}, metrics="default")
    result = evaluate({1: "a dog"}, metrics="default,fluency")
    [note] = result.notes
    assert list(result) == ["fluency"] and note.startswith(said)


def test_an_image_without_references_counts_as_zero_where_asked():
    result = evaluate(
        {1: "a dog runs", 2: "a cat sits", 3: "a bird"},
        {1: ["a dog runs"], 2: ["a cat sits"]},
        metrics="bleu-1,rouge-l,cider-d",
        missing="zero",
    )
    assert result["rouge-l"].score == pytest.approx(2 / 3)
    assert result["bleu-1"].score == pytest.approx(6 / 8, abs=1e-6)
    for key in result:
        assert result[key].captions[2] == pytest.approx(0, abs=1e-6)
