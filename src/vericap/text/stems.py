"""Word stems by Snowball (Porter 2001)."""

from __future__ import annotations

from collections.abc import Sequence

# Languages of METEOR and others, by ISO 639-1 code, and Snowball's names for them.
STEMMERS = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "tr": "turkish",
}


def stem(words: Sequence[str], language: str) -> list[str]:
    """The stem of each word.

    >>> stem(["dogs", "organized"], "en")
    ['dog', 'organ']
    """
    import Stemmer

    if language == "ru":
        # METEOR's Snowball knows no ё; today's makes it е first. A letter that is no vowel either keeps them apart.
        words = [word.replace("ё", "ѐ") for word in words]
    # Words come once: to remember their stems takes longer than to find them.
    stems: list[str] = Stemmer.Stemmer(STEMMERS[language], 0).stemWords(list(words))
    return stems
