"""The second network is the word level of AIEr, in NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.metrics.verity.matching import MATCHED, match
from vericap.metrics.verity.model import load
from vericap.metrics.verity.reader import Reader, words_of, write_reader
from vericap.readers.storage import array_file
from vericap.views import Views

TEXTS = [
    "a man riding a wave on a surfboard",
    "A surfer in the sea.",
    "two dogs",
    "dog",
    "",
    "a young girl with a red umbrella walks down a street in the rain",
]


@pytest.fixture(scope="module")
def reader() -> Reader:
    found = load().reader
    assert found is not None
    return found


def test_second_support_is_the_word_level_of_aier():
    pytest.importorskip("torch", reason="needs the extra `neural`")
    captions, references = ["a man on a surfboard", "a dog runs in a park"], TEXTS[:3]
    aier = parse("aier").statistics(Views(Corpus.from_lists(captions, [references] * 2)))[:, 1]
    texts, (picture,) = load().read(captions, [tuple(references)])
    found = [match(text, picture)[len(MATCHED)] for text in texts]
    assert found == pytest.approx(aier.tolist(), abs=0.02)  # vectors of words are in 8 bits


def test_a_text_has_the_same_bits_in_any_company(reader):
    together, backwards = reader(TEXTS * 20), reader(TEXTS[::-1])[::-1]
    for number, text in enumerate(TEXTS):
        alone = reader([text])[0]
        assert all(np.array_equal(found[number], alone) for found in (together, together[-6:], backwards))


def test_words_without_letters_are_left_out_and_unknown_ones_are_read(reader):
    nothing, unknown, other = reader(["... !", "a zxqvbn", "a qwrtzp"])
    assert len(nothing) == 0 and len(unknown) == 2
    assert np.array_equal(unknown, other)


def test_both_directions_see_the_rest_of_the_text(reader):
    first, second = reader(["a dog runs", "a dog sits"])
    units = len(reader.onward.hidden)
    assert np.array_equal(first[:2, :units], second[:2, :units])  # onward: the same so far
    assert not np.array_equal(first[0, units:], second[0, units:])


def test_what_is_written_is_read(reader, tmp_path):
    write_reader(tmp_path / "reader.arrays", reader, {})
    again = Reader.read(tmp_path / "reader.arrays")
    for one, other in zip(reader(TEXTS), again(TEXTS), strict=True):
        assert np.array_equal(one, other)


def test_another_file_is_refused_with_its_name(tmp_path):
    array_file.write(tmp_path / "reader.arrays", "x", {"kind": "verity"}, {})
    with pytest.raises(InputError, match="not a second network of Verity"):
        Reader.read(tmp_path / "reader.arrays")


def test_words_are_in_lower_case_and_possessives_apart():
    assert words_of("A Man's T-shirt_2 — ok") == ["a", "man", "'s", "t-shirt", "2", "ok"]
