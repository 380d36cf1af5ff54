"""Images of the references for which there is no caption: left out, refused, or scored as an empty caption."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from vericap.arrays import Integers
from vericap.corpus.references import References
from vericap.errors import InputError
from vericap.options.choices import Uncaptioned
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.messages import count, listed_ids


def without_caption(references: References, target: Integers) -> list[int]:
    """The images of the references that no candidate describes; `target` are those that one does.

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
    """The candidates and an empty caption for each of these images; an error where they must all have one."""
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
