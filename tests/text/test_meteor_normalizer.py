"""METEOR's own tokens: what its rules, applied one after the other, make of a line."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.arrays import Ragged
from vericap.text.meteor_normalizer import Apostrophe, NormalizedTokens, Normalizer
from vericap.text.vocabulary import encode

ENGLISH = Normalizer("before", {"Mr": False, "No": True})
PIECE = st.sampled_from(
    [
        "a",
        "Dog",
        "dog's",
        "st.",
        "U.S.",
        "x-ray",
        "1,000",
        "dogs,",
        "...",
        "'",
        "''",
        "it",
        "Mr.",
        "No.",
        "5",
        "–",
        "日本",
    ]
)


@pytest.mark.parametrize(
    ("line", "tokens"),
    [
        ("A dog runs.", "a dog runs ."),
        ("a man's dogs' bowl", "a man 's dogs ' bowl"),
        ("Mr. Smith, No. 5 and No. Six.", "mr. smith , no. 5 and no . six ."),
        ("in the U.S. Navy", "in the us navy"),
        ("a st. where", "a st. where"),  # a small letter follows: no sentence ends here
        ("a st. Where", "a st . where"),
        ("1,000 miles, a,b", "1,000 miles , a , b"),
        ("black-and-white", "black and white"),
        ("rock-n-roll", "rock n-roll"),  # n is shared by two places: only the first is cut
        ("wait... what", "wait ... what"),
        ("``quoted'' text", '" quoted " text'),
        ("5% of $10 (ten)", "5 % of $ 10 ( ten )"),
        ("日本", "日 本"),
        ("a\u00a0b", "a b"),
        ("", ""),
    ],
)
def test_tokens_of_english(line: str, tokens: str) -> None:
    assert ENGLISH(line) == tokens.split()


@pytest.mark.parametrize(
    ("apostrophe", "tokens"), [("before", "l 'homme"), ("after", "l' homme"), ("alone", "l ' homme")]
)
def test_an_apostrophe_belongs_to_the_word_before_or_after_or_to_none(apostrophe: Apostrophe, tokens: str) -> None:
    assert Normalizer(apostrophe, {})("l'homme") == tokens.split()


def rows_of_tokens(tokens: NormalizedTokens, captions: Ragged, words: Iterable[str]) -> list[list[str]]:
    """METEOR's tokens of captions of these words."""
    tokens.add(list(words))
    rows = tokens.rows(captions)
    spelled = list(tokens.number)
    return [[spelled[i] for i in row] for row in rows]


@given(st.lists(PIECE, max_size=8), st.sampled_from(["before", "after", "alone"]))
def test_a_vocabulary_normalised_gives_the_tokens_of_the_lines(pieces: list[str], apostrophe: Apostrophe) -> None:
    """Tokens are normalised once and put together; where neighbours have a say, the whole line is."""
    normalize = Normalizer(apostrophe, {"Mr": False, "No": True})
    captions = [" ".join(pieces), "a dog", " ".join(reversed(pieces)), ""]
    vocabulary: dict[str, int] = {}
    ids = encode(captions, str.split, vocabulary)
    assert rows_of_tokens(NormalizedTokens(normalize), ids, vocabulary) == [normalize(line) for line in captions]


@given(st.lists(st.lists(PIECE, max_size=8), max_size=4), st.sampled_from(["before", "after", "alone"]))
def test_lines_together_have_the_tokens_of_each(lines: list[list[str]], apostrophe: Apostrophe) -> None:
    """Even where a line has another line's end in it."""
    normalize = Normalizer(apostrophe, {"Mr": False, "No": True})
    for joined in ([" ".join(pieces) for pieces in lines], ["\n".join(pieces) for pieces in lines]):
        assert normalize.lines(joined) == [normalize(line) for line in joined]


@pytest.mark.parametrize("token", ["st.", "dogs,", "'", "-x", "U.S."])
def test_a_token_that_its_neighbours_may_touch_is_not_settled(token: str) -> None:
    assert ENGLISH.settled([token]) == [None]


@pytest.mark.parametrize(
    ("token", "parts"), [("Dog", ["dog"]), ("dog's", ["dog", "'s"]), ("1,000", ["1,000"]), ("x–y", ["x", "-", "y"])]
)
def test_a_settled_token_is_what_it_is_between_words(token: str, parts: list[str]) -> None:
    assert ENGLISH.settled([token]) == [parts]
    assert ENGLISH(f"a {token} b") == ["a", *parts, "b"]


def test_without_a_normaliser_words_stay_but_for_their_case() -> None:
    vocabulary: dict[str, int] = {}
    ids = encode(["A Dog's X-ray", "a dog"], str.split, vocabulary)
    for lower, expected in ((True, "a dog's x-ray"), (False, "A Dog's X-ray")):
        assert rows_of_tokens(NormalizedTokens(None, lower), ids, vocabulary)[0] == expected.split()
    tokens = NormalizedTokens(None)
    tokens.add(list(vocabulary))
    rows = tokens.rows(ids)
    assert rows[0][0] == rows[1][0]  # A and a are one word then


def test_words_that_come_later_get_further_numbers_and_the_old_ones_keep_theirs() -> None:
    vocabulary: dict[str, int] = {}
    ids = encode(["a black-and-white dog", "a st. bernard", "dog"], str.split, vocabulary)
    words, tokens = list(vocabulary), NormalizedTokens(ENGLISH)
    tokens.add(words[:3])
    first = dict(tokens.number)
    assert [list(first)[i] for i in tokens.rows(ids.window(0, 1))[0]] == ["a", "black", "and", "white", "dog"]
    tokens.add(words[3:])
    assert list(tokens.number.items())[: len(first)] == list(first.items())
    rows = tokens.rows(ids)
    spelled = list(tokens.number)
    assert [[spelled[i] for i in row] for row in rows][1:] == [["a", "st.", "bernard"], ["dog"]]
