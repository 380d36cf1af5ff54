"""Document frequencies as training code bases pickle them (`coco-train-words.p`, `coco-train-idxs.p`) → counts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from reprlib import repr as shortened  # tuples that hold each other twice are endless in full
from typing import Any

from vericap.errors import InputError
from vericap.readers.files import File
from vericap.readers.storage.pickled import looks_like_pickle, read_pickle

EXTENSIONS = (".p", ".pkl", ".pickle")
MOST = 1 << 32  # images; counts have four bytes
_TABLE = "a dict with document_frequency and ref_len"
_NGRAMS = "n-grams are tuples of words"
_FIX = "give a table of document frequencies, or a file of references"


def is_frequency_pickle(file: File) -> bool:
    """Is it a pickle, by its content or by its name?"""
    return looks_like_pickle(file.data) or file.extension in EXTENSIONS


def read_frequency_pickle(file: File) -> tuple[dict[tuple[str, ...], int], int]:
    """The images of each n-gram, and their number.

    The file holds `document_frequency`, {n-gram: count} where an n-gram is a tuple of words or of word numbers, and
    `ref_len`, the number of images; some store its logarithm. A number in an n-gram becomes the word that spells it.
    """
    table = read_pickle(file.data, file.name)
    if not isinstance(table, dict):
        raise InputError(f"the pickle does not hold a table, which is {_TABLE}", source=file.name, fix=_FIX)
    frequencies = _get(table, "document_frequency")
    if not isinstance(frequencies, dict):
        problem = f"the pickle has no document_frequency; a table is {_TABLE}"
        raise InputError(problem, source=file.name, fix=_FIX)
    counts = _counts(frequencies, file.name)
    return counts, _documents(_get(table, "ref_len"), max(counts.values(), default=1), file.name)


def _get(table: Mapping[Any, Any], key: str) -> Any:
    """A value by its key, which Python 2 wrote as bytes."""
    return table.get(key, table.get(key.encode()))


def _counts(table: Mapping[Any, Any], source: str) -> dict[tuple[str, ...], int]:
    counts: dict[tuple[str, ...], int] = {}
    for ngram, frequency in table.items():
        if type(frequency) not in (int, float) or not (0 <= frequency < MOST and frequency == int(frequency)):
            raise InputError(
                f"the document frequency of {ngram!r} is {shortened(frequency)}",
                source=source,
                field="document_frequency",
                fix="document frequencies are whole numbers",
            )
        if type(ngram) is not tuple or not ngram:
            raise InputError(f"{ngram!r} is not an n-gram", source=source, field="document_frequency", fix=_NGRAMS)
        counts[tuple([word if type(word) is str else _word(word, source) for word in ngram])] = int(frequency)
    return counts


def _word(word: Any, source: str) -> str:
    if isinstance(word, bytes):
        try:
            return word.decode()
        except UnicodeDecodeError:
            return word.decode("latin-1")
    if type(word) is int:
        return str(word)
    raise InputError(f"{word!r} is not a word", source=source, field="document_frequency", fix=_NGRAMS)


def _documents(given: Any, highest: int, source: str) -> int:
    """The number of images, from a number or its logarithm: no n-gram is in more images than there are."""
    if type(given) in (int, float) and 0 <= given < MOST:
        if given >= highest and given == int(given):
            return int(given)
        documents = round(math.exp(given)) if given < math.log(MOST) else 0
        if documents >= highest and math.isclose(math.log(documents), given, rel_tol=1e-6, abs_tol=1e-9):
            return documents
    raise InputError(
        f"ref_len is {shortened(given)}, which is neither the number of images (at least {highest}) nor its logarithm",
        source=source,
        field="ref_len",
        fix="store the number of images as ref_len",
    )
