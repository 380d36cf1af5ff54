"""The references of one or several sources, grouped by image."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from vericap.arrays import Integers
from vericap.corpus import ImageId
from vericap.corpus.image_ids import Images
from vericap.corpus.references import References
from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.id_matching import distinct_ids, number_ids, refuse_two_types


def group(sources: Sequence[Captions]) -> References:
    """Return the references of all sources by image: by id, or by position when no source has ids.

    >>> ref_0 = Captions("ref-0", ["a dog", "a cat"], records=2)
    >>> ref_1 = Captions("ref-1", ["one dog", "cats"], records=2)
    >>> references = group([ref_0, ref_1])
    >>> references.captions, references.image.tolist()
    (['a dog', 'a cat', 'one dog', 'cats'], [0, 1, 0, 1])
    """
    captions = sources[0].captions if len(sources) == 1 else [text for source in sources for text in source.captions]
    notes = tuple(note for source in sources for note in source.notes)
    about: dict[str, Any] = {"source": ", ".join(source.source for source in sources), "notes": notes}
    by_id = [source.ids is not None for source in sources]
    if not any(by_id):
        return _by_position(sources, captions, about)
    if not all(by_id):
        raise InputError(
            "it has no image ids, but other references have them",
            source=sources[by_id.index(False)].source,
            fix="give ids in all of them or in none",
        )
    return _by_id(sources, captions, about)


def _by_id(sources: Sequence[Captions], captions: Sequence[str], about: dict[str, Any]) -> References:
    ids: Sequence[ImageId]
    if len(sources) == 1:
        image, ids, first_record = distinct_ids(sources[0].ids or ())
        image = image if sources[0].record is None else image[sources[0].record]
        first_source = np.zeros_like(first_record)
    else:
        index: dict[ImageId, int] = {}
        parts: list[Integers] = []
        firsts: list[Integers] = []
        for source in sources:
            known = len(index)
            numbers = number_ids(index, source.ids or ())
            # Numbers are given in the order of appearance, so an image is new where its number is above all before.
            highest = np.maximum.accumulate(np.append(known - 1, numbers))
            firsts.append(np.flatnonzero(numbers > highest[:-1]))
            parts.append(numbers if source.record is None else numbers[source.record])
        image, ids, first_record = np.concatenate(parts), list(index), np.concatenate(firsts)
        first_source = np.repeat(np.arange(len(sources)), [len(first) for first in firsts])

    def place(image: int) -> tuple[str, int | str]:
        source = sources[first_source[image]]
        return source.source, source.row_name(int(first_record[image]))

    refuse_two_types(Images(ids, place))
    fields: dict[str, list[Any]] = {}  # what the sources say about each image where they name it first
    for name in sorted({name for source in sources for name in source.fields}):
        lacking = next((source for source in sources if name not in source.fields), None)
        if lacking is not None:
            problem = "the field is not there, but other references have it"
            raise InputError(problem, source=lacking.source, field=name, fix="add it to all of them or to none")
        first = zip(first_source.tolist(), first_record.tolist(), strict=True)
        fields[name] = [sources[source].fields[name][record] for source, record in first]
    aliases = {name: image_id for source in reversed(sources) for name, image_id in source.aliases.items()}
    return References.by_image(captions, image, ids=ids, place=place, aliases=aliases, fields=fields, **about)


def _by_position(sources: Sequence[Captions], captions: Sequence[str], about: dict[str, Any]) -> References:
    rows = sources[0].records
    for source in sources[1:]:
        if source.records != rows:
            raise InputError(
                f"it has {source.records} rows, but {sources[0].source} has {rows}",
                source=source.source,
                fix="give every reference file one row for each image",
            )
    image = np.concatenate([source.records_of_captions for source in sources])
    fields = {name: column for source in reversed(sources) for name, column in source.fields.items()}
    return References.by_image(captions, image, rows, fields=fields, **about)
