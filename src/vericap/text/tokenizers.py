"""The tokenizers by name, and a registry for more."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from vericap.arrays import Ragged
from vericap.engine.local import in_fork
from vericap.errors import InputError
from vericap.text.vocabulary import encode

Encoder = Callable[[Sequence[str], dict[str, int]], Ragged]
LONG_COLUMN = 50_000  # captions; fewer are done before a second process has started


def _ptb(captions: Sequence[str], vocabulary: dict[str, int]) -> Ragged:
    from vericap.text.ptb import encode_coco

    ids, offsets = encode_coco(captions, vocabulary)
    return Ragged(np.frombuffer(ids, np.int32), np.frombuffer(offsets, np.int64))


def _unicode(captions: Sequence[str], vocabulary: dict[str, int]) -> Ragged:
    from vericap.text.unicode import tokenize

    return encode(captions, tokenize, vocabulary)


def _whitespace(captions: Sequence[str], vocabulary: dict[str, int]) -> Ragged:
    return encode(captions, str.split, vocabulary)


def _none(captions: Sequence[str], vocabulary: dict[str, int]) -> Ragged:
    """Text that is tokenised already: single blanks separate words."""
    return encode(captions, lambda caption: caption.split(" ") if caption else [], vocabulary)


def _rouge(captions: Sequence[str], vocabulary: dict[str, int]) -> Ragged:
    """The words of ROUGE-1.5.5: runs of ASCII letters and digits, lower-cased."""
    return encode(captions, lambda caption: _ROUGE_WORD.findall(caption.lower()), vocabulary)


_ROUGE_WORD = re.compile("[a-z0-9]+")
TOKENIZERS: dict[str, Encoder] = {
    "ptb": _ptb,
    "unicode": _unicode,
    "whitespace": _whitespace,
    "rouge": _rouge,
    "none": _none,
}


def register_tokenizer(name: str, tokenize: Callable[[str], list[str]]) -> None:
    """Makes a function from caption to words known by name, as in `--tokenizer NAME`.

    >>> register_tokenizer("letters", list)
    >>> vocabulary: dict[str, int] = {}
    >>> tokenizer("letters")(["abba"], vocabulary).values.tolist()
    [0, 1, 1, 0]
    >>> del TOKENIZERS["letters"]
    """
    TOKENIZERS[name] = lambda captions, vocabulary: encode(captions, tokenize, vocabulary)


def encode_sides(
    encode: Encoder, sides: Sequence[Sequence[str]], vocabulary: dict[str, int], workers: int
) -> Ragged:
    """The captions of all sides as one column, shared among `workers` processes: the same ids and the same order of
    words for any number of them.

    Each side is a text of its own: PTB looks at the next line to tell an abbreviation from the end of a sentence.

    >>> vocabulary: dict[str, int] = {}
    >>> encode_sides(tokenizer("whitespace"), [["a dog"], ["a cat"]], vocabulary, 2).values.tolist(), vocabulary
    ([0, 1, 0, 2], {'a': 0, 'dog': 1, 'cat': 2})
    """
    total = sum(map(len, sides))
    if total < LONG_COLUMN:
        workers = 1
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
        return Ragged(number[rows.values], rows.offsets)

    answers = [in_fork(partial(in_child, share)) for share in range(1, workers)]
    columns = [renumbered(*encode_share(0))]
    for answer in answers:
        ids, offsets, words = answer()
        columns.append(renumbered(Ragged(np.frombuffer(ids, np.int32), np.frombuffer(offsets, np.int64)), words))
    return Ragged.join(columns)


def tokenizer(name: str) -> Encoder:
    """The encoder of a tokenizer's name."""
    try:
        return TOKENIZERS[name]
    except KeyError:
        raise InputError(f"no tokenizer is called {name!r}", fix=f"use one of {', '.join(TOKENIZERS)}") from None
