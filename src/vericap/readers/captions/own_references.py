"""References that stand in the rows of the candidates, and a file that would be its own reference."""

from __future__ import annotations

import os
from os import PathLike
from typing import Any

import numpy as np

from vericap.corpus.references import References
from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.captions.references import group
from vericap.readers.id_matching import number_ids
from vericap.readers.messages import shown


def own_references(candidates: Captions) -> References | None:
    """The references that candidates bring along; of an image with several rows, those of the first, which the
    others must repeat.

    >>> rows = Captions("rows", ["a dog", "a cat"], [7, 7], np.array([0, 1]), 2)
    >>> own_references(Captions("results.csv", ["dogs", "dog"], [7, 7], records=2, references=rows))
    Traceback (most recent call last):
    vericap.errors.InputError: results.csv, row 2: image 7 has other references here than in row 1; give an image ...
    """
    given = candidates.references
    if given is None:
        return None
    if given.ids is None:
        return group([given])
    image = number_ids({}, given.ids)
    first = np.unique(image, return_index=True)[1]
    record = given.records_of_captions
    if len(first) == len(image):
        return group([given])
    bounds = np.searchsorted(record, np.arange(given.records + 1)).tolist()
    captions = given.captions
    for row, number in enumerate(image.tolist()):
        at = int(first[number])
        if captions[bounds[row] : bounds[row + 1]] != captions[bounds[at] : bounds[at + 1]]:
            raise InputError(
                f"image {shown(given.ids[row])} has other references here than in row {candidates.row_name(at)}",
                source=candidates.source,
                row=candidates.row_name(row),
                fix="give an image the same references in all its rows",
            )
    kept = np.isin(record, first)
    rows = first[np.argsort(first)].tolist()
    return group(
        [
            Captions(
                given.source,
                [captions[i] for i in np.flatnonzero(kept).tolist()],
                [given.ids[row] for row in rows],
                np.searchsorted(rows, record[kept]),
                len(rows),
                row_name=lambda row: given.row_name(rows[row]),
            )
        ]
    )


def refuse_itself(candidates: Any, left: Captions, references: list[Any], right: References) -> None:
    """An error for a file that is candidates and references at once with the same captions on both sides."""
    if not any(_is_same_file(candidates, one) for one in references) or list(left.captions) != list(right.captions):
        return
    raise InputError(
        "the captions are their own references, so every score would be perfect",
        source=left.source,
        fix="give the file of the references with -r, or say which column holds them: --field references=NAME",
    )


def _is_same_file(one: Any, other: Any) -> bool:
    if not isinstance(one, (str, PathLike)) or not isinstance(other, (str, PathLike)):
        return False
    try:
        return os.path.samefile(one, other)  # noqa: PTH121  # Path.samefile raises for what is no path
    except (OSError, ValueError):
        return os.fspath(one) == os.fspath(other)
