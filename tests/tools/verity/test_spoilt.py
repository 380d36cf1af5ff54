"""Spoilt captions differ from the original in the way that their name says."""

from __future__ import annotations

from random import Random

import pytest

from tools.verity import spoilt
from tools.verity.spoilt import KINDS, make_pool, split

CAPTIONS = [
    "Two young men sitting on a red bench near the lake.",
    "A dog running with a ball in the park.",
    "A woman holding a wooden spoon and a bowl of soup.",
]
POOL = make_pool([caption for caption in CAPTIONS for _ in range(30)], Random(0))


def spoil(kind: str, caption: str, seed: int = 0) -> list[str] | None:
    return KINDS[kind](split(caption), Random(seed), POOL)


@pytest.mark.parametrize("kind", ["objects", "nouns", "attribute", "count", "action", "negation"])
def test_one_word_is_another(kind):
    words = split(CAPTIONS[0])
    found = spoil(kind, CAPTIONS[0])
    assert found is not None and len(found) == len(words)
    assert sum(a != b for a, b in zip(words, found, strict=True)) == 1


@pytest.mark.parametrize(
    ("kind", "caption", "expected"),
    [
        ("relation", "a cat under it", "a cat on it"),
        ("negation", "a cat", "no cat"),
        ("count", "seven cats", None),
        ("attribute", "a plate that is full", "a plate that is empty"),
        ("dropped", "a dog runs quickly in snow", "a dog runs quickly"),
        ("roles", "man bites dog", "dog bites man"),
        ("truncated", "a dog runs", None),
    ],
)
def test_by_hand(kind, caption, expected):
    found = spoil(kind, caption)
    assert found == (expected and expected.split())


def test_shuffled_and_repeated_keep_the_words():
    words = [word for word in split(CAPTIONS[0]) if word != "."]
    assert sorted(spoil("shuffled", CAPTIONS[0])) == sorted(words)
    repeated = spoil("repeated", CAPTIONS[0])
    assert repeated[: len(words)] == words and set(repeated) == set(words) and len(repeated) > len(words)


def test_keywords_are_content_words_alone():
    assert not {"a", "on", "the"} & {word.lower() for word in spoil("keywords", CAPTIONS[0])}


def test_a_pool_finds_nouns_between_articles_and_prepositions():
    assert {"ball", "bowl", "lake"} <= POOL.is_noun
    assert not POOL.is_noun & spoilt.FUNCTION_WORDS


def test_the_same_seed_spoils_alike():
    assert all(spoil(kind, CAPTIONS[0], 7) == spoil(kind, CAPTIONS[0], 7) for kind in KINDS)
