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
from vericap.readers.fields import EVERY
from vericap.readers.id_matching import Images, distinct_ids, match_images, refuse_two_types, without
from vericap.readers.messages import count, listed, listed_ids, shown

_CHOOSE = "keep one, or choose what to do with --repeated first, keep or best; a file of references goes after -r"


def join(
    candidates: Captions,
    references: References | None = None,
    *,
    missing: Missing = "error",
    repeated: Repeated = "error",
    uncaptioned: Uncaptioned = "skip",
    fields: Sequence[str] = (),
) -> Corpus:
    """Return a corpus of the candidates, in their order, with the references of their images.

    >>> from vericap.readers.captions.references import group
    >>> found = Captions("results.json", ["a dog", "a cat"], ids=["0042.jpg", "7.jpg"], records=2)
    >>> given = Captions("captions.json", ["one cat", "one dog", "dogs"], ids=[7, 42, 42], records=3)
    >>> corpus = join(found, group([given]))
    >>> corpus.image_ids, corpus.references, corpus.reference_offsets.tolist()
    (['0042.jpg', '7.jpg'], ['one dog', 'dogs', 'one cat'], [0, 2, 3])
    """
    if candidates.record is not None:
        _check_lists(candidates, repeated)
    if repeated == "first":
        candidates = first_of_each(candidates)
    record = candidates.records_of_captions
    image_of_record, images = image_of_records(candidates, repeated)
    image = image_of_record[record]
    given: Sequence[ImageId] = range(candidates.records) if candidates.ids is None else candidates.ids
    ids = given if candidates.record is None else take(given, record)
    corpus = Corpus(ids, candidates.captions, image, notes=candidates.notes)
    target = None
    if references is not None:
        if (candidates.ids is None) != (references.ids is None) or (
            candidates.ids is None and candidates.records != references.images
        ):
            raise _unlike(candidates, references)
        target = image_of_record if candidates.ids is None else match_images(images, references.named_images)
        if uncaptioned != "skip" and (left_out := without_caption(references, target)):
            filled = with_empty_captions(candidates, references, left_out, uncaptioned)
            return join(filled, references, missing=missing, repeated=repeated, fields=fields)
        captions, offsets = references.of_images(target)
        corpus = replace(corpus, references=captions, reference_offsets=offsets)
    if fields:
        corpus = replace(corpus, fields=_fields(fields, candidates, record, references, target, image))
    if references is not None:
        lacking = (np.diff(corpus.reference_offsets) == 0)[image]
        if lacking.any():
            if missing == "error":
                raise _no_references(corpus, lacking, candidates, references)
            corpus = without(corpus, lacking, missing, "references", f"{candidates.source}, {references.source}")
    notes = [*corpus.notes]
    if references is not None and target is not None:
        notes += references.notes
        if unused := references.images - int((target >= 0).sum()):
            notes.append(f"left out: {count(unused, 'image')} of the references without a candidate")
        if empty := len(blank_rows(corpus.references)):
            notes.append(f"{count(empty, 'reference')} empty")
    if blank := blank_rows(corpus.candidates):
        listing = listed_ids(corpus.image_ids, blank)
        notes.append(f"{len(blank):,} of {len(corpus):,} captions in {candidates.source} empty: {listing}")
    return replace(corpus, notes=tuple(notes))


def _unlike(candidates: Captions, references: References) -> InputError:
    """Return the error for sources of which one has image ids, or which have other numbers of rows without them."""
    if (candidates.ids is None) != (references.ids is None):
        source, other = candidates.source, references.source
        if candidates.ids is not None:
            source, other = other, source
        fix = "give ids on both sides or on neither"
        return InputError(f"it has no image ids, but {other} has them", source=source, fix=fix)
    return InputError(
        f"it has {references.images} rows, but {candidates.source} has {candidates.records}",
        source=references.source,
        fix="give one row of references for each candidate",
    )


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
    """Return the columns to keep: from the candidates, or from what the references say about the image."""
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


