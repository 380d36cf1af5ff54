"""Document frequencies for CIDEr (Vedantam et al. 2015): in the references of how many images an n-gram occurs.

They come from a corpus of references, from a table saved before, or from the pickles of training code bases.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import rows_of
from vericap.data import FOLDER
from vericap.errors import InputError
from vericap.lexicon.trie import NGramTrie, count_documents
from vericap.readers import read_references
from vericap.readers.files import File
from vericap.readers.storage import array_file
from vericap.readers.storage.frequency_pickles import is_frequency_pickle, read_frequency_pickle
from vericap.text.tokenizers import tokenizer as tokenizer_by_name
from vericap.text.vocabulary import split_at_white_space

COCO = FOLDER / "coco_df" / "train2014.df"
FORMAT = 1
AS_GIVEN = ("none", "whitespace")  # tokenizers of text that something else has tokenised
UNKNOWN = "unknown"


@dataclass(frozen=True, eq=False)
class DocumentFrequencies:
    """In how many of `documents` images each n-gram occurs.

    N-grams of fewer than two images are not kept: idf takes max(1, df). `tokenizer` and `language` say what words
    are; they are "unknown" for tables of other programs.

    >>> table = count([["a dog", "one dog"], ["a cat"], ["a dog runs"]], tokenizer="whitespace", name="toy")
    >>> table.documents, table.source
    (3, 'toy@9d415bbbb89a')
    >>> words = ["a", "dog", "cat"]
    >>> table.lookup(words, np.array([0, 1, 2])).tolist(), table.lookup(words, np.array([0]), np.array([1])).tolist()
    ([3, 2, 0], [2])
    """

    trie: NGramTrie
    documents: int
    tokenizer: str
    language: str
    name: str

    @property
    def order(self) -> int:
        """The longest n-grams that are counted."""
        return self.trie.order

    @cached_property
    def source(self) -> str:
        """Name and hash, for signatures: tables with the same counts have the same hash."""
        return f"{self.name}@{array_file.content_hash(self._facts(), self.trie.arrays)[:12]}"

    def lookup(self, words: Sequence[str], *columns: NDArray[np.integer]) -> NDArray[np.int64]:
        """Document frequencies of n-grams, array [m]; 0 means fewer than two.

        The k-th of `columns` [m] holds the k-th word of every n-gram, as its number in `words`. Sorted n-grams are
        found fastest.
        """
        self.require(len(columns))
        return self.trie.count(words, *columns)

    def require(self, order: int) -> None:
        """Raises an error where n-grams of `order` words are longer than those counted."""
        if order > self.order:
            raise InputError(
                f"the table {self.name} counts n-grams of up to {self.order} words, {order} are asked for",
                field="df",
                fix=f"make a table with vericap resources df --order {order}",
            )

    def check(self, tokenizer: str, language: str) -> tuple[str, ...]:
        """Notes on what may not fit together; words that cannot be the same are an error.

        >>> table = count([["a dog"], ["a cat"]], tokenizer="unicode", name="toy")
        >>> table.check("whitespace", "en")
        ('the document frequencies of toy count words by unicode, the captions are taken as tokenised already',)
        >>> table.check("ptb", "en")
        Traceback (most recent call last):
        vericap.errors.InputError: field "df": the document frequencies of toy count words by unicode, the captions'
        words are by ptb; use --tokenizer unicode, or make a table with vericap resources df --tokenizer ptb
        """
        if self.tokenizer == UNKNOWN:
            return (f"nothing says how the words of {self.name} were made; the captions' words are by {tokenizer}",)
        if self.language != language:
            raise InputError(
                f"the document frequencies of {self.name} are of language {self.language}, the captions of {language}",
                field="df",
                fix=f"use --language {self.language}, or a table made from captions in {language}",
            )
        if self.tokenizer == tokenizer:
            return ()
        if tokenizer in AS_GIVEN:
            taken = "the captions are taken as tokenised already"
        elif self.tokenizer in AS_GIVEN:
            taken = f"the captions' words are by {tokenizer}"
        else:
            raise InputError(
                f"the document frequencies of {self.name} count words by {self.tokenizer}, "
                f"the captions' words are by {tokenizer}",
                field="df",
                fix=f"use --tokenizer {self.tokenizer}, or make a table with "
                f"vericap resources df --tokenizer {tokenizer}",
            )
        return (f"the document frequencies of {self.name} count words by {self.tokenizer}, {taken}",)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the table into a file that `load` reads."""
        array_file.write(path, self.name, self._facts(), self.trie.arrays)

    def _facts(self) -> dict[str, Any]:
        return {
            "kind": "document frequencies",
            "format": FORMAT,
            "documents": self.documents,
            "order": self.order,
            "tokenizer": self.tokenizer,
            "language": self.language,
        }


