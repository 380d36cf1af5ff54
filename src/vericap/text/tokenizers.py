"""The tokenizers by name: built in, registered by a program, or of a package (entry point `vericap.tokenizers`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np

from vericap.arrays import Ragged
from vericap.engine.local import in_fork, in_threads
from vericap.errors import InputError
from vericap.plugins import Plugin, added
from vericap.text.vocabulary import encode

Encoder = Callable[[Sequence[str], dict[str, int]], Ragged]
LONG_COLUMN = 50_000  # captions; fewer are done before a second process has started


def _ptb(captions: Sequence[str], vocabulary: dict[str, int]) -> Ragged:
    from vericap.text.ptb import encode_coco

    return Ragged(*encode_coco(captions, vocabulary))


# The first pairs of a long row of flag letters (regional indicators). A pair is not a word, and the pattern below
# counts from the start of the row at each letter.
_FLAGS = re.compile("(?:[\U0001f1e6-\U0001f1ff]{2})+(?=[\U0001f1e6-\U0001f1ff]{3})")


@cache
def _unicode_patterns() -> tuple[Any, Any]:
    import regex

    boundary = regex.compile(r"(?V1w)\b")
    # Each ideograph or kana is a token with its marks; anything else is one if it holds a letter or digit.
    token = regex.compile(r"(?V1)[\p{Han}\p{Hiragana}\p{Katakana}ー]\p{M}*|[^\p{Han}\p{Hiragana}\p{Katakana}ー]+")
    return boundary, token


def tokenize_unicode(caption: str) -> list[str]:
    """Return the words of a caption in any language by Unicode's default word boundaries (UAX #29), Chinese and
    Japanese by character: lower-cased, without punctuation and symbols.

    >>> tokenize_unicode("Descrição da imagem: homem d'água, R$ 19,99 #PraCegoVer")
    ['descrição', 'da', 'imagem', 'homem', "d'água", 'r', '19,99', 'pracegover']
    >>> tokenize_unicode("一只狗。A dog!")
    ['一', '只', '狗', 'a', 'dog']
    """
    return [word for chunk in caption.lower().split() for word in _unicode_words(chunk)]


@lru_cache(1 << 16)
def _unicode_words(chunk: str) -> tuple[str, ...]:
    """Return the words of a chunk between blanks: no word crosses a blank, and the same chunks occur often."""
    boundary, token = _unicode_patterns()
    return tuple(
        word
        for segment in boundary.split(_FLAGS.sub("", chunk))
        for word in token.findall(segment)
        if any(character.isalnum() for character in word)
    )


_ROUGE_WORD = re.compile("[a-z0-9]+")
TOKENIZERS: dict[str, Encoder] = {
    "ptb": _ptb,
    "unicode": lambda captions, vocabulary: encode(captions, tokenize_unicode, vocabulary),
    "whitespace": lambda captions, vocabulary: encode(captions, str.split, vocabulary),
    # The words of ROUGE-1.5.5: runs of ASCII letters and digits, lower-cased.
    "rouge": lambda captions, vocabulary: encode(captions, lambda text: _ROUGE_WORD.findall(text.lower()), vocabulary),
    # Text that is tokenised already: single blanks separate words.
    "none": lambda captions, vocabulary: encode(captions, lambda text: text.split(" ") if text else [], vocabulary),
}
_BUILT_IN = tuple(TOKENIZERS)


def register_tokenizer(name: str, tokenize: Callable[[str], list[str]]) -> None:
    """Makes a function from caption to words known by name, as in `--tokenizer NAME`.

    >>> register_tokenizer("letters", list)
    >>> vocabulary: dict[str, int] = {}
    >>> tokenizer("letters")(["abba"], vocabulary).values.tolist()
    [0, 1, 1, 0]
    >>> del TOKENIZERS["letters"]
    """
    TOKENIZERS[name] = lambda captions, vocabulary: encode(captions, tokenize, vocabulary)


def encode_sides(encode: Encoder, sides: Sequence[Sequence[str]], vocabulary: dict[str, int], workers: int) -> Ragged:
    """Return the captions of all sides as one column, shared among `workers`: the same ids and the same order of words
    for any number of them. Workers are threads where a kernel does the work, and processes where Python does.

    Each side is a text of its own: PTB looks at the next line to tell an abbreviation from the end of a sentence.

    >>> vocabulary: dict[str, int] = {}
    >>> encode_sides(tokenizer("whitespace"), [["a dog"], ["a cat"]], vocabulary, 2).values.tolist(), vocabulary
    ([0, 1, 0, 2], {'a': 0, 'dog': 1, 'cat': 2})
    """
    total = sum(map(len, sides))
    if total < LONG_COLUMN or workers == 1:
        return Ragged.join([encode(side, vocabulary) for side in sides])
    cuts = [total * share // workers for share in range(workers + 1)]

    def encode_share(share: int) -> tuple[Ragged, list[str]]:
        pieces, behind = [], 0
        words: dict[str, int] = {}
        for side in sides:
            first, last = (min(max(cut - behind, 0), len(side)) for cut in cuts[share : share + 2])
            behind += len(side)
            if first == last:
                continue
            end = last
            while end < len(side) and (end == last or not side[end - 1].strip()):
                end += 1  # what the tokenizer may look at: the captions behind, up to one that is not blank
            pieces.append(encode(side[first:end], words).window(0, last - first))
        rows = Ragged.join(pieces) if pieces else Ragged(np.zeros(0, np.int32), np.zeros(1, np.int64))
        # Words are numbered as they occur: behind the last of the share come those of the captions looked at.
        return rows, list(words)[: int(rows.values.max(initial=-1)) + 1]

    def in_child(share: int) -> tuple[bytes, bytes, list[str]]:
        rows, words = encode_share(share)
        return rows.values.tobytes(), rows.offsets.tobytes(), words

    def renumbered(rows: Ragged, words: list[str]) -> Ragged:
        number = np.array([vocabulary.setdefault(word, len(vocabulary)) for word in words], np.int32)
        same = np.array_equal(number, np.arange(len(words)))  # of the first share
        return rows if same else Ragged(number[rows.values], rows.offsets)

    if encode is _ptb:
        return Ragged.join([renumbered(*found) for found in in_threads(encode_share, range(workers), workers=workers)])
    answers = [in_fork(partial(in_child, share)) for share in range(1, workers)]
    columns = [renumbered(*encode_share(0))]
    for answer in answers:
        ids, offsets, words = answer()
        columns.append(renumbered(Ragged(np.frombuffer(ids, np.int32), np.frombuffer(offsets, np.int64)), words))
    return Ragged.join(columns)


def tokenizer(name: str) -> Encoder:
    """Return the encoder of a tokenizer's name."""
    if name in TOKENIZERS:
        return TOKENIZERS[name]
    others = added("tokenizers", _BUILT_IN)
    if name not in others:
        names = ", ".join([*TOKENIZERS, *others])
        raise InputError(f"no tokenizer is called {name!r}", field="tokenizer", fix=f"use one of {names}")
    return _of_plugin(others[name])


