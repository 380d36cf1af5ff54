"""Captions of several captioners over the same images → one Corpus."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.choices import Missing, Repeated
from vericap.corpus import Corpus, canonical
from vericap.errors import InputError
from vericap.readers.captions.join import join
from vericap.readers.captions.sources import read_captions, read_references

SYSTEM = "system"  # the field that says whose caption a row of the common corpus is


def load_systems(
    systems: Mapping[str, Any], references: Any = None, *, missing: Missing = "error", repeated: Repeated = "error"
) -> Corpus:
    """One corpus of all captioners: the images and references of the first, rows one captioner after the other.

    The field `system` holds the name of each row's captioner.

    >>> corpus = load_systems({"one": {7: "a dog", 8: "a cat"}, "two": {"8.jpg": "cats", "7.jpg": "dogs"}})
    >>> corpus.candidates, corpus.image.tolist(), corpus.fields["system"]
    (['a dog', 'a cat', 'cats', 'dogs'], [0, 1, 1, 0], ['one', 'one', 'two', 'two'])
    """
    if len(systems) < 2:
        raise InputError(f"captioners to compare: {len(systems)}", fix="give at least two")
    shared = None if references is None else read_references(references)
    corpora = {
        name: join(read_captions(given, name=name), shared, missing=missing, repeated=repeated)
        for name, given in systems.items()
    }
    first, base = next(iter(corpora.items()))
    image: list[NDArray[np.int64]] = []
    for name, corpus in corpora.items():
        known, own = _images(base), _images(corpus)
        if known.keys() != own.keys():
            # Ids may be written in several ways: 42, "42", "0042.jpg".
            known, own = ({canonical(key): at for key, at in ids.items()} for ids in (known, own))
        for one, other, lacking in ((name, first, known.keys() - own.keys()), (first, name, own.keys() - known.keys())):
            if lacking:
                some = ", ".join(sorted(map(str, lacking))[:5]) + (", …" if len(lacking) > 5 else "")
                raise InputError(
                    f"it has no caption for {len(lacking)} of the images that {other} has: {some}",
                    source=one,
                    fix="compare captioners over the same images",
                )
        place = np.empty(len(own), np.int64)
        place[list(own.values())] = [known[key] for key in own]
        image.append(place[corpus.image])
    return Corpus(
        [image_id for corpus in corpora.values() for image_id in corpus.image_ids],
        [caption for corpus in corpora.values() for caption in corpus.candidates],
        np.concatenate(image),
        base.references,
        base.reference_offsets,
        {SYSTEM: [name for name, corpus in corpora.items() for _ in range(len(corpus))]},
        tuple(dict.fromkeys(note for corpus in corpora.values() for note in corpus.notes)),
    )


def _images(corpus: Corpus) -> dict[Any, int]:
    """Number of each image by its id."""
    return dict(zip(corpus.image_ids, corpus.image.tolist(), strict=True))
