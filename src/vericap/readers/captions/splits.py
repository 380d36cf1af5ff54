"""The images of one split of a data set, where its file says to which split each belongs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.fields import SPLIT_FIELDS
from vericap.readers.messages import listed


def of_split(captions: Captions, split: str | None) -> Captions:
    """The captions whose record is of a split; all of them where none is named.

    >>> rows = Captions("rows", ["a dog", "a cat"], [7, 8], records=2, fields={"split": ["train", "test"]})
    >>> of_split(rows, "test").captions
    ['a cat']
    """
    if split is None:
        return captions
    name = next((name for name in SPLIT_FIELDS if name in captions.fields), None)
    if name is None:
        fix = f"leave --split out, or add a field {SPLIT_FIELDS[0]}"
        raise InputError("it does not say to which split an image belongs", source=captions.source, fix=fix)
    said = [str(value) for value in captions.fields[name]]
    kept = [row for row, value in enumerate(said) if value == split]
    if not kept:
        there = listed(dict.fromkeys(said))
        problem = f"there is no split {split!r}; the splits are: {there}"
        raise InputError(problem, source=captions.source, field=name, fix="choose one of them")
    record = captions.records_of_captions
    rows = np.isin(record, kept)
    return replace(
        captions,
        captions=[captions.captions[i] for i in np.flatnonzero(rows).tolist()],
        ids=None if captions.ids is None else [captions.ids[row] for row in kept],
        record=np.searchsorted(kept, record[rows]),
        records=len(kept),
        fields={name: [column[row] for row in kept] for name, column in captions.fields.items()},
        row_name=lambda row: captions.row_name(kept[row]),
    )
