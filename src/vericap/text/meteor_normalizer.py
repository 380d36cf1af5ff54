"""METEOR's own tokens (Denkowski and Lavie 2014): what its option -norm makes of a line of text.

The regular expressions apply one after the other, each once, from left to right and without overlap; where two
places share a character only the first is changed, and that is part of the number (`rock-n-roll` keeps a hyphen).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

# Latin with accents and Cyrillic; a letter of any other script stands alone.
_LETTER = "A-Za-zÀ-ÖØ-öø-ž\u0400-\u0527\u1d00-\u1d7f\ua640-\ua66e\ua67e-\ua697"
_WORD = f"{_LETTER}0-9"
_BLANK = " \\t\\n\\r\\f"

Apostrophe: TypeAlias = Literal["before", "after", "alone"]
_Rule: TypeAlias = tuple[re.Pattern[str], str]

# Dropped after everything else: until then they keep a word and its final dot apart from the next word.
_SPACES = frozenset("\u00a0\u202f\u205f\u3000") | {chr(c) for c in range(0x2000, 0x200B)}

_SEPARATE: tuple[_Rule, ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (rf"([^{_WORD}{_BLANK}\x0b.'`,\-‘’])", r" \1 "),
        (r"(\.{2,})", r" \1 "),
        (r"([^0-9]),([^0-9])", r"\1 , \2"),
        (r"([0-9]),([^0-9])", r"\1 , \2"),
        (r"([^0-9]),([0-9])", r"\1 , \2"),
        (r"[`‘’]", "'"),
        (r"''", ' " '),
        (r"[“”]", '"'),
        (r"–", "-"),
        (r"--", "-"),
        (rf"([{_WORD}.])-([{_WORD}])", r"\1 \2"),
    )
)
_APOSTROPHES: Mapping[Apostrophe, tuple[_Rule, ...]] = {
    kind: tuple((re.compile(pattern), replacement) for pattern, replacement in rules)
    for kind, rules in {
        # man's: man 's
        "before": (
            (rf"([^{_LETTER}])'([^{_LETTER}])", r"\1 ' \2"),
            (rf"([^{_WORD}])'([{_LETTER}])", r"\1 ' \2"),
            (rf"([{_LETTER}])'([^{_LETTER}])", r"\1 ' \2"),
            (rf"([{_LETTER}])'([{_LETTER}])", r"\1 '\2"),
            (r"([0-9])'s", r"\1 's"),
        ),
        # l'homme: l' homme
        "after": (
            (rf"([^{_LETTER}])'([^{_LETTER}])", r"\1 ' \2"),
            (rf"([^{_LETTER}])'([{_LETTER}])", r"\1 ' \2"),
            (rf"([{_LETTER}])'([^{_LETTER}])", r"\1 ' \2"),
            (rf"([{_LETTER}])'([{_LETTER}])", r"\1' \2"),
        ),
        "alone": ((r"'", " ' "),),
    }.items()
}
_SPLIT = re.compile(f"[{_BLANK}]+")
_LETTERS = re.compile(f"[{_LETTER}]")
# A token that means the same in every caption: no dot, and nothing at its ends that a neighbour could touch.
_SETTLED = re.compile(rf"[^.'`,\-‘’](?:[^.]*[^.'`,\-‘’])?|'[{_LETTER}]+")
_PLAIN = re.compile(f"[{_WORD}]+")


class Normalizer:
    """From a line of text to METEOR's tokens.

    `prefixes` maps a word that keeps its dot (Mr.) to whether it does so only before a number (No. 5).

    >>> normalize = Normalizer("before", {"Mr": False, "No": True})
    >>> normalize("Mr. Smith's rock-n-roll, U.S. No. 5, 1,000 miles.")
    ['mr.', 'smith', "'s", 'rock', 'n-roll', ',', 'us', 'no.', '5', ',', '1,000', 'miles', '.']
    """

    def __init__(self, apostrophe: Apostrophe, prefixes: Mapping[str, bool]) -> None:
        self._rules = (*_SEPARATE, *_APOSTROPHES[apostrophe])
        self._prefixes = prefixes

    def __call__(self, line: str) -> list[str]:
        text = f" {line} "
        for pattern, replacement in self._rules:
            text = pattern.sub(replacement, text)
        words = [word for word in _SPLIT.split(text) if word]
        tokens: list[str] = []
        for word, following in zip(words, [*words[1:], ""], strict=True):
            tokens += self._final_dot(word, following)
        return [token for token in _SPLIT.split(" ".join(tokens).lower()) if token and token not in _SPACES]

    def _final_dot(self, word: str, following: str) -> tuple[str, ...]:
        stem = word[:-1]
        if not word.endswith(".") or not stem.strip("."):
            return (word,)
        if "." in stem and _LETTERS.search(stem):
            return (stem.replace(".", ""),)
        only_before_number = self._prefixes.get(stem)
        if (
            only_before_number is False
            or "a" <= following[:1] <= "z"
            or (only_before_number and "0" <= following[:1] <= "9")
        ):
            return (word,)
        return (stem, ".")

    def token(self, token: str) -> list[str] | None:
        """What a token becomes between blanks in any caption, or None if its neighbours have a say.

        >>> normalize = Normalizer("before", {})
        >>> normalize.token("black-and-white"), normalize.token("'s"), normalize.token("st.")
        (['black', 'and-white'], ["'", 's'], None)
        """
        if _PLAIN.fullmatch(token):
            return [token.lower()]
        return self(token) if _SETTLED.fullmatch(token) else None
