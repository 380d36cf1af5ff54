"""The references of one or several sources, grouped by image."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from vericap.arrays import Integers, offsets_of
from vericap.corpus import ImageId
from vericap.corpus.columns import take
from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.id_matching import Images, distinct_ids, number_ids, refuse_two_types


@dataclass(frozen=True, eq=False)
class References:
    """References of one or several sources, grouped by image: `image[i]` is the image of caption i.

    `ids` None: image i is record i of each source. Otherwise `first_source` and `first_record` say where the id
    of an image occurs first.
    """

    sources: Sequence[Captions]
    captions: Sequence[str]
    image: Integers
    images: int
    ids: Sequence[ImageId] | None = None
    first_source: Integers = field(default_factory=lambda: np.zeros(0, np.int64))
    first_record: Integers = field(default_factory=lambda: np.zeros(0, np.int64))
    fields: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    aliases: Mapping[str, ImageId] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """What errors call the references."""
        return ", ".join(source.source for source in self.sources)

    @property
    def named_images(self) -> Images:
        """The images by id."""
        return Images(self.ids or (), self._place, self.aliases)

    def _place(self, image: int) -> tuple[str, int | str]:
        source = self.sources[self.first_source[image]]
        return source.source, source.row_name(int(self.first_record[image]))

    def of_images(self, images: Integers) -> tuple[Sequence[str], Integers]:
        """The references of some images, one image after the other, and their offsets; none for an image of -1.

        >>> references = group([Captions("given", ["one cat", "a dog", "cats"], [7, 42, 7], records=3)])
        >>> captions, offsets = references.of_images(np.array([1, -1, 0]))
        >>> captions, offsets.tolist()
        (['a dog', 'one cat', 'cats'], [0, 1, 1, 3])
        """
        rank = np.full(self.images + 1, -1)  # one more, for the images of -1: nobody reads it
        rank[images] = np.arange(len(images))
        image = rank[self.image]
        used = np.flatnonzero(image >= 0)
        order = used[np.argsort(image[used], kind="stable")]
        offsets = offsets_of(np.bincount(image[used], minlength=len(images)))
        if len(order) == len(self.captions) and np.array_equal(order, np.arange(len(order))):
            return self.captions, offsets
        return take(self.captions, order), offsets


def group(sources: Sequence[Captions]) -> References:
    """The references of all sources by image: by id, or by position when no source has ids.

    >>> ref_0 = Captions("ref-0", ["a dog", "a cat"], records=2)
    >>> ref_1 = Captions("ref-1", ["one dog", "cats"], records=2)
    >>> references = group([ref_0, ref_1])
    >>> references.captions, references.image.tolist()
    (['a dog', 'a cat', 'one dog', 'cats'], [0, 1, 0, 1])
    """
    captions = sources[0].captions if len(sources) == 1 else [text for source in sources for text in source.captions]
    by_id = [source.ids is not None for source in sources]
    if not any(by_id):
        return _by_position(sources, captions)
    if not all(by_id):
        raise InputError(
            "it has no image ids, but other references have them",
            source=sources[by_id.index(False)].source,
            fix="give ids in all of them or in none",
        )
    return _by_id(sources, captions)


def _by_id(sources: Sequence[Captions], captions: Sequence[str]) -> References:
    if len(sources) == 1:
        return _of_one(sources[0])
    index: dict[ImageId, int] = {}
    parts: list[Integers] = []
    first_source: list[Integers] = []
    first_record: list[Integers] = []
    for number, source in enumerate(sources):
        known = len(index)
        image = number_ids(index, source.ids or ())
        # Numbers are given in the order of appearance, so an image is new where its number is above all before.
        highest = np.maximum.accumulate(np.append(known - 1, image))
        first_record.append(np.flatnonzero(image > highest[:-1]))
        first_source.append(np.full(len(first_record[-1]), number))
        parts.append(image if source.record is None else image[source.record])
    references = References(
        sources,
        captions,
        np.concatenate(parts),
        len(index),
        list(index),
        np.concatenate(first_source),
        np.concatenate(first_record),
        aliases={name: image_id for source in reversed(sources) for name, image_id in source.aliases.items()},
    )
    refuse_two_types(list(index), references.named_images)
    return replace(references, fields=_fields(references))


def _of_one(source: Captions) -> References:
    """The references of a single source that has ids."""
    image, ids, first = distinct_ids(source.ids or ())
    references = References(
        [source],
        source.captions,
        image if source.record is None else image[source.record],
        len(ids),
        ids,
        np.zeros(len(ids), np.int64),
        first,
        aliases=source.aliases,
    )
    refuse_two_types(ids, references.named_images)
    return replace(references, fields=_fields(references))


def _fields(references: References) -> dict[str, list[Any]]:
    """What the sources say about each image where they name it first."""
    sources = references.sources
    fields: dict[str, list[Any]] = {}
    for name in sorted({name for source in sources for name in source.fields}):
        lacking = next((source for source in sources if name not in source.fields), None)
        if lacking is not None:
            problem = "the field is not there, but other references have it"
            raise InputError(problem, source=lacking.source, field=name, fix="add it to all of them or to none")
        places = zip(references.first_source.tolist(), references.first_record.tolist(), strict=True)
        fields[name] = [sources[source].fields[name][record] for source, record in places]
    return fields


def _by_position(sources: Sequence[Captions], captions: Sequence[str]) -> References:
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
    return References(sources, captions, image, rows, fields=fields)