def load(path: str | os.PathLike[str]) -> DocumentFrequencies:
    """The table of a file that `DocumentFrequencies.save` wrote; it stays on disk until it is looked into."""
    name, facts, arrays, _ = array_file.read(path)
    source = os.fspath(path)
    array_file.check_format(
        facts, "document frequencies", FORMAT, source, "a table of document frequencies", "make the table again"
    )
    order, documents = facts.get("order"), facts.get("documents")
    if not isinstance(order, int) or not isinstance(documents, int) or order < 1 or documents < 1:
        raise InputError("this is not a table of n-grams", source=source, fix="make the table again")
    trie = NGramTrie(arrays, order)
    trie.validate(source, documents)
    return DocumentFrequencies(trie, documents, str(facts.get("tokenizer")), str(facts.get("language")), name)


def count(
    references: Sequence[Sequence[str]],
    *,
    tokenizer: str = "ptb",
    language: str = "en",
    order: int = 4,
    name: str = "references",
) -> DocumentFrequencies:
    """Document frequencies of the reference captions of each image."""
    image = rows_of([len(captions) for captions in references])
    captions = [caption for group in references for caption in group]
    return _count(captions, image, len(references), tokenizer, language, order, name)


def from_references(
    references: Any, tokenizer: str = "ptb", language: str = "en", *, order: int = 4, name: str | None = None
) -> DocumentFrequencies:
    """Document frequencies of references in any shape that can be read: a path, several paths, an object.

    >>> from_references({1: ["a dog", "one dog"], 2: ["a dog"]}, "whitespace").documents
    2
    """
    read = read_references(references)
    # By image, as a corpus has them: whether PTB keeps the period of a last "K." depends on the caption after it.
    by_image = np.argsort(read.image, kind="stable")
    captions, image = [read.captions[i] for i in by_image.tolist()], read.image[by_image]
    return _count(captions, image, read.images, tokenizer, language, order, name or _name_of(references))


def from_pickle(path: str | os.PathLike[str] | File) -> DocumentFrequencies:
    """The table of a pickle as training code bases pass them around (`coco-train-words.p`, `coco-train-idxs.p`).

    It is read by `vericap.readers.storage.pickled`, which cannot run anything, and takes about six times as long as
    Python's unpickler: save the table once.
    """
    file = path if isinstance(path, File) else File(path)
    counts, documents = read_frequency_pickle(file)
    kept = {ngram: frequency for ngram, frequency in counts.items() if frequency >= 2}
    return DocumentFrequencies(NGramTrie.from_counts(kept), documents, UNKNOWN, UNKNOWN, _name_of(file))


def resolve(
    df: str | os.PathLike[str] | DocumentFrequencies | None, tokenizer: str = "ptb", language: str = "en"
) -> DocumentFrequencies | None:
    """The table that `--df` names. None: the frequencies of the corpus's own references.

    "corpus" is None, "coco" the table that ships; a file is a saved table, a pickle or any file of references,
    which are then tokenised as the captions are.

    >>> resolve("corpus") is None
    True
    """
    if df is None or df == "corpus":
        return None
    if isinstance(df, DocumentFrequencies):
        return df
    if df == "coco":
        return load(COCO)
    file = File(df)
    if array_file.is_array_file(file.head):
        return load(df)
    return from_pickle(file) if is_frequency_pickle(file) else from_references(file, tokenizer, language)


def _count(
    captions: Sequence[str], image: NDArray[np.int64], images: int, tokenizer: str, language: str, order: int, name: str
) -> DocumentFrequencies:
    if order < 1:
        raise InputError(f"n-grams of up to {order} words", field="order", fix="ask for 1 or more")
    if images < 1:
        raise InputError("there are no references to count", fix="give at least one image with its captions")
    vocabulary: dict[str, int] = {}
    tokens = tokenizer_by_name(tokenizer)(captions, vocabulary)
    tokens, words = split_at_white_space(tokens, list(vocabulary))
    trie = count_documents(tokens, image, words, order=order, least=2)
    return DocumentFrequencies(trie, images, tokenizer, language, name)


def _name_of(references: Any) -> str:
    """Return the name of references in a signature: a file's name without its endings."""
    first = references[0] if isinstance(references, list | tuple) and references else references
    if isinstance(first, File):
        first = first.name
    if not isinstance(first, str | os.PathLike):
        return "references"
    name = Path(first).name
    return re.sub(r"[^\w.-]+", "-", name.split(".")[0]).strip("-") or "references"
