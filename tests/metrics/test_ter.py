"""Facts about the translation edit rate, and sacreBLEU's numbers on any words."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vericap.corpus import Corpus
from vericap.metrics import parse
from vericap.metrics.ter import Script
from vericap.views import Views

WORD = st.sampled_from(["a", "the", "dog", "cat", "red", "runs", "sits", "on", "grass"])
CAPTION = st.lists(WORD, max_size=14).map(" ".join)
IMAGES = st.lists(st.tuples(CAPTION, st.lists(CAPTION, min_size=1, max_size=4)), min_size=1, max_size=5)
LONG = st.integers(2, 40).flatmap(lambda words: st.lists(st.integers(0, words).map(str), max_size=120))


def views(images, workers=1):
    corpus = Corpus.from_lists([c for c, _ in images], [r for _, r in images])
    return Views(corpus, tokenizer="whitespace", workers=workers)


def ter(candidate, *references):
    metric = parse("ter")
    return float(metric.score(metric.statistics(views([(candidate, references)])))[0])


def edits(candidate, *references):
    return parse("ter").statistics(views([(candidate, references)]))[0, 0]


@given(images=IMAGES)
def test_captions_and_corpora_score_as_in_sacrebleu(images):
    original = pytest.importorskip("sacrebleu.metrics").TER()
    metric = parse("ter")
    statistics = metric.statistics(views(images))
    for score, (candidate, references) in zip(metric.score(statistics), images, strict=True):
        expected = original.sentence_score(candidate, references).score
        assert score == pytest.approx(expected / 100, abs=1e-9)
    most = max(len(references) for _, references in images)
    columns = [[references[k] if k < len(references) else None for _, references in images] for k in range(most)]
    expected = original.corpus_score([candidate for candidate, _ in images], columns).score
    assert metric.aggregate(statistics) == pytest.approx(expected / 100, abs=1e-9)


@settings(max_examples=40)
@given(candidate=LONG, reference=LONG, moves=st.lists(st.tuples(*[st.integers(0, 99)] * 3), max_size=3))
def test_long_captions_score_as_in_sacrebleu(candidate, reference, moves):
    """Beyond 24 words the beam can matter, and with many shifts the limit on trials does."""
    translation_edit_rate = pytest.importorskip("sacrebleu.metrics.lib_ter").translation_edit_rate
    moved = list(reference)
    for start, length, to in moves:
        block, moved[start : start + length] = moved[start : start + length], []
        moved[to:to] = block
    for words in (candidate, moved):
        expected, _ = translation_edit_rate(words, reference)
        assert edits(" ".join(words), " ".join(reference)) == expected
        assert Script.between(words, reference).edits == expected


def test_a_beam_around_the_diagonal_can_cost_edits():
    """A word at each end of the candidate is 61 places from its match: within the beam there is no match."""
    translation_edit_rate = pytest.importorskip("sacrebleu.metrics.lib_ter").translation_edit_rate
    words = [f"w{i}" for i in range(60)]
    candidate, reference = [*words, *["x"] * 60], [*["y"] * 60, *words]
    expected, _ = translation_edit_rate(candidate, reference)
    assert edits(" ".join(candidate), " ".join(reference)) == expected


@pytest.mark.parametrize("seed", range(5))
def test_the_search_gives_up_after_a_thousand_shifts_tried(seed):
    """Few different words in long captions: there is no end of blocks that could be shifted."""
    translation_edit_rate = pytest.importorskip("sacrebleu.metrics.lib_ter").translation_edit_rate
    random = Random(seed)
    candidate, reference = random.choices("abc", k=45), random.choices("abc", k=45)
    expected, _ = translation_edit_rate(candidate, reference)
    assert edits(" ".join(candidate), " ".join(reference)) == expected


@given(images=IMAGES, random=st.randoms())
def test_the_order_of_references_does_not_matter(images, random):
    shuffled = [(c, random.sample(r, len(r))) for c, r in images]
    assert parse("ter").statistics(views(images)).tolist() == parse("ter").statistics(views(shuffled)).tolist()


@given(reference=CAPTION)
def test_the_reference_itself_needs_no_edit(reference):
    assert ter(reference, reference) == 0


@given(images=IMAGES, workers=st.integers(1, 6))
def test_sharded_is_whole(images, workers):
    whole = parse("ter").statistics(views(images, workers))
    parts = [parse("ter").statistics(views([image])) for image in images]
    assert whole.tolist() == np.concatenate(parts).tolist()


@given(candidate=CAPTION, reference=CAPTION)
def test_edits_are_at_least_the_words_not_shared_and_at_most_the_longer_caption(candidate, reference):
    ours, theirs = candidate.split(), reference.split()
    longest = max(len(ours), len(theirs))
    shared = sum(min(ours.count(word), theirs.count(word)) for word in set(ours))
    assert longest - shared <= edits(candidate, reference) <= longest


@given(candidate=CAPTION, reference=CAPTION)
def test_the_edit_script_turns_the_candidate_into_the_reference(candidate, reference):
    script = Script.between(candidate.split(), reference.split())
    words = script.shifts[-1].after if script.shifts else candidate.split()
    assert [ours for _, ours, _ in script.steps if ours] == words
    assert sorted(words) == sorted(candidate.split())
    assert [theirs for _, _, theirs in script.steps if theirs] == reference.split()
    assert script.edits == edits(candidate, reference)


def test_a_shift_of_many_words_is_one_edit():
    assert edits("on the green grass a dog runs", "a dog runs on the green grass") == 1


def test_edits_to_the_nearest_reference_are_divided_by_the_mean_length():
    assert ter("a dog runs", "a dog runs fast", "x y z u v w") == pytest.approx(1 / 5)


def test_more_edits_than_words_are_more_than_1():
    assert ter("a dog runs on green grass", "cat") == 6


def test_empty_captions_have_a_defined_score():
    """sacreBLEU's answers; a candidate without any reference counts as against an empty one."""
    assert ter("", "a dog") == 1
    assert ter("a dog", "") == 1
    assert ter("a dog", "", "a dog") == 0
    assert ter("", "") == 0
    assert ter("a dog") == 1
    assert ter("") == 0


