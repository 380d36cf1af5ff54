"""How long a caption may be for metrics whose work grows faster than its length: far longer than any caption is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.views import Views

if TYPE_CHECKING:
    from vericap.lexicon.bags import Bags

# Different content words in one caption or reference, for WMD and VIFIDEL: transport takes the cube of it.
MOST_WORDS = 500
# Places at which a word of a caption is a word of its reference, for METEOR: each is a candidate for the alignment.
MOST_MATCHES = 4_000_000


def refuse_many_words(bags: Bags, corpus: Corpus, key: str) -> None:
    """Raises an error where a candidate or a reference has more different content words than can be moved."""
    sizes = np.diff(bags.offsets)
    if not len(sizes) or sizes.max() <= MOST_WORDS:
        return
    place = int(np.argmax(sizes > MOST_WORDS))
    what = f"candidate {place + 1}" if place < len(corpus) else f"reference {place - len(corpus) + 1}"
    raise InputError(
        f"{what} has {int(sizes[place]):,} different content words, and {key} moves at most {MOST_WORDS:,}",
        field="caption" if place < len(corpus) else "references",
        fix="shorten it, or leave the metric out",
    )


def refuse_many_matches(views: Views, key: str) -> None:
    """Raises an error where a candidate and a reference repeat the same words so often that nobody can align them."""
    captions, pairs, rows = views.tokens.captions, views.pairs, len(views.corpus)
    lengths = captions.lengths
    candidate = np.repeat(np.arange(rows), np.diff(pairs.offsets))
    reference = rows + pairs.reference
    long = np.flatnonzero(lengths[candidate] * lengths[reference] > MOST_MATCHES).tolist()
    for pair in long:
        left, right = captions[int(candidate[pair])], captions[int(reference[pair])]
        size = int(max(left.max(), right.max())) + 1
        matches = int(np.bincount(left, minlength=size) @ np.bincount(right, minlength=size))
        if matches > MOST_MATCHES:
            row = int(candidate[pair])
            raise InputError(
                f"image {views.corpus.image_ids[row]!r}: the caption and a reference share words at {matches:,} "
                f"places, and {key} aligns at most {MOST_MATCHES:,}",
                row=row + 1,
                field="caption",
                fix="shorten it, or leave the metric out",
            )
