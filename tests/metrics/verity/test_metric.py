"""Verity as a metric: bounds, edges, notes, and the same bits in any order."""

from __future__ import annotations

import math

import numpy as np
import pytest

import vericap
from tests.metrics.verity.models import write_small
from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.metrics.verity import Verity, VerityAdequacy, VerityFidelity, metric
from vericap.reward import Reward
from vericap.views import Views

SURFER = [
    "A man riding a wave on top of a surfboard.",
    "A surfer rides a large wave in the ocean.",
    "a person on a surf board riding a wave",
    "A man surfing on a wave.",
    "A man in a wet suit riding a surfboard.",
]
KITCHEN = [
    "A kitchen with a stove and a refrigerator.",
    "A small kitchen has white cabinets and a stove.",
    "a kitchen with a white oven and a sink",
]
GOOD, WRONG = "a man surfs a wave in the ocean", "a woman is cooking in a kitchen"


VERITY = Verity()


def scores(captions, references, metric=VERITY, **settings):
    views = Views(Corpus.from_lists(captions, references), **settings)
    return metric.score(metric.statistics(views))


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("verity")
    write_small(folder)
    return str(folder)


def test_a_caption_belongs_to_its_own_picture():
    own, swapped = scores([GOOD, WRONG], [SURFER, KITCHEN]), scores([GOOD, WRONG], [KITCHEN, SURFER])
    assert own[0] > 0.5 and (swapped < 0.1).all() and (own > 10 * swapped).all()


@pytest.mark.parametrize(("right", "wrong"), [("ocean", "kitchen"), ("a man", "a dog"), ("a man", "no man")])
def test_one_wrong_word_costs(right, wrong):
    right, wrong = scores([GOOD, GOOD.replace(right, wrong)], [SURFER] * 2)
    assert right > wrong


def test_a_caption_without_a_word_has_no_merit_and_a_score():
    assert (scores(["", " ", "."], [SURFER] * 3) < 1e-3).all()


def test_without_a_word_in_the_references_there_is_no_score():
    found = scores([GOOD, GOOD], [["", "..."], ["", SURFER[0]]])
    assert math.isnan(found[0]) and found[1] > 0
    result = vericap.evaluate([GOOD, GOOD], [["", "."], SURFER], metrics="verity")
    assert any("verity is undefined for 1 of 2 captions" in note for note in result.notes)
    assert result["verity"].score == result["verity"].captions[1]


@pytest.mark.parametrize("number", [1, 2, 50])
def test_any_number_of_references(number):
    references = (SURFER * 10)[:number]
    right, wrong = scores([GOOD, WRONG], [references] * 2)
    assert 0 <= wrong < right <= 1


@pytest.mark.bits
def test_the_same_bits_in_any_order_chunk_and_thread(small, monkeypatch):
    captions = [f"{a} {b}" for a in ("a dog", "two cats", "the man's ball", "red") for b in ("runs", "sits", "in", "")]
    references = [["a dog runs", "the dog"], ["two cats sit.", "cats", "a man"], ["a dog runs", "the dog"]]
    given = [references[i % 3] for i in range(len(captions))]
    one = Verity(small)
    whole = scores(captions, given, one)
    monkeypatch.setattr(metric, "_CHUNK", 3)
    assert np.array_equal(whole, scores(captions, given, one))
    assert np.array_equal(whole, scores(captions, given, one, workers=4))
    assert np.array_equal(whole, scores(captions[::-1], given[::-1], one)[::-1])
    assert np.array_equal(whole[5:6], scores(captions[5:6], given[5:6], one))


@pytest.mark.bits
def test_candidates_that_share_a_picture(small):
    corpus = Corpus([1, 2, 1], ["a dog", "a cat", "a man"], np.array([0, 1, 0]), ["a dog", "two cats"], np.arange(3))
    found = Verity(small).score(Verity(small).statistics(Views(corpus)))
    apart = scores(["a dog", "a cat", "a man"], [["a dog"], ["two cats"], ["a dog"]], Verity(small))
    assert np.array_equal(found, apart)


