"""Objects of the picture beside references, and instead of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import vericap
from vericap.corpus import Corpus, Objects
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.metrics.verity import Verity
from vericap.metrics.verity.matching import EncodedReferences, Text, gather_references
from vericap.metrics.verity.model import load
from vericap.metrics.verity.objects import match_objects, object_pieces
from vericap.views import Views

PARK = ["A man sits on a bench.", "A man in a park reads a newspaper.", "someone is sitting outdoors"]
WITH_DOG = "a man on a bench with a dog"
JOIN = "verity(objects=join)"


def evaluate(captions, references=None, metrics=JOIN, **given):
    ids = range(len(captions))
    references = None if references is None else dict(zip(ids, references, strict=True))
    return vericap.evaluate(dict(zip(ids, captions, strict=True)), references, metrics=metrics, **given)


def unit(*rows):
    return np.array(rows, np.float32)


def text(vectors, weights):
    return Text(unit(*vectors), np.array(weights, np.float32), unit([1, 0])[0])


@pytest.mark.bits
def test_a_dog_that_the_picture_shows_and_nobody_mentions_is_supported():
    objects = {0: ["person", "dog", "bench", "dog"]}
    found = evaluate([WITH_DOG], [PARK], ["verity", JOIN], objects=objects)
    assert found[JOIN].captions[0] > found["verity"].captions[0]
    assert found[JOIN].details["fidelity"] > found["verity"].details["fidelity"]
    assert found[JOIN].details["adequacy"] == found["verity"].details["adequacy"]
    (why,) = vericap.explain({0: WITH_DOG}, {0: PARK}, image_id=0, metrics=JOIN, objects=objects)
    (dog,) = [part for part in why.sections["words of the caption"] if part.text == "dog"]
    assert (dog.values["nearest"], dog.values["reference"]) == ("dog", "the picture")
    assert "dog" not in [part.text for part in why.sections["words without support"]]
    assert why.score == found[JOIN].score


def test_an_object_that_the_caption_does_not_mention_costs_nothing_beside_references():
    objects = [{0: ["bench"]}, {0: ["bench", "giraffe"]}]
    few, more = (evaluate(["a man on a bench"], [PARK], objects=given)[JOIN].score for given in objects)
    assert more == pytest.approx(few, abs=0.02) and more >= few


def test_unless_they_join_objects_change_nothing():
    plain = evaluate([WITH_DOG], [PARK], "verity")["verity"]
    beside = evaluate([WITH_DOG], [PARK], "verity", objects={0: ["dog"]})["verity"]
    assert (beside.score, beside.signature) == (plain.score, plain.signature)
    none = evaluate([WITH_DOG], [PARK], objects={0: []})[JOIN]
    assert none.score == plain.score


def test_the_signature_names_the_objects():
    signatures = [evaluate([WITH_DOG], [PARK], objects={0: [label]})[JOIN].signature for label in ("dog", "cat")]
    assert all("|objects:join " in signature for signature in signatures) and len(set(signatures)) == 2
    assert str(parse(JOIN)) == JOIN


def test_without_objects_the_error_names_the_option():
    with pytest.raises(InputError, match="--objects FILE"):
        evaluate([WITH_DOG], [PARK])


def test_object_words_are_english():
    corpus = Corpus(["a"], ["ein Hund"], np.array([0]), objects=Objects(("dog",), np.array([0]), np.array([0, 1])))
    with pytest.raises(InputError, match="English"):
        Verity(objects="join").check(Views(corpus, language="de"))


def test_without_references_captions_are_ordered_by_the_objects():
    captions = ["a man walks his puppy", "a man", "a cat on a couch", "a giraffe eats pizza", ""]
    shown = {image: ["person", "dog"] for image in range(5)}
    result = evaluate(captions, objects=shown)
    both, one, other, none, empty = result[JOIN].captions
    assert 1 >= both > one > max(other, none) and empty == 0 <= min(other, none)
    assert any("5 captions have no reference" in note and "not trained" in note for note in result.notes)
    assert "summands" not in result[JOIN].details


def test_a_caption_without_an_object_word_has_its_recall():
    (why,) = vericap.explain({0: "walking in the rain"}, image_id=0, metrics=JOIN, objects={0: ["umbrella"]})
    assert str(why.values["precision"]).startswith("undefined") and why.score == why.values["recall"]


def test_a_picture_without_references_and_objects_has_no_score():
    shown = {0: ["dog"], 1: ["dog"], 2: []}
    found = evaluate(["a dog", "a dog", "a dog"], [["the dog"], [], []], objects=shown, missing="zero")
    scores = found[JOIN].captions
    assert scores[0] > 0 and scores[1] > 0.5 and math.isnan(scores[2])
    assert any("1 caption has no reference" in note for note in found.notes)


def test_the_logit_by_objects_alone_is_finite_and_keeps_the_order():
    shown = {image: ["person", "dog"] for image in range(3)}
    captions = ["a man with a dog", "a giraffe", ""]
    key = "verity(scale=logit,objects=join)"
    found = evaluate(captions, metrics=[JOIN, key], objects=shown)
    assert np.isfinite(found[key].captions).all() and (np.diff(found[key].captions) < 0).all()
    assert 1 / (1 + np.exp(-found[key].captions[:2])) == pytest.approx(found[JOIN].captions[:2])


def test_object_words_are_those_of_chair():
    caption = "Two puppies near a traffic light, outdoors"
    pieces = object_pieces(load().encoder, caption)
    ids = load().encoder.tokens([caption])
    spelled = [caption[first:last] for first, last in ids.spans(0)[1:-1]]
    assert "".join(part for part, own in zip(spelled, pieces, strict=True) if own) == "puppiestrafficlight"


def test_precision_is_weighted_and_recall_averaged_over_labels():
    # Pieces: an object word between two labels, one of three times its weight that is a label, and another word.
    caption = text([[0.6, 0.8], [1, 0], [0, -1]], [1, 3, 5])
    objects = gather_references([text([[1, 0]], [2]), text([[0, 1]], [2])])
    assert isinstance(objects, EncodedReferences)
    found = match_objects(caption, np.array([True, True, False]), objects)
    assert found.precision == pytest.approx((0.8 + 3) / 4)  # the first piece is nearer to the second label
    assert found.recall == pytest.approx((1 + 0.8) / 2)
    assert found.score == pytest.approx(2 * 0.95 * 0.9 / (0.95 + 0.9))
