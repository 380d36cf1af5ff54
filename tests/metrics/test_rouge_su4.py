"""Facts about ROUGE-SU4. Figures in five digits are what ROUGE-1.5.5 prints with -n 1 -u -2 4 -x -f A."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.metrics.rouge_su4 import spell_units
from vericap.text import tokenizers
from vericap.views import Views

CAPTION = st.lists(st.sampled_from("abcdefg"), max_size=12).map(" ".join)
IMAGES = st.lists(st.tuples(CAPTION, st.lists(CAPTION, max_size=4)), min_size=1, max_size=5)


def statistics(key, images, workers=1):
    corpus = Corpus.from_lists([c for c, _ in images], [r for _, r in images])
    return parse(key).statistics(Views(corpus, tokenizer="whitespace", workers=workers))


def score(candidate, *references, key="rouge-su4"):
    return float(parse(key).score(statistics(key, [(candidate, references)]))[0])


CASES = [
    # a, dog, a … dog of the first reference's 5; dog, dog … runs of the second's 2; the candidate has 5.
    ("a dog runs", ["a dog sleeps", "dog runs"], (3 + 2, 5 + 2, 5 + 5), (0.71429, 0.50000, 0.58824)),
    # police, the, police … the, police … gunman, the … gunman; four words make 3 + 3 + 2 + 1 units.
    ("police kill the gunman", ["police killed the gunman"], (5, 9, 9), (0.55556, 0.55556, 0.55556)),
    # the, the … gunman; police and gunman are units of their own only where they are not last.
    ("the gunman kill police", ["police killed the gunman"], (2, 9, 9), (0.22222, 0.22222, 0.22222)),
    # a; six words are between a and h. Eight words make 7 + 7 + 6 + 5 + 4 + 3 units.
    ("a b c d e f g h", ["a h"], (1, 2, 32), (0.50000, 0.03125, 0.05882)),
    # A word alone is last.
    ("dog", ["dog"], (0, 0, 0), (0.0, 0.0, 0.0)),
]


@pytest.mark.parametrize("candidate, references, counts, printed", CASES)
def test_hand_made_cases_are_what_the_original_prints(candidate, references, counts, printed):
    assert statistics("rouge-su4", [(candidate, references)]).tolist() == [list(counts)]
    shared, theirs, ours = counts
    exact = [shared / max(theirs, 1), shared / max(ours, 1), 2 * shared / max(theirs + ours, 1)]
    for measure, value, five_digits in zip(("recall", "precision", "f"), exact, printed, strict=True):
        got = score(candidate, *references, key=f"rouge-su4(measure={measure})")
        assert got == pytest.approx(value, abs=1e-12)
        assert round(got, 5) == five_digits


@given(images=IMAGES, skip=st.integers(-1, 6), workers=st.integers(1, 3))
def test_statistics_are_the_counts_of_units(images, skip, workers):
    """Counted one by one: shared, of the references, of the candidate for each reference."""
    expected = []
    for candidate, references in images:
        ours = spell_units(candidate.split(), skip)
        theirs = [spell_units(reference.split(), skip) for reference in references]
        shared = sum(min(count, other.get(unit, 0)) for other in theirs for unit, count in ours.items())
        expected.append([shared, sum(sum(other.values()) for other in theirs), sum(ours.values()) * len(references)])
    assert statistics(f"rouge-su4(skip={skip})", images, workers).tolist() == expected


@given(images=IMAGES, random=st.randoms())
def test_the_order_of_references_does_not_matter(images, random):
    shuffled = [(c, random.sample(r, len(r))) for c, r in images]
    assert statistics("rouge-su4", images).tolist() == statistics("rouge-su4", shuffled).tolist()


@given(reference=CAPTION)
def test_the_reference_itself_scores_1_if_it_has_two_words(reference):
    assert score(reference, reference) == (1 if len(reference.split()) > 1 else 0)


@given(images=IMAGES)
def test_sharded_is_whole(images):
    whole = statistics("rouge-su4", images)
    assert whole.tolist() == np.concatenate([statistics("rouge-su4", [image]) for image in images]).tolist()


def test_the_last_word_is_not_a_unit_of_its_own():
    """As in ROUGE-1.5.5, where the loop over words ends before the last."""
    assert list(spell_units(["a", "dog"], 4)) == ["a", "a … dog"]


def test_rows_that_share_an_image_share_its_references():
    corpus = Corpus(["x", "x"], ["a b", "b c"], np.array([0, 0]), ["a b c"], np.array([0, 1]))
    metric = parse("rouge-su4")
    # a, a b; b, b c: each 2 of (2 + 5) / 2
    got = metric.score(metric.statistics(Views(corpus, tokenizer="whitespace")))
    assert got == pytest.approx([4 / 7, 4 / 7], abs=1e-12)


def test_no_references_and_no_captions_have_statistics():
    assert statistics("rouge-su4", [("a b", []), ("", ["a b"])]).tolist() == [[0, 0, 0], [0, 2, 0]]
    assert score("a b") == 0
    assert statistics("rouge-su4", []).shape == (0, 3)


def test_explanation_names_the_shared_units():
    views = Views(Corpus.from_lists(["a dog runs"], [["a dog sleeps", "dog runs"]]), tokenizer="whitespace")
    explanation = parse("rouge-su4").explain(views, 0)
    assert explanation.score == pytest.approx(10 / 17)
    assert {part.text: dict(part.values) for part in explanation.sections["shared units"]} == {
        "a": {"reference 1": 1},
        "a … dog": {"reference 1": 1},
        "dog": {"reference 1": 1, "reference 2": 1},
        "dog … runs": {"reference 2": 1},
    }


def test_an_unknown_measure_says_which_there_are():
    with pytest.raises(InputError, match="f, recall, precision"):
        parse("rouge-su4(measure=f2)")


def test_a_thousand_captions_average_as_in_the_original(tokenized):
    """Means of the captions' R, P and F as ROUGE-1.5.5 prints them, in five digits, on COCO's example."""
    tokenizers.register_tokenizer("ROUGE's words", lambda text: re.findall("[a-z0-9]+", text.lower()))
    try:
        views = Views(tokenized("fakecap1000"), tokenizer="ROUGE's words")
        metrics = [parse(f"rouge-su4(measure={measure})") for measure in ("recall", "precision", "f")]
        got = [metric.aggregate(metric.statistics(views)) for metric in metrics]
    finally:
        del tokenizers.TOKENIZERS["ROUGE's words"]
    assert got == pytest.approx([0.12463286, 0.13721398, 0.12634839], abs=1e-6)
