"""METEOR's matchers: which words may stand for which, and what an alignment counts."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vericap.errors import InputError
from vericap.lexicon import matching
from vericap.lexicon.matching import (
    MODULES,
    STEMMERS,
    KnownWords,
    MatchedCaptions,
    function_words,
    normalizer,
    stem,
)
from vericap.text.meteor_normalizer import NormalizedTokens
from vericap.text.vocabulary import encode

WORDS = ["a", "the", "dog", "dogs", "hound", "runs", "running", "in", "front", "of", "before", "street", "zzz"]
CAPTION = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join)
LENGTH, REFERENCE_LENGTH, FUNCTION, REFERENCE_FUNCTION = range(4)
CHUNKS, MATCHES, REFERENCE_MATCHES = 20, 21, 22


def matched(captions: Sequence[str], modules: Sequence[str] = MODULES, **options: str) -> MatchedCaptions:
    vocabulary: dict[str, int] = {}
    ids = encode(captions, str.split, vocabulary)
    language = options.pop("language", "en")
    text = options.pop("text", "normalized")
    tokens = NormalizedTokens(normalizer(language) if text == "normalized" else None, lower=text != "given")
    tokens.add(list(vocabulary))
    return MatchedCaptions.of(ids, tokens, KnownWords(language, modules, **options))


def modules_of(caption: str, reference: str, modules: Sequence[str] = MODULES) -> list[str]:
    links, _ = matched([caption, reference], modules).links(0, 1)
    return [link.module for link in links]


@pytest.mark.parametrize(
    ("caption", "reference", "module"),
    [("dog", "dog", "exact"), ("photoshopped", "photoshopping", "stem"), ("hound", "dog", "synonym")],
)
def test_a_matcher_that_is_not_asked_for_finds_nothing(caption: str, reference: str, module: str) -> None:
    assert modules_of(caption, reference) == [module]
    assert modules_of(caption, reference, ["exact", module]) == [module]
    if module != "exact":
        assert modules_of(caption, reference, [each for each in MODULES if each != module]) == []


@settings(max_examples=50)
@given(st.lists(st.tuples(CAPTION, CAPTION), min_size=1, max_size=5))
def test_statistics_are_counts_of_the_links(pairs: list[tuple[str, str]]) -> None:
    captions = [caption for pair in pairs for caption in pair]
    together = matched(captions)
    first = np.arange(0, len(captions), 2)
    rows = together.align(first, first + 1)
    functions = function_words("en")
    for number, (caption, reference) in enumerate(pairs):
        row, (links, chunks) = rows[number].tolist(), together.links(2 * number, 2 * number + 1)
        assert row == matched([caption, reference]).align(np.array([0]), np.array([1]))[0].tolist()
        assert row[LENGTH] == len(caption.split()) and row[REFERENCE_LENGTH] == len(reference.split())
        assert row[FUNCTION] == sum(word in functions for word in caption.split())
        assert row[REFERENCE_FUNCTION] == sum(word in functions for word in reference.split())
        assert row[CHUNKS] == chunks
        assert row[MATCHES] == sum(link.words for link in links)
        assert row[REFERENCE_MATCHES] == sum(link.reference_words for link in links)
        for place, module in enumerate(MODULES):
            said = [w for x in links if x.module == module for w in caption.split()[x.start : x.start + x.words]]
            content, _, function, _ = row[4 + 4 * place : 8 + 4 * place]
            assert function == sum(word in functions for word in said)
            assert content == len(said) - function


def test_captions_are_spelled_as_meteor_cuts_them() -> None:
    assert matched(["The dog's bed."]).spell(0) == ["the", "dog", "'s", "bed", "."]
    assert matched(["The dog's bed."], text="given").spell(0) == ["The", "dog's", "bed."]
    assert matched(["The dog's bed."], text="lower").spell(0) == ["the", "dog's", "bed."]


def test_a_language_without_a_normaliser_keeps_its_words() -> None:
    assert normalizer("pt") is None
    assert matched(["O cão."], ["exact"], language="pt").spell(0) == ["o", "cão."]


@pytest.mark.parametrize(
    ("language", "words"), [("en", ["dog", "'s"]), ("fr", ["dog'", "s"]), ("de", ["dog", "'", "s"])]
)
def test_languages_cut_at_an_apostrophe_in_their_own_ways(language: str, words: list[str]) -> None:
    normalize = normalizer(language)
    assert normalize is not None and normalize("dog's") == words


def test_function_words_of_english_of_the_language_and_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "function.words"
    path.write_text("ein\neine\n", "utf-8")
    assert "the" in function_words("en") and function_words("de") == function_words("en")
    assert "der" in function_words("de", "own") and "the" not in function_words("de", "own")
    assert function_words("de", str(path)) == {"ein", "eine"}
    assert matched(["ein hund"], ["exact"], functions=str(path)).function.tolist() == [1, 0]


def test_function_words_that_are_not_there_are_an_error_with_the_languages_that_have_some(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no function words of its own for 'ja'.*use one of .*de"):
        function_words("ja", "own")
    with pytest.raises(InputError, match="cannot be read") as error:
        function_words("de", str(tmp_path / "nothing"))
    assert error.value.source == str(tmp_path / "nothing")


def test_a_table_of_ones_own_stands_in_for_the_one_that_ships(tmp_path: Path) -> None:
    path = tmp_path / "table.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("0.5\ngroßer hund\ndogge\n")
    captions = ["ein großer hund", "ein dogge", "in front of", "before"]
    own = matched(captions, ["exact", "paraphrase"], paraphrases=str(path))
    links, chunks = own.links(0, 1)
    assert [(link.module, link.words, link.reference_words) for link in links] == [
        ("exact", 1, 1),
        ("paraphrase", 2, 1),
    ]
    assert chunks == 1
    assert own.links(2, 3) == ([], 0) != matched(captions).links(2, 3)


@pytest.mark.parametrize("length", [3, 63, 64, 65, 130])
def test_a_phrase_of_the_whole_caption_is_used_once_however_long_it_is(tmp_path: Path, length: int) -> None:
    caption = " ".join(f"w{n}x" for n in range(length))
    (tmp_path / "table").write_text(f"0.5\n{caption}\nboo\n", "utf-8")
    together = matched([caption, "boo boo"], paraphrases=str(tmp_path / "table"))
    row = together.align(np.array([0]), np.array([1]))[0].tolist()
    assert (row[MATCHES], row[REFERENCE_MATCHES], row[CHUNKS]) == (length, 1, 1)


def test_words_looked_up_by_another_thread_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "FEW", 3)
    here, there = KnownWords("en", MODULES), KnownWords("en", MODULES)
    here.add([*WORDS, "zebra"])
    there.add(WORDS, workers=2)
    there.add(["zebra"], workers=2)  # one that comes while the others are looked up
    assert there.words == here.words == [*WORDS, "zebra"]
    for name in ("form", "spelling", "function"):
        assert getattr(there, name).tolist() == getattr(here, name).tolist()
    assert there.meanings().stem.tolist() == here.meanings().stem.tolist()
    assert [row.tolist() for row in there.meanings().synsets] == [row.tolist() for row in here.meanings().synsets]


def test_meanings_that_cannot_be_looked_up_are_an_error_for_whoever_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "FEW", 3)
    monkeypatch.setattr(matching, "stem", lambda words, language: 1 / 0)
    known = KnownWords("en", MODULES)
    known.add(WORDS, workers=2)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            known.meanings()


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
