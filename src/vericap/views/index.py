"""The references of a training set, indexed once: words as numbers, tf-idf norms, document frequencies, as columns that
lie in one file, are mapped into memory, and are shared by all processes that read it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Integers, Ragged, offsets_of, rows_of
from vericap.corpus import ImageId, IntegerColumn
from vericap.corpus.references import References
from vericap.errors import InputError
from vericap.kernels.consensus import NGramMatcher, trie_table
from vericap.lexicon.frequencies import DocumentFrequencies, resolve
from vericap.lexicon.trie import NGramTrie, count_documents, rises
from vericap.readers import read_references
from vericap.readers.storage import array_file
from vericap.text.ngrams import inverse_document_frequency
from vericap.text.tokenizers import tokenizer as tokenizer_by_name
from vericap.text.vocabulary import split_at_white_space

KIND = "reference index"
FORMAT = 1


class IndexedReferences(References):
    """References as columns: `words` is what CIDEr and BLEU count, `tokens` what other metrics see, and `norms`
    [references, order] are the lengths of their tf-idf vectors.

    >>> index = IndexedReferences.build({7: ["a dog", "the dog"], 8: ["a cat"]}, tokenizer="whitespace")
    >>> index.images, len(index.words), index.rows([8, "7"]).tolist()
    (2, 3, [1, 0])
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any], name: str) -> None:
        self.arrays, self.facts, self.name = dict(arrays), dict(facts), name
        ids: Sequence[ImageId] = (
            IntegerColumn(arrays["image_ids"].view(np.int64))
            if "image_ids" in arrays
            else _read_texts(arrays, "image_names")
        )
        # The captions are words; where they are kept as they were written, `text` reads them.
        super().__init__((), arrays["image_offsets"].view(np.int64), ids=ids)
        self.order = int(facts["order"])
        self.tokenizer, self.language = str(facts["tokenizer"]), str(facts["language"])
        self.has_texts = "texts" in arrays  # whether references are there as they were written, besides their words
        self.words = Ragged(arrays["values"].view(np.int32), arrays["offsets"].view(np.int64))
        self.tokens = self.words
        if "token_values" in arrays:
            self.tokens = Ragged(arrays["token_values"].view(np.int32), arrays["token_offsets"].view(np.int64))
        self.kept: dict[Any, Any] = {}  # what views found for one batch and need for the next
        self.norms: NDArray[np.float64] = arrays["norms"].view(np.float64).reshape(-1, self.order)

    @classmethod
    def build(
        cls,
        references: Any,
        *,
        df: Any = "corpus",
        tokenizer: str = "ptb",
        language: str = "en",
        order: int = 4,
        end: str | None = None,
        more_words: Iterable[str] = (),
        texts: bool = False,
    ) -> IndexedReferences:
        """Reads and indexes references in any shape that can be read. `end` is a word that ends every caption,
        `more_words` get numbers although no reference may have them, and `texts` keeps references as they are written
        too."""
        read = read_references(references).grouped()
        if not read.images:
            raise InputError("there are no references", field="references", fix="give at least one image")
        captions, image = read.captions, read.image
        vocabulary: dict[str, int] = {}
        tokens = tokenizer_by_name(tokenizer)(captions, vocabulary)
        if end is not None:
            tokens = append_to_each(tokens, vocabulary.setdefault(end, len(vocabulary)))
        words, spelled = split_at_white_space(tokens, list(vocabulary))
        table = resolve(df, tokenizer, language)
        if table is None:
            trie = count_documents(words, image, spelled, order=order, least=2)
            table = DocumentFrequencies(trie, read.images, tokenizer, language, "references")
        else:
            table.check(tokenizer, language)
            _check_end(table, end)
        # The words of the table come first: there a word's number is its node.
        number = {word: i for i, word in enumerate(table.trie.words)}
        for word in (*spelled, *more_words):
            number.setdefault(word, len(number))
        renumber = np.array([number[word] for word in spelled], np.int32)
        arrays = {
            "values": renumber[words.values],
            "offsets": words.offsets,
            "image_offsets": read.offsets,
            **_texts("vocabulary", number),
            **_image_ids(read.ids if read.ids is not None else range(read.images)),
            **_nodes(table, order),
            **{f"df_{name}": values for name, values in table.trie.arrays.items()},
        }
        if words is not tokens:
            arrays |= {"token_values": renumber[tokens.values], "token_offsets": tokens.offsets}
        if texts:
            arrays |= _texts("texts", captions)
        facts: dict[str, Any] = {"kind": KIND, "format": FORMAT, "order": order, "end": end}
        facts |= {"tokenizer": tokenizer, "language": language}
        facts |= {"df": table.name, "df_order": table.order, "documents": table.documents}
        facts |= {"df_tokenizer": table.tokenizer, "df_language": table.language}
        without_norms = cls({**arrays, "norms": np.zeros(0)}, facts, table.name)
        squares = without_norms.matcher().squared_norms(without_norms.words.values, words.offsets)
        return cls({**arrays, "norms": np.sqrt(squares).ravel()}, facts, table.name)

    def save(self, path: str | os.PathLike[str], facts: Mapping[str, Any]) -> None:
        """Writes a file that `load` maps into memory. `facts` go with it."""
        unsigned = {name: values.view(f"<u{values.itemsize}") for name, values in self.arrays.items()}
        array_file.write(path, self.name, {**self.facts, **facts}, unsigned)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, verify: bool = True) -> IndexedReferences:
        """The index of a file that `save` wrote; it stays on disk until it is looked into."""
        name, facts, arrays, _ = array_file.read(path, verify=verify)
        source = os.fspath(path)
        again = "create the index again with reward.save(path)"
        array_file.check_format(facts, KIND, FORMAT, source, "an index of references", again)
        try:
            index = cls(arrays, facts, name)
            sound = index._is_sound()
        except (KeyError, ValueError, TypeError, IndexError):
            sound = False
        if not sound:
            raise InputError("this is not an index of references", source=source, fix="create it again")
        return index

    def text(self, reference: int) -> str:
        """A reference as it was written."""
        ends = self.arrays["texts_ends"]
        first = int(ends[reference - 1]) if reference else 0
        return self.arrays["texts"][first : int(ends[reference])].tobytes().decode("utf-8", "surrogatepass")

    @cached_property
    def vocabulary(self) -> list[str]:
        """Every word that has a number."""
        return _read_texts(self.arrays, "vocabulary")

    @cached_property
    def end(self) -> int:
        """The number of the word that ends every caption; -1 where there is none."""
        end = self.facts["end"]
        return -1 if end is None else self.number[end]

    @cached_property
    def number(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.vocabulary)}

    @cached_property
    def plain_number(self) -> dict[str, int]:
        """The numbers of words without white space inside; others are several words to BLEU and CIDEr."""
        odd = [word for word in self.vocabulary if len(word.split()) != 1]
        return {word: i for word, i in self.number.items() if word not in odd} if odd else self.number

    @cached_property
    def frequencies(self) -> DocumentFrequencies:
        """The table of document frequencies, for metrics that look it up themselves."""
        facts = self.facts
        trie = NGramTrie(
            {name.removeprefix("df_"): values for name, values in self.arrays.items() if name.startswith("df_")},
            int(facts["df_order"]),
        )
        return DocumentFrequencies(
            trie, int(facts["documents"]), str(facts["df_tokenizer"]), str(facts["df_language"]), str(facts["df"])
        )

    def matcher(self) -> NGramMatcher:
        """A matcher of n-grams with these document frequencies; one for each thread."""
        arrays = self.arrays
        return NGramMatcher(
            arrays["trie_table"].view(np.int32),
            arrays["root_weight"].view(np.int32),
            arrays["weights"].view(np.float64),
            self.order,
            float(np.log(max(int(self.facts["documents"]), 1.0))),
        )

    def rows(self, image_ids: Sequence[ImageId]) -> Integers:
        """Return the image that each id names; an error for an id without references."""
        found = self.named_images.find_numbers(image_ids)
        if found is None:
            found = np.array([self._row(row, image_id) for row, image_id in enumerate(image_ids)], np.int64)
        return found

    def _row(self, row: int, image_id: Any) -> int:
        if isinstance(image_id, np.integer):
            image_id = int(image_id)
        if not isinstance(image_id, int | str):
            raise InputError(
                f"the image id is of type {type(image_id).__name__}",
                row=row,
                field="image_ids",
                fix="give numbers or strings, one for each sample",
            )
        try:
            found = self.find(image_id)
        except InputError as error:
            raise InputError(error.problem, row=row, field="image_ids", fix="write it in full") from None
        if found < 0:
            raise InputError(
                f"image {image_id!r} has no references",
                row=row,
                field="image_ids",
                fix=f"index it too; ids look like {self.named_images.ids[0]!r}",
            )
        return found

    def _is_sound(self) -> bool:
        arrays, words = self.arrays, len(self.arrays["vocabulary_ends"])
        table, roots = arrays["trie_table"].view(np.int32).reshape(-1, 4), arrays["root_weight"].view(np.int32)
        sound = all(_is_ragged(column, words) for column in (self.words, self.tokens))
        sound &= rises(self.offsets) and int(self.offsets[-1]) == len(self.words) == len(self.norms)
        sound &= len(table) & (len(table) - 1) == 0 and bool((table[:, 0] == 0).any())
        if self.has_texts:
            ends = arrays["texts_ends"].view(np.int64)
            sound &= len(ends) == len(self.words) and rises(ends) and _is_within(ends, len(arrays["texts"]) + 1)
        sound &= all(_is_within(column, len(arrays["weights"])) for column in (table[:, 3], roots))
        return sound and len(arrays.get("image_ids", arrays.get("image_names_ends", ()))) == self.images