def test_the_corpus_score_is_edits_over_length_not_a_mean():
    metric = parse("ter")
    statistics = metric.statistics(views([("a", ["b"]), ("a b c d", ["a b c d"]), ("a", [])]))
    assert metric.aggregate(statistics) == (1 + 0 + 1) / (1 + 4 + 0)
    assert metric.aggregate(statistics, np.array([0.0, 2.0, 0.0])) == 0


def test_no_captions_have_no_statistics():
    assert parse("ter").statistics(views([])).shape == (0, 2)


def test_explanation_draws_shifts_and_edits():
    explanation = parse("ter").explain(views([("on grass a dog runs", ["the dog runs on grass", "cat"])]), 0)
    assert explanation.score == pytest.approx(2 / 3)
    assert [(part.text, dict(part.values)) for part in explanation.sections["shifts"]] == [
        ("on grass", {"from word": 1, "by": 3})
    ]
    assert list(explanation.drawing) == [
        "candidate  [on grass] a dog runs",
        "shift 1    a dog runs [on grass]",
        "",
        "candidate  a    dog  runs  on  grass",
        "edit       sub",
        "reference  the  dog  runs  on  grass",
    ]


def test_lower_is_better_and_there_is_no_upper_end():
    assert parse("ter").range == (0, None)
    assert not parse("ter").higher_is_better


def test_ten_thousand_words_take_a_moment():
    words = " ".join(str(i % 500) for i in range(10_000))
    assert edits(words, "a dog runs", words) == 0
    assert edits("a dog", words) == 10_000
