"""References by image: found by id, taken by image, tokenised once."""

import numpy as np
import pytest

from tests.streaming.demo_rows import references_by_id
from vericap.errors import InputError
from vericap.readers import read_references
from vericap.text.tokenizers import tokenizer


def test_an_image_is_found_by_any_spelling_of_its_id():
    given = read_references({42: ["a dog"], 7: ["a cat"]})
    assert [given.find(name) for name in (42, "42", "COCO_val2014_000000000042.jpg", "7.png", "8")] == [0, 0, 0, 1, -1]


def test_a_spelling_of_two_images_is_an_error():
    given = read_references({"a/1.jpg": ["a dog"], "b/1.jpg": ["a cat"]})
    with pytest.raises(InputError, match=r"image 1 may be 'a/1\.jpg' \(row 1 .* of references\) or 'b/1\.jpg'"):
        given.find(1)
    tokenised = given.tokenised(tokenizer("ptb"))
    with pytest.raises(InputError, match=r"image 1 may be 'a/1\.jpg' or 'b/1\.jpg' of references"):
        tokenised.find(1)


def test_tokens_of_some_images_are_those_of_the_set():
    references = references_by_id()
    given = read_references(references).tokenised(tokenizer("whitespace"))
    places, offsets = given.places(np.array([3, -1, 0]))
    captions, tokens = given.of_images(np.array([3, -1, 0]))[0], given.tokens.take(places)
    ids = list(references)
    assert captions == [*references[ids[3]], *references[ids[0]]]
    words = list(given.word_numbers)
    assert [" ".join(words[i] for i in row) for row in tokens] == captions
    assert offsets.tolist() == [0, 5, 5, 10]


def test_references_without_ids_cannot_be_found():
    with pytest.raises(InputError, match="found by image id, and there are none"):
        read_references([["a dog"], ["a cat"]]).with_ids()


def test_other_references_have_another_digest():
    digests = {
        read_references(given).digest for given in ({1: ["a", "b"]}, {1: ["a"]}, {2: ["a", "b"]}, {1: ["a"], 2: ["b"]})
    }
    assert len(digests) == 4