def append_to_each(captions: Ragged, token: int) -> Ragged:
    """Captions with a token behind the last of each.

    >>> append_to_each(Ragged.of([[1, 2], []]), 9).values.tolist()
    [1, 2, 9, 9]
    """
    values = np.insert(captions.values, captions.offsets[1:], token)
    return Ragged(values, captions.offsets + np.arange(len(captions.offsets)))


def _check_end(table: DocumentFrequencies, end: str | None) -> None:
    if end is not None and end not in table.trie.words:
        raise InputError(
            f"the document frequencies of {table.name} do not count the word {end!r} that ends a caption",
            field="eos",
            fix='use eos="ignored", df="corpus", or a table that was made from captions with this word',
        )


def _nodes(table: DocumentFrequencies, order: int) -> dict[str, NDArray[Any]]:
    """The trie as the kernel looks it up: a hash table of its nodes, and the different weights that they have."""
    arrays = table.trie.arrays
    counts = [arrays[f"count_{n}"] for n in range(1, min(order, table.order) + 1)]
    start = offsets_of([len(count) for count in counts])
    roots = len(counts[0])
    words: list[NDArray[Any]] = [np.arange(roots)]
    parents: list[NDArray[Any]] = [np.full(roots, -1)]
    for n in range(2, len(counts) + 1):
        words.append(arrays[f"word_{n}"])
        parents.append(start[n - 2] + rows_of(np.diff(arrays[f"first_{n}"].astype(np.int64))))
    different, weight = np.unique(np.concatenate(counts), return_inverse=True)
    parent, word = np.concatenate(parents).astype(np.int32), np.concatenate(words).astype(np.int32)
    return {
        "trie_table": trie_table(parent, word, weight.astype(np.int32), roots),
        "root_weight": weight[:roots].astype(np.int32),
        "weights": inverse_document_frequency(table.documents, different),
    }


