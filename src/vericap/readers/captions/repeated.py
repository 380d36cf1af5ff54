"""Several candidates for one image: one rule, whether they stand in one row or in several."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vericap.arrays import Integers
from vericap.corpus.columns import take
from vericap.errors import InputError
from vericap.options.choices import Repeated
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.id_matching import Images, distinct_ids, refuse_two_types
from vericap.readers.messages import count, shown

_CHOOSE = "keep one, or choose what to do with --repeated first, keep or best; a file of references goes after -r"


def image_of_records(candidates: Captions, repeated: Repeated) -> tuple[Integers, Images]:
    """The image of each record, numbered in the order of their first appearance, and the images by id.

    Several captions are several captions, whether they stand in several rows or in one list: "error" refuses them,
    "keep" and "best" leave them here; "first" has been done by `first_of_each`.

    >>> found = Captions("results.json", ["a dog", "a cat", "dogs"], [7, 8, 7], records=3)
    >>> image_of_records(found, "keep")[0].tolist()
    [0, 1, 0]
    """
    refuse_lists(candidates, repeated)
    if candidates.ids is None:
        return np.arange(candidates.records), Images((), lambda _: (candidates.source, ""))
    image, ids, first = distinct_ids(candidates.ids)
    images = Images(ids, lambda i: (candidates.source, candidates.row_name(int(first[i]))))
    refuse_two_types(ids, images)
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


def first_of_each(candidates: Captions, repeated: Repeated) -> Captions:
    """The candidates, where "first" is chosen without all but the first caption of each image.

    >>> found = Captions("results.json", ["a dog", "a cat", "dogs"], [7, 8, 7], records=3)
    >>> first_of_each(found, "first").captions
    ['a dog', 'a cat']
    """
    _refuse_no_caption(candidates)
    if repeated != "first":
        return candidates
    record = candidates.records_of_captions
    image = record if candidates.ids is None else distinct_ids(candidates.ids)[0][record]
    kept = np.unique(image, return_index=True)[1]
    kept.sort()
    if len(kept) == len(candidates):
        return candidates
    note = f"{count(len(candidates) - len(kept), 'caption')} of images that have one already left out"
    records, place = np.unique(record[kept], return_inverse=True)
    rows = records.tolist()
    return replace(
        candidates,
        captions=take(candidates.captions, kept),
        ids=None if candidates.ids is None else take(candidates.ids, records),
        record=place,
        records=len(rows),
        fields={name: [column[row] for row in rows] for name, column in candidates.fields.items()},
        row_name=lambda row: candidates.row_name(rows[row]),
        notes=(*candidates.notes, note),
    )


def refuse_lists(candidates: Captions, repeated: Repeated) -> None:
    """An error for a row with a list of several captions, where several are refused."""
    if repeated != "error" or candidates.record is None:
        return
    counts = np.bincount(candidates.record, minlength=candidates.records)
    if counts.max() > 1:
        row = int(np.argmax(counts > 1))
        named = "the row" if candidates.ids is None else f"image {shown(candidates.ids[row])}"
        problem = f"{named} has {counts[row]} captions"
        raise InputError(problem, source=candidates.source, row=candidates.row_name(row), fix=_CHOOSE)


def _refuse_no_caption(candidates: Captions) -> None:
    if candidates.record is None:
        return
    counts = np.bincount(candidates.record, minlength=candidates.records)
    if not counts.all():
        raise InputError(
            "the image has an empty list of captions",
            source=candidates.source,
            row=candidates.row_name(int(np.argmin(counts))),
            fix="give a caption, or leave the image out",
        )
