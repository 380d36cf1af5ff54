"""Captions of several captioners over the same images → one Corpus."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from vericap.arrays import Integers
from vericap.corpus import Corpus
from vericap.corpus.references import References
from vericap.errors import InputError
from vericap.options.choices import Missing, Repeated, Uncaptioned
from vericap.readers.captions.join import join
from vericap.readers.captions.sources import own_references, read_captions, read_references, refuse_itself, several
from vericap.readers.id_matching import Images, images_of, match_images
from vericap.readers.messages import listed_ids

SYSTEM = "system"  # the field that says whose caption a row of the common corpus is


def load_systems(
    systems: Mapping[str, Any],
    references: Any = None,
    *,
    missing: Missing = "error",
    repeated: Repeated = "error",
    uncaptioned: Uncaptioned = "skip",
    split: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Corpus:
    """Return one corpus of all captioners: the images and references of the first, rows one captioner after the other.

    The field `system` holds the name of each row's captioner. References in the rows of the captions are
    those of the first captioner; the others must have the same.

    >>> corpus = load_systems({"one": {7: "a dog", 8: "a cat"}, "two": {"8.jpg": "cats", "7.jpg": "dogs"}})
    >>> corpus.candidates, corpus.image.tolist(), corpus.fields["system"]
    (['a dog', 'a cat', 'cats', 'dogs'], [0, 1, 1, 0], ['one', 'one', 'two', 'two'])
    """
    if len(systems) < 2:
        raise InputError(f"captioners to compare: {len(systems)}", fix="give at least two")
    read = {name: read_captions(given, name=name, columns=columns) for name, given in systems.items()}
    if references is None:
        shared: dict[str, References | None] = {name: own_references(given) for name, given in read.items()}
    else:
        given_references = read_references(references, columns=columns, split=split)
        shared = dict.fromkeys(read, given_references)
        for name, given in read.items():
            refuse_itself(systems[name], given, several(references), given_references)
    corpora = {
        name: join(given, shared[name], missing=missing, repeated=repeated, uncaptioned=uncaptioned)
        for name, given in read.items()
    }
    first, base = next(iter(corpora.items()))
    shown = images_of(base, first)
    places = [_same_images(images_of(corpus, name), name, shown, first) for name, corpus in corpora.items()]
    if references is None:
        for (name, corpus), place in zip(corpora.items(), places, strict=True):
            _refuse_other_references(corpus, name, place, base, first)
    return Corpus(
        [image_id for corpus in corpora.values() for image_id in corpus.image_ids],
        [caption for corpus in corpora.values() for caption in corpus.candidates],
        np.concatenate([place[corpus.image] for place, corpus in zip(places, corpora.values(), strict=True)]),
        base.references,
        base.reference_offsets,
        {SYSTEM: [name for name, corpus in corpora.items() for _ in range(len(corpus))]},
        tuple(dict.fromkeys(note for corpus in corpora.values() for note in corpus.notes)),
    )


def _refuse_other_references(corpus: Corpus, name: str, place: Integers, base: Corpus, first: str) -> None:
    """Raise an error where the rows of a captioner hold other references than those of the first."""
    if corpus.has_references != base.has_references:
        with_them, without_them = (first, name) if base.has_references else (name, first)
        problem = f"its rows hold no references, and those of {with_them} do"
        raise InputError(problem, source=without_them, fix="give the references as a file: -r FILE")
    rows = np.unique(corpus.image, return_index=True)[1]
    for row, image in zip(rows.tolist(), place.tolist(), strict=True):
        start, end = base.reference_offsets[image : image + 2] if base.has_references else (0, 0)
        if corpus.references_of(row) != list(base.references[start:end]):
            problem = f"image {corpus.image_ids[row]!r} has other references than in {first}"
            raise InputError(problem, source=name, row=row + 1, fix="give the references as a file: -r FILE")


def _same_images(ours: Images, name: str, theirs: Images, first: str) -> Integers:
    """Return the number of each of a captioner's images among the first captioner's, which must be the same images."""
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