def _texts(name: str, texts: Iterable[str]) -> dict[str, NDArray[Any]]:
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    ends = np.cumsum([len(text) for text in encoded], dtype=np.int64)
    return {name: np.frombuffer(b"".join(encoded), np.uint8), f"{name}_ends": ends}


def _read_texts(arrays: Mapping[str, NDArray[Any]], name: str) -> list[str]:
    blob, ends = arrays[name].tobytes(), arrays[f"{name}_ends"].tolist()
    return [blob[start:end].decode("utf-8", "surrogatepass") for start, end in pairwise([0, *ends])]


def _image_ids(ids: Sequence[ImageId]) -> dict[str, NDArray[Any]]:
    if all(isinstance(image_id, int) and -(1 << 63) <= image_id < 1 << 63 for image_id in ids):
        return {"image_ids": np.array(ids, np.int64)}
    return _texts("image_names", map(str, ids))


def _is_ragged(column: Ragged, words: int) -> bool:
    inside = len(column.offsets) and column.offsets[0] == 0 and column.offsets[-1] == len(column.values)
    return bool(inside and rises(column.offsets) and _is_within(column.values, words))


def _is_within(values: NDArray[Any], size: int) -> bool:
    return bool(values.min(initial=0) >= 0 and values.max(initial=0) < max(size, 1))