def test_what_is_cut_off_is_counted(small):
    long = "dog " * 30
    views = Views(Corpus.from_lists([long, long, "dog"], [["dog"], [long, "dog"], [long]]))
    Verity(small).statistics(views)
    said = "verity: 2 captions and 2 references are longer than 18 word pieces; the rest is not read"
    assert views.notes == (said,)


def test_parts_are_numbers_of_their_own():
    # Says little, but nothing wrong; says all, and more than there is.
    brief, chatty = "a man", "A man riding a wave on a surfboard while a giraffe eats pizza in the bathroom"
    fidelity = scores([brief, chatty], [SURFER] * 2, VerityFidelity())
    adequacy = scores([brief, chatty], [SURFER] * 2, VerityAdequacy())
    assert fidelity[0] > fidelity[1] and adequacy[0] < adequacy[1]
    assert (scores([""], [SURFER], VerityFidelity()) == 0).all()
    details = vericap.evaluate([brief, chatty], [SURFER] * 2, metrics="verity")["verity"].details
    assert details["fidelity"] == pytest.approx(fidelity.mean())
    assert details["adequacy"] == pytest.approx(adequacy.mean())


def test_the_logit_is_that_of_the_probability():
    probability = scores([GOOD, WRONG], [SURFER] * 2)
    logit = scores([GOOD, WRONG], [SURFER] * 2, Verity(scale="logit"))
    assert np.log(probability / (1 - probability)) == pytest.approx(logit)
    assert Verity(scale="logit").range == (None, None)


def test_keys_parse_back_and_signatures_name_the_model(small):
    for key in ("verity", "verity.fidelity", "verity.adequacy", "verity(scale=logit)"):
        assert str(parse(key)) == key
    views = Views(Corpus.from_lists([GOOD], [SURFER]))
    ours, small_one = (Verity(model).signature(views) for model in ("", small))
    assert ours.split("|")[1:] != small_one.split("|")[1:]


def test_another_language_is_refused():
    with pytest.raises(InputError, match="trained on English"):
        Verity().check(Views(Corpus.from_lists(["ein Hund"], [["ein Hund"]]), language="de"))


def test_a_reward_is_the_score():
    reward = Reward("verity", {1: SURFER, 2: KITCHEN})
    captions, images = [GOOD, WRONG, "a man surfing", ""], [1, 2, 2, 1]
    expected = scores(captions, [{1: SURFER, 2: KITCHEN}[image] for image in images])
    assert reward(captions, images) == pytest.approx(expected, abs=1e-6)
    assert reward.parts(captions, images)["verity"].tolist() == expected.tolist()


def test_a_reward_takes_words_and_numbers():
    reward = Reward("verity", {1: SURFER}, vocabulary=["<end>", "a", "man", "surfing"])
    written, words, numbers = (reward([each], [1]) for each in ("a man surfing", ["a", "man", "surfing"], [1, 2, 3]))
    assert written == words == numbers


def test_an_index_of_words_alone_is_not_enough():
    with pytest.raises(InputError, match="reads references as they are written"):
        Reward("rouge-l", {1: SURFER}).with_metrics("verity")


def test_a_saved_reward_keeps_the_texts(tmp_path):
    reward = Reward({"verity": 1.0}, {1: SURFER, 2: KITCHEN})
    reward.save(tmp_path / "reward")
    assert Reward.load(tmp_path / "reward")([GOOD], [1]) == reward([GOOD], [1])


def test_weights_fitted_to_judgements_are_marked_as_such():
    captions, references = [GOOD, WRONG], [SURFER, SURFER]
    result = vericap.evaluate(captions, references, metrics=["verity", "verity(tuned=without-composite)"])
    key = "verity(tuned=without-composite)"
    assert result[key].captions[0] > 0.5 > result[key].captions[1]
    assert result[key].captions[0] != result["verity"].captions[0]
    (note,) = [note for note in result.notes if "human judgements" in note]
    assert "flickr8k-expert" in note and "composite" not in note.replace(key, "")


def test_a_tuning_that_is_not_there_is_refused():
    with pytest.raises(InputError, match="no weights tuned to 'nebula'"):
        vericap.evaluate([GOOD], [SURFER], metrics="verity(tuned=nebula)")
