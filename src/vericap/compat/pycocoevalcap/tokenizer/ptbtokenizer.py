"""`PTBTokenizer` with pycocoevalcap's call: CoreNLP 3.4.1's tokens without punctuation, and without Java."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, overload

from vericap.compat.pycocoevalcap.captions import CaptionsError
from vericap.text.tokenizers import tokenizer


class PTBTokenizer:
    """Penn Treebank tokens, lower-cased, without COCO's list of punctuation.

    It takes captions in the shapes of all code bases: {id: [{"caption": text}]}, {id: [text]}, {id: text}, lists of
    texts or of lists of them (M²), [{"image_id": id, "caption": text}] (pyciderevalcap), or one text; and it is called
    on the class or on an object of it. A caption with `\\r` or U+2028 in it stays in its row; the original moves all
    later captions by one.

    >>> PTBTokenizer().tokenize({7: [{"caption": "A dog's bone."}, {"caption": "Two dogs, running!"}], 8: []})
    {7: ["a dog 's bone", 'two dogs running']}
    >>> PTBTokenizer.tokenize(["A dog.", "Two dogs!"]), PTBTokenizer.tokenize("A dog.")
    ({0: ['a dog'], 1: ['two dogs']}, 'a dog')
    >>> PTBTokenizer("res").tokenize([{"image_id": 7, "caption": "A dog."}])
    [{'image_id': 7, 'caption': ['a dog']}]
    """

    def __init__(self, source: str = "gts") -> None:
        # pyciderevalcap names the shape, "gts" or "res"; the captions themselves say it too.
        self.source = source

    @overload
    @classmethod
    def tokenize(cls, captions_for_image: str) -> str: ...

    @overload
    @classmethod
    def tokenize(cls, captions_for_image: Mapping[Any, Any]) -> dict[Any, list[str]]: ...

    @overload
    @classmethod
    def tokenize(cls, captions_for_image: Sequence[Any]) -> Any: ...

    @classmethod
    def tokenize(cls, captions_for_image: Any) -> Any:
        """{id: [tokens joined by blanks]}; ids without captions are left out."""
        given = captions_for_image
        if isinstance(given, str):
            return _tokenized([given])[0]
        if not isinstance(given, Mapping):
            if given and all(isinstance(entry, Mapping) and "image_id" in entry for entry in given):
                lines = _tokenized([_text(entry, entry["image_id"]) for entry in given])
                return [
                    {"image_id": entry["image_id"], "caption": [line]} for entry, line in zip(given, lines, strict=True)
                ]
            given = dict(enumerate(given))
        texts = {image: _texts(captions, image) for image, captions in given.items()}
        tokenized = iter(_tokenized([text for each in texts.values() for text in each]))
        return {image: [next(tokenized) for _ in each] for image, each in texts.items() if each}


def _texts(captions: Any, image: Any) -> list[str]:
    several = [captions] if isinstance(captions, str | Mapping) else captions
    return [_text(caption, image) for caption in several]


def _text(caption: Any, image: Any) -> str:
    text = caption.get("caption") if isinstance(caption, Mapping) else caption
    if not isinstance(text, str):
        raise CaptionsError(
            f"image {image!r} has a caption that is not text, {text!r}", fix="write the caption as a string"
        )
    return text


def _tokenized(captions: list[str]) -> list[str]:
    """Captions as tokens joined by blanks."""
    vocabulary: dict[str, int] = {}
    rows = tokenizer("ptb")(captions, vocabulary)
    words = list(vocabulary)
    ids, ends = rows.values.tolist(), rows.offsets.tolist()
    return [" ".join([words[token] for token in ids[start:end]]) for start, end in pairwise(ends)]
