"""`PTBTokenizer` with pycocoevalcap's call: CoreNLP 3.4.1's tokens without punctuation, and without Java."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from vericap.text.tokenizers import tokenizer


class PTBTokenizer:
    """Penn Treebank tokens, lower-cased, without COCO's list of punctuation.

    A caption with `\\r` or U+2028 in it stays in its row; the original moves all later captions by one.

    >>> PTBTokenizer().tokenize({7: [{"caption": "A dog's bone."}, {"caption": "Two dogs, running!"}], 8: []})
    {7: ["a dog 's bone", 'two dogs running']}
    """

    def tokenize(self, captions_for_image: Mapping[Hashable, Sequence[Mapping[str, Any]]]) -> dict[Hashable, list[str]]:
        """{id: [{"caption": text}]} → {id: [tokens joined by blanks]}; ids without captions are left out."""
        captions = [entry["caption"] for entries in captions_for_image.values() for entry in entries]
        vocabulary: dict[str, int] = {}
        rows = tokenizer("ptb")(captions, vocabulary)
        words = list(vocabulary)
        ids, ends = rows.values.tolist(), rows.offsets.tolist()
        lines = (" ".join([words[token] for token in ids[start:end]]) for start, end in pairwise(ends))
        return {image: [next(lines) for _ in entries] for image, entries in captions_for_image.items() if entries}
