"""Words of any language by Unicode's default word boundaries (UAX #29); Chinese and Japanese by character."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

# The first pairs of a long row of flag letters (regional indicators). A pair is not a word, and the pattern below
# counts from the start of the row at each letter.
_FLAGS = re.compile("(?:[\U0001f1e6-\U0001f1ff]{2})+(?=[\U0001f1e6-\U0001f1ff]{3})")


@cache
def _patterns() -> tuple[Any, Any]:
    import regex

    boundary = regex.compile(r"(?V1w)\b")
    # Each ideograph or kana is a token with its marks; anything else is one if it holds a letter or digit.
    token = regex.compile(r"(?V1)[\p{Han}\p{Hiragana}\p{Katakana}ー]\p{M}*|[^\p{Han}\p{Hiragana}\p{Katakana}ー]+")
    return boundary, token


def tokenize(caption: str) -> list[str]:
    """Lower-cased words, without punctuation and symbols.

    >>> tokenize("Descrição da imagem: homem d'água, R$ 19,99 #PraCegoVer")
    ['descrição', 'da', 'imagem', 'homem', "d'água", 'r', '19,99', 'pracegover']
    >>> tokenize("一只狗。A dog!")
    ['一', '只', '狗', 'a', 'dog']
    """
    return [word for chunk in caption.lower().split() for word in _words(chunk)]


@lru_cache(1 << 16)
def _words(chunk: str) -> tuple[str, ...]:
    """The words of a chunk between blanks: no word crosses a blank, and the same chunks occur again and again."""
    boundary, token = _patterns()
    return tuple(
        word
        for segment in boundary.split(_FLAGS.sub("", chunk))
        for word in token.findall(segment)
        if any(character.isalnum() for character in word)
    )
