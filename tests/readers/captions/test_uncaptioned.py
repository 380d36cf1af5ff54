"""Images of the references that nobody captioned: one choice, made by --uncaptioned, and said in every result."""

from __future__ import annotations

import pytest

import vericap
from vericap.errors import InputError
from vericap.readers import load

REFERENCES = {1: ["a dog runs"], 2: ["a cat sleeps"], "3.jpg": ["a cow eats"]}


def test_skip_is_the_default_and_says_how_many() -> None:
    # As COCO's own script does, which sets params["image_id"] to the images of the results.
    corpus = load({1: "a dog runs"}, REFERENCES)
    assert corpus.image_ids == [1]
    assert corpus.notes == ("left out: 2 images of the references without a candidate",)


def test_error_names_them() -> None:
    with pytest.raises(InputError, match=r"2 images of references without a caption: 2, '3.jpg'; .*--uncaptioned"):
        load({1: "a dog runs"}, REFERENCES, uncaptioned="error")
    assert len(load({1: "a", 2: "b", 3: "c"}, REFERENCES, uncaptioned="error")) == 3


def test_zero_scores_an_empty_caption() -> None:
    corpus = load({1: "a dog runs"}, REFERENCES, uncaptioned="zero")
    assert corpus.image_ids == [1, 2, "3.jpg"] and corpus.candidates == ["a dog runs", "", ""]
    assert corpus.notes[0] == "scored as an empty caption: 2 images of the references without a candidate"
    result = vericap.evaluate({1: "a dog runs"}, REFERENCES, metrics="rouge-l", uncaptioned="zero")
    assert result["rouge-l"].score == pytest.approx(1 / 3)
    assert any("2 images" in note for note in result.to_dict()["notes"])


def test_fields_of_filled_rows_come_from_the_references() -> None:
    references = {
        "images": [{"id": 1, "domain": "near"}, {"id": 2, "domain": "far"}],
        "annotations": [{"image_id": 1, "caption": "a dog"}, {"image_id": 2, "caption": "a cat"}],
    }
    corpus = load({1: "a dog"}, references, fields=["domain"], uncaptioned="zero")
    assert corpus.fields["domain"] == ["near", "far"]
