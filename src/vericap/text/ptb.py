"""Penn Treebank tokens as COCO's evaluation makes them: CoreNLP 3.4.1's PTBTokenizer with the options
`-preserveLines -lowerCase`, then without punctuation (Chen et al. 2015, Microsoft COCO Captions).

A caption is always one row: a line or paragraph separator inside it is a blank, where the original begins
a new row and shifts all later ones. The original reads all captions as one text, so the first word of the
next caption decides about an abbreviation that ends this one: "a sign that reads K." ends with `k` before
"A man ..." and with `k.` before "two men ...". Functions of many captions do the same; a single caption is
followed by nothing unless `following` is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache, partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Ragged
from vericap.data import FOLDER
from vericap.kernels.lexing import Automaton, Scan
from vericap.readers.storage import array_file
from vericap.text.ptb_column import ColumnEncoder, text_blocks
from vericap.text.ptb_rules import ABBREVIATIONS, RULES, SPLIT_WORDS

__all__ = ["PUNCTUATION", "encode_coco", "tokenize", "tokenize_coco", "tokenize_coco_many"]

# COCO's list also has -LRB-, -RRB-, -LCB- and -RCB-, but is compared with lower-cased tokens: brackets stay.
PUNCTUATION = frozenset(["''", "'", "``", "`", ".", "?", "!", ",", ":", "-", "--", "...", ";"])


def tokenize(caption: str, following: str = "") -> list[str]:
    """The tokens of a caption, lower-cased, punctuation kept; `following` is the next caption of the file.

    Blanks inside a token ("22 3/4") are no-break spaces.

    >>> tokenize("The dog's bowl isn't here (it's at 5 p.m.).")
    ['the', 'dog', "'s", 'bowl', 'is', "n't", 'here', '-lrb-', 'it', "'s", 'at', '5', 'p.m.', '-rrb-', '.']
    """
    line = _as_utf16(_one_line(caption))
    text = f"{line}\n{_as_utf16(following)}\n"
    return _read(ptb_lexer().scan(text), text, len(line))


def tokenize_coco(caption: str, following: str = "") -> list[str]:
    """The tokens of a caption as COCO's metrics see them: lower-cased, without punctuation.

    >>> tokenize_coco('A man\u2019s "STOP!" sign, 1/2 red...')
    ['a', 'man', "'s", 'stop', 'sign', '1/2', 'red']
    """
    line = _one_line(caption)
    tokens: list[str] = []
    at = 0
    for chunk in line.split(" "):
        free = _chunk(chunk)
        at += len(chunk) + 1
        if free is None or (
            _may_change(free.behind_blank, line[at : at + 1] or "\n")
            if at <= len(line)
            else _may_change(free.behind_line, following[:1])
        ):
            return _without_punctuation(tokenize(line, following))
        tokens += free.tokens
    return tokens


def tokenize_coco_many(captions: Sequence[str]) -> list[list[str]]:
    """The tokens of each caption as COCO's metrics see them; row i is caption i, whatever is in it.

    >>> tokenize_coco_many(["Two cats.", "", "a\\rb"])
    [['two', 'cats'], [], ['a', 'b']]
    """
    vocabulary: dict[str, int] = {}
    ids, offsets = encode_coco(captions, vocabulary)
    words = list(vocabulary)
    tokens = [words[i] for i in ids.tolist()]
    return [tokens[start:end] for start, end in pairwise(offsets.tolist())]


def encode_coco(captions: Sequence[str], vocabulary: dict[str, int]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Token ids of captions as one column: row i is `ids[offsets[i]:offsets[i + 1]]`.

    New tokens enter `vocabulary` in the order they appear in.

    >>> vocabulary: dict[str, int] = {}
    >>> ids, offsets = encode_coco(["A dog.", "", "A dog's bone"], vocabulary)
    >>> ids.tolist(), offsets.tolist(), list(vocabulary)
    ([0, 1, 0, 1, 2, 3], [0, 2, 2, 6], ['a', 'dog', "'s", 'bone'])
    """
    encoder = ColumnEncoder(vocabulary, _tokens_anywhere, _EXCEPTIONS)
    rows = [
        encoder.encode(text, offsets, partial(_in_context, captions, first), gap)
        for first, text, offsets, gap in text_blocks(captions, _one_line)
    ]
    column = Ragged.join([Ragged(np.zeros(0, np.int32), np.zeros(1, np.int64)), *rows])
    return column.values, column.offsets


def _in_context(captions: Sequence[str], first: int, row: int) -> list[str]:
    """The tokens of a caption among others: of that `row` rows behind the first. Where one chunk depends on what is
    around it, reading the line is faster than looking at its chunks."""
    return _without_punctuation(tokenize(captions[first + row], _following(captions, first + row)))


def _following(captions: Sequence[str], row: int) -> str:
    """Return the text that the original sees after a caption: the next ones, up to the first that is not blank."""
    if not captions[row].strip():
        return ""  # nothing here that could be decided about
    lines: list[str] = []
    while not (lines and lines[-1].strip()) and (row := row + 1) < len(captions):
        lines.append(_one_line(captions[row]))
    return "\n".join(lines)


