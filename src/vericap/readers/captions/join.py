"""Candidates and references, joined by image id or by position → Corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from vericap.arrays import Booleans, Integers
from vericap.corpus import Corpus, ImageId
from vericap.corpus.columns import blank_rows, take
from vericap.corpus.references import References
from vericap.errors import InputError
from vericap.options.choices import Missing, Repeated, Uncaptioned
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.captions.repeated import first_of_each, image_of_records
from vericap.readers.captions.uncaptioned import with_empty_captions, without_caption
from vericap.readers.fields import EVERY
from vericap.readers.id_matching import Images, match_images
from vericap.readers.messages import count, listed, listed_ids, shown
from vericap.readers.missing import without


def join(
    candidates: Captions,
    references: References | None = None,
    *,
    missing: Missing = "error",
    repeated: Repeated = "error",
    uncaptioned: Uncaptioned = "skip",
    fields: Sequence[str] = (),
) -> Corpus:
    """A corpus of the candidates, in their order, with the references of their images.

    >>> from vericap.readers.captions.references import group
    >>> found = Captions("results.json", ["a dog", "a cat"], ids=["0042.jpg", "7.jpg"], records=2)
    >>> given = Captions("captions.json", ["one cat", "one dog", "dogs"], ids=[7, 42, 42], records=3)
    >>> corpus = join(found, group([given]))
    >>> corpus.image_ids, corpus.references, corpus.reference_offsets.tolist()
    (['0042.jpg', '7.jpg'], ['one dog', 'dogs', 'one cat'], [0, 2, 3])
    """
    candidates = first_of_each(candidates, repeated)
    record = candidates.records_of_captions
    image_of_record, images = image_of_records(candidates, repeated)
    image = image_of_record[record]
    corpus = Corpus(_ids(candidates, record), candidates.captions, image, notes=candidates.notes)
    target = None
    if references is not None:
        target = _match(candidates, images, references)
        if uncaptioned != "skip" and (left_out := without_caption(references, target)):
            filled = with_empty_captions(candidates, references, left_out, uncaptioned)
            return join(filled, references, missing=missing, repeated=repeated, fields=fields)
        captions, offsets = references.of_images(target)
        corpus = replace(corpus, references=captions, reference_offsets=offsets)
    corpus = replace(corpus, fields=_fields(fields, candidates, record, references, target, image))
    if references is not None and target is not None:
        lacking = (np.diff(corpus.reference_offsets) == 0)[image]
        if lacking.any():
            if missing == "error":
                raise _no_references(corpus, lacking, candidates, references)
            sources = f"{candidates.source}, {references.source}"
            corpus = without(corpus, lacking, missing, "references", sources)
        corpus = _with_notes(corpus, *_notes_on_references(corpus, references, target))
    return _with_notes(corpus, *_notes_on_candidates(corpus, candidates.source))


def _ids(candidates: Captions, record: Integers) -> Sequence[ImageId]:
    """The image id of each caption; its place where there are no ids."""
    given: Sequence[ImageId] = range(candidates.records) if candidates.ids is None else candidates.ids
    return given if candidates.record is None else take(given, record)


def _match(candidates: Captions, images: Images, references: References) -> Integers:
    """For each image of the candidates its image in the references, or -1."""
    if (candidates.ids is None) != (references.ids is None):
        source, other = candidates.source, references.source
        if candidates.ids is not None:
            source, other = other, source
        raise InputError(
            f"it has no image ids, but {other} has them", source=source, fix="give ids on both sides or on neither"
        )
    if candidates.ids is not None:
        return match_images(images, references.named_images)
    if candidates.records != references.images:
        raise InputError(
            f"it has {references.images} rows, but {candidates.source} has {candidates.records}",
            source=references.source,
            fix="give one row of references for each candidate",
        )
    return np.arange(candidates.records)


def _no_references(corpus: Corpus, lacking: Booleans, candidates: Captions, references: References) -> InputError:
    first, more = int(np.argmax(lacking)), int(lacking.sum()) - 1
    return InputError(
        f"image {shown(corpus.image_ids[first])}{f' (and {more} more)' if more else ''} has no references in "
        f"{references.source}",
        source=candidates.source,
        row=candidates.row_name(int(candidates.records_of_captions[first])),
        fix="add them, or choose --missing drop or --missing zero",
    )


def _fields(
    names: Sequence[str],
    candidates: Captions,
    record: Integers,
    references: References | None,
    target: Integers | None,
    image: Integers,
) -> dict[str, list[Any]]:
    """The columns to keep: from the candidates, or from what the references say about the image."""
    columns: dict[str, list[Any]] = {}
    if EVERY in names:
        names = [*candidates.fields, *(name for name in names if name != EVERY and name not in candidates.fields)]
    for name in names:
        if name in candidates.fields:
            column = candidates.fields[name]
            columns[name] = [column[i] for i in record.tolist()]
        elif references is not None and target is not None and name in references.fields:
            column = references.fields[name]
            columns[name] = [column[i] if i >= 0 else None for i in target[image].tolist()]
        else:
            sources = candidates.source if references is None else f"{candidates.source}, {references.source}"
            there = listed(candidates.names)
            raise InputError(f"no row has this field; the fields are: {there}", source=sources, field=name)
    return columns


def _with_notes(corpus: Corpus, *notes: str) -> Corpus:
    return replace(corpus, notes=(*corpus.notes, *notes)) if notes else corpus


def _notes_on_references(corpus: Corpus, references: References, target: Integers) -> list[str]:
    notes = list(references.notes)
    unused = references.images - int((target >= 0).sum())
    if unused:
        notes.append(f"left out: {count(unused, 'image')} of the references without a candidate")
    empty = len(blank_rows(corpus.references))
    if empty:
        notes.append(f"{count(empty, 'reference')} empty")
    return notes


def _notes_on_candidates(corpus: Corpus, source: str) -> list[str]:
    empty = blank_rows(corpus.candidates)
    if not empty:
        return []
    return [f"{len(empty):,} of {len(corpus):,} captions in {source} empty: {listed_ids(corpus.image_ids, empty)}"]
