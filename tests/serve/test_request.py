"""What a request may say, and the sentence for what it may not."""

import json

import pytest

from vericap.errors import InputError
from vericap.serve.options import ServeOptions
from vericap.serve.request import read_request

LIMITS = ServeOptions(most_captions=3, most_references=2, longest_caption=20)
ROW = {"caption": "a dog", "references": ["dogs"]}


def read(given):
    return read_request(json.dumps(given).encode(), LIMITS, ["cider-d", "ter"])


def test_captions_bring_references_or_an_image_id():
    found = read({"captions": [ROW, {"caption": "a cat", "image_id": "7.jpg"}], "metrics": ["ter", "ter"]})
    assert found.captions == ["a dog", "a cat"] and found.references == [["dogs"], None]
    assert found.image_ids == [None, "7.jpg"] and found.metrics == ["ter"]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ([ROW], "the request: it is a list; send an object"),
        ({}, 'field "captions": there is no list of captions; send at least one'),
        ({"captions": []}, "there is no list of captions"),
        ({"captions": [ROW], "metric": "ter"}, 'field "metric": there is no such field; the fields are: captions'),
        ({"captions": [ROW], "metrics": "ter"}, "it is not a list of metrics"),
        ({"captions": [ROW], "metrics": ["Cider_D"]}, "'Cider_D' is not offered here; did you mean cider-d?"),
        ({"captions": [ROW], "metrics": ["spice(parser=graphs,source=secret.json)"]}, "is not offered here; use one"),
        ({"captions": [ROW, 7]}, "row 2: the row is a number (7)"),
        ({"captions": [{"references": ["a"]}]}, 'row 1, field "caption": there is no caption; add it'),
        ({"captions": [{**ROW, "caption": None}]}, "the caption is null; write it as a string"),
        ({"captions": [{**ROW, "caption": "\ud83d"}]}, "half of a surrogate pair"),
        ({"captions": [{**ROW, "image_id": 1.5}]}, "the image id is a number (1.5)"),
        ({"captions": [{**ROW, "image_id": True}]}, "the image id is a truth value (true)"),
        ({"captions": [{**ROW, "image_id": 2**63}]}, "does not fit into 64 bits"),
        ({"captions": [{**ROW, "references": "a dog"}]}, "there is no list of references"),
        ({"captions": [{**ROW, "references": []}]}, "there is no list of references"),
        ({"captions": [{**ROW, "references": [7]}]}, "a reference is a number (7)"),
        ({"captions": [{**ROW, "reference": "x"}]}, 'row 1, field "reference": there is no such field'),
    ],
)
def test_what_is_wrong_has_a_sentence(given, sentence):
    with pytest.raises(InputError) as error:
        read(given)
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"captions": [ROW] * 4}, "there are 4 captions, and at most 3 are allowed; send several requests"),
        ({"captions": [{**ROW, "references": ["a"] * 3}]}, "there are 3 references, and at most 2"),
        ({"captions": [{**ROW, "caption": "x" * 21}]}, "the text has 21 characters, and at most 20"),
    ],
)
def test_what_is_too_much_says_how_much_is_allowed(given, sentence):
    with pytest.raises(InputError) as error:
        read(given)
    assert sentence in str(error.value)


def test_a_body_that_is_not_json_says_where():
    with pytest.raises(InputError, match="the JSON is broken at line 1, column 2"):
        read_request(b"{captions: 1}", LIMITS, ["ter"])