# Chunks: the text between blanks. Most have the same tokens in every caption and are looked up.

_EXCEPTIONS = [*SPLIT_WORDS, *ABBREVIATIONS]
_MOST_REMEMBERED = 1 << 17  # chunks
_BLANKS = frozenset("\t\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u3000")  # run together
_NOTHING: frozenset[int] = frozenset()


class _Free(NamedTuple):
    """A chunk's tokens, and the characters (as symbols of the lexer) that might change them if they came next."""

    tokens: tuple[str, ...]
    behind_blank: frozenset[int] = _NOTHING
    behind_line: frozenset[int] = _NOTHING


def _tokens_anywhere(chunk: str) -> tuple[str, ...] | None:
    """Return the tokens of a chunk in every caption, but for the ellipsis of spaced full stops, ". . ."; None for a
    chunk that depends on what is next to it."""
    free = _chunk(chunk)
    full_stop = _full_stop() if chunk.endswith(".") else _NOTHING
    if free is None or free.behind_line or not free.behind_blank <= full_stop:
        return None
    return free.tokens


def _chunk(chunk: str) -> _Free | None:
    """The tokens of a chunk wherever it is; None if they are others at the end of a line."""
    return _plain(chunk) or _analysed(chunk)


def _plain(chunk: str) -> _Free | None:
    """An English word, alone or before a comma or full stop: most chunks, known without the rules."""
    stop = chunk[-1:]
    word = (chunk[:-1] if stop in (".", ",") else chunk).lower()
    if not (word.isascii() and word.isalpha()) or word in SPLIT_WORDS:
        return None
    if stop == ".":
        return None if word in ABBREVIATIONS or len(word) == 1 else _Free((word,), _full_stop())
    return _Free((word,))


@lru_cache(_MOST_REMEMBERED)
def _analysed(chunk: str) -> _Free | None:
    if chunk != _one_line(chunk) or chunk[:1] in _BLANKS:
        return None
    chunk = _as_utf16(chunk)
    inside, last = ptb_lexer().scan(chunk + " "), ptb_lexer().scan(chunk + "\n")
    tokens = _without_punctuation(_read(inside, chunk, len(chunk)))
    if tokens != _without_punctuation(_read(last, chunk, len(chunk))):
        return None
    return _Free(tuple(tokens), inside.reach(), last.reach())


def _may_change(symbols: frozenset[int], character: str) -> bool:
    return bool(symbols and character) and ptb_lexer().symbol(character) in symbols


# The rules at work.

LEXER = FOLDER / "ptb" / "lexer.arrays"  # made of the rules by tools/make_lexer.py


@cache
def ptb_lexer() -> Automaton:
    """Return the lexer of the rules in `ptb_rules`.

    >>> ptb_lexer().scan("don't").longest(0)
    Match(pattern=8, end=2)
    """
    return Automaton(**array_file.read(LEXER, verify=False)[2])


_LINE_ENDS = re.compile("[\n\v\f\r\u2028\u2029]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_GREEK_WORD = re.compile(
    r"(?: [^\W_\u3040-\u30ff\u4e00-\u9fa5] | [\u0300-\u036f] | (?<=[^\W\d_]) [-._\u2010\u2011] (?=[^\W\d_]) )+",
    re.VERBOSE,
)


@cache
def _full_stop() -> frozenset[int]:
    return frozenset([ptb_lexer().symbol(".")])


def _one_line(caption: str) -> str:
    return _SURROGATE.sub("\ufffd", _LINE_ENDS.sub(" ", caption))


def _as_utf16(text: str) -> str:
    """The text as Java has it: a character beyond U+FFFF is two."""
    return text if text.isascii() else _ASTRAL.sub(lambda found: _surrogates(ord(found[0])), text)


def _surrogates(code: int) -> str:
    return chr(0xD7C0 + (code >> 10)) + chr(0xDC00 + (code & 0x3FF))


def _read(scan: Scan, text: str, end: int) -> list[str]:
    """The tokens that begin before `end`."""
    tokens = []
    at = 0
    while at < end:
        match = scan.longest(at)
        if match is None:  # a blank, or a character that the original deletes
            at += 1
            continue
        rule = RULES[match.pattern]
        start, at = at, match.end - rule.leave
        token = rule.write(text[start:at])
        if token:
            if _SURROGATE.search(token):
                token = token.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            tokens.append(_lower(token))
        at -= rule.again
    return tokens


def _without_punctuation(tokens: Iterable[str]) -> list[str]:
    return [token for token in tokens if token not in PUNCTUATION]


def _lower(token: str) -> str:
    return (_GREEK_WORD.sub(_final_sigma, token) if "Σ" in token else token).lower()


def _final_sigma(word: re.Match[str]) -> str:
    """Java looks for letters in the whole word around a capital sigma, Python only next to it."""
    letters = word[0]
    cased = [i for i, letter in enumerate(letters) if letter.islower() or letter.isupper() or letter.istitle()]
    if len(cased) > 1 and letters[cased[-1]] == "Σ":
        letters = f"{letters[: cased[-1]]}ς{letters[cased[-1] + 1 :]}"
    return letters.replace("Σ", "σ")
