"""Captions of several captioners over the same images → one Corpus."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from vericap.arrays import Integers
from vericap.choices import Missing, Repeated
from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.readers.captions.join import join
from vericap.readers.captions.sources import read_captions, read_references
from vericap.readers.id_matching import Images, images_of, match_images
from vericap.readers.messages import listed_ids

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
    shown = images_of(base, first)
    places = [_same_images(images_of(corpus, name), name, shown, first) for name, corpus in corpora.items()]
    return Corpus(
        [image_id for corpus in corpora.values() for image_id in corpus.image_ids],
        [caption for corpus in corpora.values() for caption in corpus.candidates],
        np.concatenate([place[corpus.image] for place, corpus in zip(places, corpora.values(), strict=True)]),
        base.references,
        base.reference_offsets,
        {SYSTEM: [name for name, corpus in corpora.items() for _ in range(len(corpus))]},
        tuple(dict.fromkeys(note for corpus in corpora.values() for note in corpus.notes)),
    )


def _same_images(ours: Images, name: str, theirs: Images, first: str) -> Integers:
    """The number of each of a captioner's images among the first captioner's, which must be the same images."""
    target = match_images(ours, theirs)
    unknown = np.flatnonzero(target < 0).tolist()
    lacking = np.setdiff1d(np.arange(len(theirs.ids)), target).tolist()
    for one, other, images, rows in ((name, first, theirs, lacking), (first, name, ours, unknown)):
        if rows:
            raise InputError(
                f"it has no caption for {len(rows)} of the images that {other} has: {listed_ids(images.ids, rows)}",
                source=one,
                fix="compare captioners over the same images",
            )
    return target
