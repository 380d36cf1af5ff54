"""Samples in every shape that a training loop has them in are the same samples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.reward.captions import REFERENCES
from vericap.errors import InputError
from vericap.reward import Reward
from vericap.reward.samples import END, SampleReader, Vocabulary, as_array
from vericap.views.index import IndexedReferences

WORDS = ["<end>", "a", "dog", "runs", "red", "bus", "zeppelin", "<pad>"]
TEXTS = ["a dog runs", "a red red zeppelin", ""]
NUMBERS = [[1, 2, 3, 0, 2], [1, 4, 4, 6, 0], [0, 7, 7, 7, 7]]


class Tensor:
    """The part of a PyTorch tensor that is used, on a device that NumPy cannot read."""

    def __init__(self, values: Any, device: str = "cuda") -> None:
        self.values, self.device = values, device

    def detach(self) -> Tensor:
        return self

    def cpu(self) -> Tensor:
        return Tensor(self.values, "cpu")

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        if self.device != "cpu":
            raise TypeError("cannot convert a tensor of another device")
        return np.array(self.values, dtype)


def reader(end: str | None = None) -> SampleReader:
    vocabulary = Vocabulary(WORDS, end=0, padding=(7,))
    index = IndexedReferences.build(
        REFERENCES, tokenizer="whitespace", end=end, more_words=vocabulary.by_number.values()
    )
    return SampleReader(index, vocabulary)


def words_of(read: SampleReader, samples: Any) -> list[list[str]]:
    found = read(samples)
    words = [*read.index.vocabulary, *found.new_words]
    return [[words[i] for i in row.tolist()] for row in found.words]


@pytest.mark.parametrize(
    "samples",
    [
        TEXTS,
        [text.split() for text in TEXTS],
        [tuple(text.split()) for text in TEXTS],
        np.array(NUMBERS),
        np.array(NUMBERS, np.uint8),
        Tensor(NUMBERS),
        NUMBERS,
        [np.array(row) for row in NUMBERS],
        [Tensor(row) for row in NUMBERS],
        [[1, 2, 3], [1, -100, 4, 4, 6, -100], []],
    ],
    ids=lambda samples: type(samples).__name__ + "-" + type(samples[0] if isinstance(samples, list) else 0).__name__,
)
def test_the_same_samples_in_every_shape(samples: Any) -> None:
    assert words_of(reader(), samples) == [["a", "dog", "runs"], ["a", "red", "red", "zeppelin"], []]


def test_the_end_is_counted_once_where_a_sample_has_ended() -> None:
    """A sample that was cut at the maximal length has not ended; a string always has."""
    read = reader(end="<end>")
    numbers = np.array([[1, 2, 0, 0], [1, 2, 3, 4]])
    assert words_of(read, numbers) == [["a", "dog", "<end>"], ["a", "dog", "runs", "red"]]
    assert words_of(read, ["a dog"]) == [["a", "dog", "<end>"]]


def test_words_that_no_reference_has_are_the_same_word_throughout_a_batch() -> None:
    numbers = reader()(["blimp kite", "kite"]).words
    assert numbers[0][1] == numbers[1][0] != numbers[0][0]


@pytest.mark.parametrize(
    "words",
    [WORDS, dict(enumerate(WORDS)), {word: i for i, word in enumerate(WORDS)}],
    ids=["list", "by number", "by word"],
)
def test_vocabularies_in_three_shapes(words: Any) -> None:
    assert Vocabulary(words, end=0, padding=(7,)).spell([1, 7, 2, 0, 3]) == ["a", "dog"]


def test_a_number_without_a_word_is_named() -> None:
    with pytest.raises(InputError, match="no number 12"):
        Vocabulary(WORDS).spell([1, 12])


def test_how_the_end_is_written() -> None:
    assert Vocabulary(WORDS, end=0).end_word == "<end>"
    assert Vocabulary({1: "a"}, end=0).end_word == END
    assert Vocabulary({"a": 1, "</s>": 0}, end=0).end_word == "</s>"


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        ("a dog", "samples are of type str"),
        (["a dog", 3], "row 1, .* type int"),
        (np.array([[1, 99]]), "row 0, .* no number 99"),
        (np.array([[0.5, 1.0]]), "integers"),
        (np.array([1, 2, 3]), r"shape \[3\]"),
        (iter(["a"]), "list_iterator"),
    ],
)
def test_what_is_not_a_batch_of_samples_is_named(samples: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        reader()(samples)


def test_token_numbers_without_a_vocabulary_are_an_error() -> None:
    with pytest.raises(InputError, match="no vocabulary says which words they are"):
        SampleReader(IndexedReferences.build(REFERENCES))(np.array([[1, 2]]))


def test_arrays_of_other_libraries_are_read_from_their_device() -> None:
    assert as_array(Tensor([1, 2])).tolist() == [1, 2]


@pytest.mark.parametrize("number", [8, 9])
def test_a_number_behind_the_last_word_is_refused_and_not_taken_for_padding(number: int) -> None:
    with pytest.raises(InputError, match=f"the vocabulary has no number {number}"):
        reader()(np.array([[1, 2, number]]))


def test_samples_and_image_ids_that_are_swapped_are_said_to_be() -> None:
    reward = Reward("rouge-l", {1: ["a dog"], 2: ["a cat"]})
    with pytest.raises(InputError, match="are samples and image ids swapped"):
        reward([1, 2], ["a dog", "a cat"])
