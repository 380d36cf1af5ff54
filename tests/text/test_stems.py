"""Stems by Snowball: words of one root share theirs."""

from __future__ import annotations

import pytest

from vericap.text.stems import STEMMERS, stem


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["run", "running", "runs"]),
        ("de", ["hund", "hunde", "hunden"]),
        ("fr", ["chien", "chiens"]),
        ("pt", ["cachorro", "cachorros"]),
        ("es", ["perro", "perros"]),
        ("ru", ["собака", "собаки", "собаку"]),
    ],
)
def test_forms_of_a_word_share_a_stem(language: str, words: list[str]) -> None:
    assert len(set(stem(words, language))) == 1


def test_english_is_porter_2_as_meteor_has_it() -> None:
    """Snowball's own sample vocabulary for English, and the words that its version 3 stems otherwise."""
    words = "consigned consigning consistency knightly generously skies dying news organize university biologist"
    stems = "consign consign consist knight generous sky die news organ univers biologist"
    assert stem(words.split(), "en") == stems.split()


def test_russian_yo_is_not_ye() -> None:
    """To METEOR's Snowball ё is no vowel and no е; today's makes it е before it begins."""
    yo, ye = stem(["ёлка", "елка"], "ru")
    assert yo != ye and "ѐ" in yo


@pytest.mark.parametrize("language", STEMMERS)
def test_every_language_has_its_stemmer(language: str) -> None:
    assert stem([], language) == []
    assert len(stem(["a", ""], language)) == 2
