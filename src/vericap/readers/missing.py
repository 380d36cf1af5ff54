"""What becomes of captions whose image a file of references, objects or regions does not name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vericap.arrays import Booleans
from vericap.choices import Missing
from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.readers.messages import count, shown


def without(corpus: Corpus, lacking: Booleans, missing: Missing, what: str, source: str) -> Corpus:
    """What becomes of captions whose image no source of objects or regions names."""
    rows = np.flatnonzero(lacking)
    some = ", ".join(shown(corpus.image_ids[i]) for i in rows[:5].tolist()) + (", …" if len(rows) > 5 else "")
    if missing == "error":
        more = f" (and {len(rows) - 1} more)" if len(rows) > 1 else ""
        raise InputError(
            f"image {shown(corpus.image_ids[rows[0]])}{more} is not in the {what}",
            source=source,
            fix='add it (with an empty list if it shows none), or choose missing "drop" or "zero"',
        )
    if missing == "zero":
        note = f"{count(len(rows), 'candidate')} without {what} kept, as of images that show none: {some}"
        return replace(corpus, notes=(*corpus.notes, note))
    kept = np.flatnonzero(~lacking)
    if not len(kept):
        fix = "check that both files name images in the same way"
        raise InputError("it names no image of the candidates", source=source, fix=fix)
    return corpus.keep(kept, f"{count(len(rows), 'candidate')} without {what} left out: {some}")
