"""Document frequencies of the CIDErs: from the references of the call, from others, or from a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from vericap.errors import InputError
from vericap.lexicon.frequencies import DocumentFrequencies, count, resolve

CORPUS = "corpus"


def table_of(df: Any) -> DocumentFrequencies | None:
    """Return the table that `df` names; None for "corpus", the references of the call.

    "coco-train-idxs" is the pickle `data/coco-train-idxs.p`, as in the training code bases; a path is that file, a
    pickle, a table that `vericap resources df` made, or captions; "coco" is the table that ships; {id: [reference]}
    is counted. Pickles are read without Python's unpickler, so that a file cannot run anything.

    >>> table_of("corpus") is None, table_of({1: ["a dog", "one dog"], 2: ["a dog"]}).documents
    (True, 2)
    """
    if df is None or df == CORPUS:
        return None
    if isinstance(df, DocumentFrequencies):
        return df
    if isinstance(df, Mapping):
        return counted(list(df.values()))
    for path in (Path("data", f"{df}.p"), Path(df)):
        if path.is_file():
            facts = path.stat()
            return _read(path.resolve(), facts.st_mtime_ns, facts.st_size)
    if df == "coco":
        return resolve(df)
    raise InputError(
        f"there is neither a file data/{df}.p nor a file {os.fspath(df)}",
        field="df",
        fix='give the path of the pickle, "corpus" for the references of each call, or "coco" for the table that ships',
    )


def counted(references: list[list[str]]) -> DocumentFrequencies:
    """Return the document frequencies of tokenised references, one list for each image."""
    return count(references, tokenizer="none")


@lru_cache(maxsize=2)  # a trainer makes a Cider and a CiderD with the same file, which takes seconds to read
def _read(path: Path, changed: int, size: int) -> DocumentFrequencies | None:
    return resolve(path, "none")