def load_tokenizer(name: str) -> None:
    """Imports what a tokenizer is made of, which takes longer than most captions."""
    if name == "ptb":
        import vericap.text.ptb  # noqa: F401


def signed_name(name: str) -> str:
    """Return the tokenizer as signatures write it: that of a package with the package and its version.

    >>> signed_name("ptb")
    'ptb'
    """
    plugin = None if name in TOKENIZERS else added("tokenizers", _BUILT_IN).get(name)
    return name if plugin is None else f"{name} ({plugin.package})"


def _of_plugin(plugin: Plugin) -> Encoder:
    """Return the encoder of a package's function from caption to words; what it returns is checked."""
    tokenize = plugin.load()
    who = f"tokenizer {plugin.name!r} of the package {plugin.package}"

    def checked(caption: str) -> list[str]:
        try:
            words = list(tokenize(caption))
        except Exception as error:  # a stranger's code can fail in any way
            problem = f"{who} failed on {caption[:80]!r}: {type(error).__name__}: {error}"
            raise InputError(problem, field="tokenizer", fix=f"report it to {plugin.package}") from error
        if not all(isinstance(word, str) for word in words):
            problem = f"{who} returned something other than words for {caption[:80]!r}"
            raise InputError(problem, field="tokenizer", fix="it must return a list of strings")
        return words

    return lambda captions, vocabulary: encode(captions, checked, vocabulary)
