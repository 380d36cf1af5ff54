"""Stop words: the English list, none, or those of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from vericap.errors import InputError
from vericap.lexicon.stop_words import ENGLISH, stop_words


def test_the_list_is_that_of_glasgow_with_its_slips() -> None:
    """318 words, "amoungst" among them, and no content word but those the list is known for (Nothman et al. 2018)."""
    assert len(ENGLISH) == 318
    assert {"amoungst", "the", "with", "system", "cry", "fire", "bill"} <= ENGLISH
    assert not {"dog", "man", "red", "does", "did", "don't"} & ENGLISH


def test_names_and_files(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("Der\ndie  das\n\n", "utf-8")
    assert stop_words("english") is ENGLISH
    assert stop_words("none") == frozenset()
    assert stop_words(str(path)) == {"der", "die", "das"}


def test_a_file_that_is_not_there_names_the_choices() -> None:
    with pytest.raises(InputError, match="neither english nor none, nor a file") as error:
        stop_words("no-such-file.txt")
    assert error.value.field == "stop_words"
