"""What the scorers share: pycocoevalcap's two dictionaries of tokenised captions, checked and made views."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.text.vocabulary import Tokens, encode
from vericap.views import Views

Captions: TypeAlias = Mapping[Hashable, list[str]]


class CaptionsError(InputError, AssertionError):
    """Captions that the original refuses: it asserts, so a script may catch an AssertionError."""


class TokenizedViews(Views):
    """Views of captions whose tokens stand between single blanks.

    The original's ROUGE-L finds one empty word in an empty caption, and one between two blanks; its BLEU and
    CIDEr split at any white space and find none. The views keep that apart as `tokens` and `words`.

    >>> views = TokenizedViews(Corpus.from_lists(["a  dog"], [[""]]), tokenizer="none")
    >>> views.tokens.candidates.lengths.tolist(), views.words.candidates.lengths.tolist()
    ([3], [2])
    >>> views.tokens.references.lengths.tolist(), views.words.references.lengths.tolist()
    ([1], [0])
    """

    @cached_property
    def tokens(self) -> Tokens:
        vocabulary: dict[str, int] = {}
        captions = encode([*self.corpus.candidates, *self.corpus.references], _at_blanks, vocabulary)
        return Tokens.split(captions, len(self.corpus), list(vocabulary))


def tokenized_views(gts: Captions, res: Captions) -> Views:
    """Views of `res` {id: [caption]} against `gts` {id: [reference, …]}, rows in the order of `gts`.

    >>> views = tokenized_views({2: ["a dog"], 1: ["a cat", "one cat"]}, {1: ["the cat"], 2: ["a dog"]})
    >>> views.corpus.candidates
    ['a dog', 'the cat']
    """
    candidates, references = aligned(gts, res)
    return TokenizedViews(Corpus.from_lists(candidates, references), tokenizer="none")


def aligned(gts: Captions, res: Captions) -> tuple[list[str], list[list[str]]]:
    """The captions and their references, in the order of `gts`, after the original's checks."""
    if gts.keys() != res.keys():
        unmatched = next(iter(gts.keys() ^ res.keys()))
        lacking = "caption in res" if unmatched in gts else "references in gts"
        raise CaptionsError(
            f"image {unmatched!r} has no {lacking}",
            fix="give gts and res the same image ids (1 and '1' are two)",
        )
    for image in gts:
        _check("gts", image, gts[image])
        _check("res", image, res[image])
        if len(res[image]) != 1:
            count = len(res[image])
            raise CaptionsError(f"res[{image!r}] has {count} captions", fix="give one for each image")
    return [res[image][0] for image in gts], list(gts.values())


def _check(name: str, image: Hashable, texts: Sequence[str]) -> None:
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise CaptionsError(
            f"{name}[{image!r}] is not a list of captions", fix=f"write {name}[{image!r}] = ['a dog runs']"
        )


def _at_blanks(caption: str) -> list[str]:
    return caption.split(" ")