def image_of_records(candidates: Captions, repeated: Repeated) -> tuple[Integers, Images]:
    """Return the image of each record, numbered in the order of their first appearance, and the images by id.

    Several captions are several captions, whether they are in several rows or in one list: "error" refuses them,
    "keep" and "best" leave them here; "first" has been done by `first_of_each`.

    >>> found = Captions("results.json", ["a dog", "a cat", "dogs"], [7, 8, 7], records=3)
    >>> image_of_records(found, "keep")[0].tolist()
    [0, 1, 0]
    """
    if candidates.ids is None:
        return np.arange(candidates.records), Images((), lambda _: (candidates.source, ""))
    image, ids, first = distinct_ids(candidates.ids)
    images = Images(ids, lambda i: (candidates.source, candidates.row_name(int(first[i]))))
    refuse_two_types(images)
    if len(ids) < len(image) and repeated == "error":
        again = np.ones(len(image), bool)
        again[first] = False
        row = int(np.argmax(again))
        raise InputError(
            f"image {shown(candidates.ids[row])} has a caption already, in row {images.found(int(image[row]))[1]}",
            source=candidates.source,
            row=candidates.row_name(row),
            fix=_CHOOSE,
        )
    return image, images


def first_of_each(candidates: Captions) -> Captions:
    """Return the candidates without all but the first caption of each image.

    >>> found = Captions("results.json", ["a dog", "a cat", "dogs"], [7, 8, 7], records=3)
    >>> first_of_each(found).captions
    ['a dog', 'a cat']
    """
    record = candidates.records_of_captions
    image = record if candidates.ids is None else distinct_ids(candidates.ids)[0][record]
    kept = np.sort(np.unique(image, return_index=True)[1])
    if len(kept) == len(candidates):
        return candidates
    note = f"{count(len(candidates) - len(kept), 'caption')} of images that have one already left out"
    return candidates.keep(kept, np.unique(record[kept]), note)


def _check_lists(candidates: Captions, repeated: Repeated) -> None:
    """Raise an error for a row with an empty list of captions, and for one with several where several are refused."""
    counts = np.bincount(candidates.records_of_captions, minlength=candidates.records)
    if not counts.all():
        row, problem = int(np.argmin(counts)), "the image has an empty list of captions"
        fix = "give a caption, or leave the image out"
        raise InputError(problem, source=candidates.source, row=candidates.row_name(row), fix=fix)
    if repeated == "error" and counts.max() > 1:
        row = int(np.argmax(counts > 1))
        named = "the row" if candidates.ids is None else f"image {shown(candidates.ids[row])}"
        problem = f"{named} has {counts[row]} captions"
        raise InputError(problem, source=candidates.source, row=candidates.row_name(row), fix=_CHOOSE)


def without_caption(references: References, target: Integers) -> list[int]:
    """Return the images of the references that no candidate describes; `target` are those that one does.

    >>> from vericap.readers.captions.references import group
    >>> without_caption(group([Captions("given", ["a dog", "a cat"], [7, 8], records=2)]), np.array([1, -1]))
    [0]
    """
    described = np.zeros(references.images + 1, bool)
    described[target] = True
    return np.flatnonzero(~described[:-1]).tolist() if references.ids is not None else []


def with_empty_captions(
    candidates: Captions, references: References, images: Sequence[int], uncaptioned: Uncaptioned
) -> Captions:
    """Return the candidates and an empty caption for each of these images; an error where they must all have one."""
    ids = references.ids or ()
    if uncaptioned == "error":
        raise InputError(
            f"{count(len(images), 'image')} of {references.source} without a caption: {listed_ids(ids, images)}",
            source=candidates.source,
            fix="caption them, or choose --uncaptioned skip or --uncaptioned zero",
        )
    record = candidates.records_of_captions
    known = candidates.records

    def fill(name: str, column: Sequence[Any]) -> list[Any]:
        said = references.fields.get(name)
        return [*column, *(None if said is None else said[image] for image in images)]

    return replace(
        candidates,
        captions=[*candidates.captions, *([""] * len(images))],
        ids=[*(candidates.ids or ()), *(ids[image] for image in images)],
        record=np.append(record, np.arange(known, known + len(images))),
        records=known + len(images),
        fields={name: fill(name, column) for name, column in candidates.fields.items()},
        row_name=lambda row: candidates.row_name(row) if row < known else f"{row + 1} (no caption)",
        notes=(
            *candidates.notes,
            f"scored as an empty caption: {count(len(images), 'image')} of the references without a candidate",
        ),
    )
