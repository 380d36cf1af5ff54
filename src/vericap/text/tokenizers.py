"""The tokenizers by name, and a registry for more."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vericap.errors import InputError
from vericap.text.vocabulary import Ragged, encode

Encoder = Callable[[Sequence[str], dict[str, int]], Ragged]


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
    """Text that is tokenised already: words stand between single blanks."""
    return encode(captions, lambda caption: caption.split(" ") if caption else [], vocabulary)


TOKENIZERS: dict[str, Encoder] = {"ptb": _ptb, "unicode": _unicode, "whitespace": _whitespace, "none": _none}


def register_tokenizer(name: str, tokenize: Callable[[str], list[str]]) -> None:
    """Makes a function from caption to words known by name, as in `--tokenizer NAME`.

    >>> register_tokenizer("letters", list)
    >>> vocabulary: dict[str, int] = {}
    >>> tokenizer("letters")(["abba"], vocabulary).values.tolist()
    [0, 1, 1, 0]
    >>> del TOKENIZERS["letters"]
    """
    TOKENIZERS[name] = lambda captions, vocabulary: encode(captions, tokenize, vocabulary)


def tokenizer(name: str) -> Encoder:
    """The encoder of a tokenizer's name."""
    try:
        return TOKENIZERS[name]
    except KeyError:
        raise InputError(f"no tokenizer is called {name!r}", fix=f"use one of {', '.join(TOKENIZERS)}") from None
