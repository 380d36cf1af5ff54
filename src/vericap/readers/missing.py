"""Treatment of captions whose image is missing in a file of references, objects or regions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vericap.arrays import Booleans
from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.options.choices import Missing
from vericap.readers.messages import count, listed_ids, shown

SHOWING_NOTHING = "as images that show nothing"


def without(corpus: Corpus, lacking: Booleans, missing: Missing, what: str, source: str) -> Corpus:
    """The corpus when some rows lack references, objects or regions (`what`): refused, without the rows, or as it is.

    >>> corpus = Corpus.from_lists(["a dog", "a cat"], image_ids=[7, 8])
    >>> dropped = without(corpus, np.array([True, False]), "drop", "objects", "objects.json")
    >>> dropped.image_ids, dropped.notes
    ([8], ('1 candidate without objects left out: 7',))
    """
    rows = np.flatnonzero(lacking).tolist()
    if missing == "error":
        more = f" (and {len(rows) - 1} more)" if len(rows) > 1 else ""
        raise InputError(
            f"image {shown(corpus.image_ids[rows[0]])}{more} is not in the {what}",
            source=source,
            fix="add it (with an empty list if it shows none), or choose --missing drop or --missing zero",
        )
    some = f"{count(len(rows), 'candidate')} without {what}"
    ids = listed_ids(corpus.image_ids, rows)
    if missing == "zero":
        how = "at 0 where a metric compares with them" if what == "references" else SHOWING_NOTHING
        return replace(corpus, notes=(*corpus.notes, f"{some} kept, {how}: {ids}"))
    kept = np.flatnonzero(~lacking)
    if not len(kept):
        fix = "check that both files name images in the same way"
        raise InputError(f"no image of the candidates has {what} in it", source=source, fix=fix)
    return corpus.keep(kept, f"{some} left out: {ids}")
