"""Shared code of the scorers: captions that are tokenised already, checked as the originals check them, as views."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias

from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.metrics.base import Metric
from vericap.run.measure import Measured, measure
from vericap.run.selection import Selection
from vericap.text.vocabulary import Tokens, encode
from vericap.views import Source, Views

if TYPE_CHECKING:
    from vericap.lexicon.frequencies import DocumentFrequencies

Captions: TypeAlias = Mapping[Any, list[str]]  # {id: [reference, …]}
Results: TypeAlias = Captions | Sequence[Mapping[str, Any]]  # {id: [caption]}, or [{"image_id", "caption": [caption]}]


class CaptionsError(InputError, AssertionError):
    """Captions that the original refuses: it asserts, so a script may catch an AssertionError."""


class Named:
    """A scorer whose `method()` and `str` are what `names` says."""

    names: ClassVar[tuple[str, str]]

    def method(self) -> str:
        return self.names[0]

    def __str__(self) -> str:
        return self.names[1]


class TokensGiven(Source):
    """Captions whose tokens stand between single blanks.

    The original's ROUGE-L finds one empty word in an empty caption, and one between two blanks; its BLEU and
    CIDEr split at any white space and find none. The views keep that apart as `tokens` and `words`.

    >>> views = views_of(["a  dog"], [[""]])
    >>> views.tokens.candidates.lengths.tolist(), views.words.candidates.lengths.tolist()
    ([3], [2])
    >>> views.tokens.references.lengths.tolist(), views.words.references.lengths.tolist()
    ([1], [0])
    """

    def tokens(self, views: Views) -> Tokens:
        vocabulary: dict[str, int] = {}
        texts = [*self.corpus.candidates, *self.corpus.references]
        captions = encode(texts, lambda caption: caption.split(" "), vocabulary)
        return Tokens.in_alphabetical_order(captions, len(self.corpus), list(vocabulary))


def tokenized_views(gts: Captions, res: Results, frequencies: DocumentFrequencies | None = None) -> Views:
    """Views of `res` against `gts`, rows in the order of `gts`, or of `res` where that is a list.

    >>> views = tokenized_views({2: ["a dog"], 1: ["a cat", "one cat"]}, {1: ["the cat"], 2: ["a dog"]})
    >>> views.corpus.candidates
    ['a dog', 'the cat']
    """
    return views_of(*aligned(gts, res), frequencies)


def views_of(
    captions: Sequence[str], references: Sequence[list[str]], frequencies: DocumentFrequencies | None = None
) -> Views:
    """Views of tokenised captions, each an image of its own, with its references."""
    source = TokensGiven(Corpus.from_lists(captions, references))
    return Views(source, tokenizer="none", frequencies=frequencies)


def measured(views: Views, *metrics: Metric) -> Measured:
    """Return the metrics as the original computes them: also where `vericap.evaluate` says that a score is
    undefined."""
    return measure(views, Selection(metrics))


def aligned(gts: Captions, res: Results) -> tuple[list[str], list[list[str]]]:
    """Return the captions and their references, after the original's checks."""
    if isinstance(res, Mapping):
        for image in gts.keys() ^ res.keys():
            lacking = "caption in res" if image in gts else "references in gts"
            raise CaptionsError(
                f"image {image!r} has no {lacking}", fix="give gts and res the same image ids (1 and '1' are two)"
            )
        rows = [(image, res[image], f"res[{image!r}]") for image in gts]
    else:
        rows = [_entry(gts, row, entry) for row, entry in enumerate(res)]
    for image, captions, where in rows:
        _check(gts[image], f"gts[{image!r}]")
        _check(captions, where)
        if len(captions) != 1:
            raise CaptionsError(f"{where} has {len(captions)} captions", fix="give one for each image")
    return [captions[0] for _, captions, _ in rows], [gts[image] for image, _, _ in rows]


def _entry(gts: Captions, row: int, entry: Any) -> tuple[Hashable, list[str], str]:
    if not isinstance(entry, Mapping) or not {"image_id", "caption"} <= entry.keys():
        raise CaptionsError(
            f"res[{row}] is not an object with image_id and caption",
            fix='write res = [{"image_id": 1, "caption": ["a dog runs"]}, …]',
        )
    if entry["image_id"] not in gts:
        raise CaptionsError(
            f"image {entry['image_id']!r} has no references in gts",
            row=row + 1,
            fix="give references for each image of res (1 and '1' are two)",
        )
    return entry["image_id"], entry["caption"], f"res[{row}]['caption']"


def _check(texts: Any, where: str) -> None:
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise CaptionsError(f"{where} is not a list of captions", fix=f"write {where} = ['a dog runs']")


class Rows:
    """Captions and references that a script adds one after the other, as with the originals' scorer objects: `ctest`
    holds the captions, None for references alone; `crefs` their references.

    >>> rows = Rows("a dog", ["the dog"])
    >>> rows += ("a cat", ["a cat", "one cat"])
    >>> rows.size(), rows.views().corpus.candidates
    (2, ['a dog', 'a cat'])
    """

    def __init__(self, test: str | None = None, refs: Sequence[str] | None = None) -> None:
        self.ctest: list[str | None] = []
        self.crefs: list[list[str]] = []
        self.cook_append(test, refs)

    def cook_append(self, test: str | None, refs: Sequence[str] | None) -> None:
        """Add one caption with its references, or, without a caption, references alone."""
        if refs is not None:
            self.crefs.append(list(refs))
            self.ctest.append(test)

    def __iadd__(self, other: tuple[str | None, Sequence[str]] | Rows) -> Self:
        if isinstance(other, tuple):
            self.cook_append(*other)
        else:
            self.ctest.extend(other.ctest)
            self.crefs.extend(other.crefs)
        return self

    def size(self) -> int:
        return len(self.crefs)

    def clear(self) -> None:
        self.ctest, self.crefs = [], []

    def views(self, frequencies: DocumentFrequencies | None = None) -> Views:
        """Return views of all rows."""
        captions = []
        for row, (caption, references) in enumerate(zip(self.ctest, self.crefs, strict=True), 1):
            if caption is None:
                raise CaptionsError("the row has references, but no caption", row=row)
            if not references:
                raise CaptionsError("the row has no references", row=row)
            captions.append(caption)
        return views_of(captions, self.crefs, frequencies)
