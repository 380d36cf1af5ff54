"""Candidates and references, joined by image id or by position → Corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.choices import Missing, Repeated
from vericap.corpus import Corpus, ImageId, canonical
from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.messages import shown


@dataclass(frozen=True, eq=False)
class References:
    """References of one or several sources, grouped by image: `image[i]` is the image of caption i.

    `ids` None: image i is record i of each source. Otherwise `first_source` and `first_record` say where the id
    of an image stands first.
    """

    sources: Sequence[Captions]
    captions: Sequence[str]
    image: NDArray[np.int64]
    images: int
    ids: Sequence[ImageId] | None = None
    first_source: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    first_record: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    fields: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    aliases: Mapping[str, ImageId] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """What errors call the references."""
        return ", ".join(source.source for source in self.sources)

    def where(self, image: int) -> str:
        """The row where an image's id stands first, in words."""
        source = self.sources[self.first_source[image]]
        return f"row {source.row_name(int(self.first_record[image]))} of {source.source}"


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
        return _group_by_position(sources, captions)
    if not all(by_id):
        raise InputError(
            "it has no image ids, but other references have",
            source=sources[by_id.index(False)].source,
            fix="give ids in all of them or in none",
        )
    index: dict[ImageId, int] = {}
    parts: list[NDArray[np.int64]] = []
    first_source: list[NDArray[np.int64]] = []
    first_record: list[NDArray[np.int64]] = []
    for number, source in enumerate(sources):
        known = len(index)
        image = _index(index, source.ids or ())
        images, record = np.unique(image, return_index=True)
        first_record.append(record[images >= known])
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
    _refuse_both_spellings(index, references.where)
    fields: dict[str, list[Any]] = {}
    for name in sorted({name for source in sources for name in source.fields}):
        lacking = next((source for source in sources if name not in source.fields), None)
        if lacking is not None:
            raise InputError("the field is not there, but other references have it", source=lacking.source, field=name)
        places = zip(references.first_source.tolist(), references.first_record.tolist(), strict=True)
        fields[name] = [sources[source].fields[name][record] for source, record in places]
    return References(**{**references.__dict__, "fields": fields}) if fields else references


def _group_by_position(sources: Sequence[Captions], captions: Sequence[str]) -> References:
    rows = sources[0].records
    for source in sources[1:]:
        if source.records != rows:
            raise InputError(
                f"it has {source.records} rows, but {sources[0].source} has {rows}",
                source=source.source,
                fix="give every reference file one row for each image",
            )
    image = np.concatenate([_records(source) for source in sources])
    fields = {name: column for source in reversed(sources) for name, column in source.fields.items()}
    return References(sources, captions, image, rows, fields=fields)


def _records(source: Captions) -> NDArray[np.int64]:
    return np.arange(source.records) if source.record is None else source.record


def _index(index: dict[ImageId, int], ids: Sequence[ImageId]) -> NDArray[np.int64]:
    """The number of each id in `index`, which takes in what is new."""
    number = index.setdefault
    return np.fromiter((number(image_id, len(index)) for image_id in ids), np.int64, len(ids))


def _refuse_both_spellings(index: Mapping[ImageId, int], where: Callable[[int], str]) -> None:
    """42 and "42" on one side: nobody knows whether they are one image."""
    if len(set(map(type, index))) < 2:
        return
    for image_id, image in index.items():
        if isinstance(image_id, int) and (other := index.get(str(image_id))) is not None:
            places = f'a number in {where(image)}, and the string "{image_id}" in {where(other)}'
            raise InputError(f"the image id {image_id} is {places}", fix="write it in one way")


def join(
    candidates: Captions,
    references: References | None = None,
    *,
    missing: Missing = "error",
    repeated: Repeated = "error",
    fields: Sequence[str] = (),
) -> Corpus:
    """A corpus of the candidates, in their order, with the references of their images.

    >>> found = Captions("results.json", ["a dog", "a cat"], ids=["0042.jpg", "7.jpg"], records=2)
    >>> given = Captions("captions.json", ["one cat", "one dog", "dogs"], ids=[7, 42, 42], records=3)
    >>> corpus = join(found, group([given]))
    >>> corpus.image_ids, corpus.references, corpus.reference_offsets.tolist()
    (['0042.jpg', '7.jpg'], ['one dog', 'dogs', 'one cat'], [0, 2, 3])
    """
    record = _records(candidates)
    _refuse_no_caption(candidates)
    by_record = _images_of_candidates(candidates, repeated)
    image = by_record[record]
    ids: Sequence[ImageId]
    if candidates.ids is None:
        ids = range(candidates.records) if candidates.record is None else record.tolist()
    else:
        ids = candidates.ids if candidates.record is None else [candidates.ids[i] for i in record.tolist()]
    texts = candidates.captions
    notes: list[str] = []
    given: Sequence[str] = ()
    offsets = np.zeros(1, np.int64)
    target = None
    if references is not None:
        target, lacking = _match(candidates, by_record, references)
        if lacking.any():
            rows = lacking[image]
            first = int(np.argmax(rows))
            count = int(rows.sum())
            if missing == "error":
                more = f" (and {count - 1} more)" if count > 1 else ""
                raise InputError(
                    f"image {shown(ids[first])}{more} has no references in {references.source}",
                    source=candidates.source,
                    row=candidates.row_name(int(record[first])),
                    fix='add them, or choose missing "drop" or "zero"',
                )
            some = _some(ids, np.flatnonzero(rows).tolist())
            if missing == "drop":
                kept = np.flatnonzero(~rows)
                if not len(kept):
                    raise InputError(
                        f"no image has references in {references.source}",
                        source=candidates.source,
                        fix="check that both files name images in the same way",
                    )
                notes.append(f"{_count(count, 'candidate')} without references left out: {some}")
                texts, ids = [texts[i] for i in kept.tolist()], [ids[i] for i in kept.tolist()]
                target = target[~lacking]
                image, record = (np.cumsum(~lacking) - 1)[image[kept]], record[kept]
            else:
                kept_as = "kept, at 0 where a metric compares with them"
                notes.append(f"{_count(count, 'candidate')} without references {kept_as}: {some}")
        given, offsets = _arrange(references, target)
        notes += _notes_on(references, target, given)
    if empty := [i for i, text in enumerate(texts) if not text or text.isspace()]:
        share = f"{len(empty):,} of {len(texts):,} captions"
        notes.append(f"{share} in {candidates.source} empty: {_some(ids, empty)}")
    columns = _fields(fields, candidates, record, references, None if target is None else target[image])
    return Corpus(ids, texts, image, given, offsets, columns, tuple(notes))


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


def _images_of_candidates(candidates: Captions, repeated: Repeated) -> NDArray[np.int64]:
    """The image of each record, numbered in the order of their first appearance."""
    if candidates.ids is None:
        return np.arange(candidates.records)
    index: dict[ImageId, int] = {}
    image = _index(index, candidates.ids)
    if len(index) == len(image) and len(set(map(type, index))) == 1:
        return image
    first = np.unique(image, return_index=True)[1]

    def name(image: int) -> int | str:
        return candidates.row_name(int(first[image]))

    _refuse_both_spellings(index, lambda i: f"row {name(i)} of {candidates.source}")
    if len(index) < len(image) and repeated == "error":
        again = np.ones(len(image), bool)
        again[first] = False
        row = int(np.argmax(again))
        raise InputError(
            f"image {shown(candidates.ids[row])} has a caption already, in row {name(int(image[row]))}",
            source=candidates.source,
            row=candidates.row_name(row),
            fix='keep one of them, or choose repeated "keep"',
        )
    return image


def _match(
    candidates: Captions, by_record: NDArray[np.int64], references: References
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """For each image of the candidates its image in the references, and whether it lacks references."""
    if (candidates.ids is None) != (references.ids is None):
        source, other = candidates.source, references.source
        if candidates.ids is not None:
            source, other = other, source
        raise InputError(
            f"it has no image ids, but {other} has", source=source, fix="give ids on both sides or on neither"
        )
    if candidates.ids is None or references.ids is None:
        if candidates.records != references.images:
            raise InputError(
                f"it has {references.images} rows, but {candidates.source} has {candidates.records}",
                source=references.source,
                fix="give one row of references for each candidate",
            )
        target = np.arange(candidates.records)
    else:
        first = np.unique(by_record, return_index=True)[1].tolist()
        target = match_ids(candidates, [candidates.ids[i] for i in first], first, references, references.ids)
    counts = np.bincount(references.image, minlength=references.images)
    lacking = target < 0
    lacking[~lacking] = counts[target[~lacking]] == 0
    return np.where(lacking, -1, target), lacking


def match_ids(
    candidates: Captions,
    ids: Sequence[ImageId],
    first: Sequence[int],
    references: References,
    reference_ids: Sequence[ImageId],
) -> NDArray[np.int64]:
    """Ids that are equal go first; then the file names that the references tell; then the canonical form."""
    index = dict(zip(reference_ids, range(len(reference_ids)), strict=True))
    target = np.fromiter((index.get(image_id, -1) for image_id in ids), np.int64, len(ids))
    unmatched = np.flatnonzero(target < 0).tolist()
    if not unmatched:
        return target
    aliases = {name: index[image_id] for name, image_id in references.aliases.items() if image_id in index}
    spellings: dict[str, set[int]] = {}
    for name, image in [*index.items(), *aliases.items()]:
        spellings.setdefault(canonical(name), set()).add(image)
    for i in unmatched:
        image_id = ids[i]
        if isinstance(image_id, str) and image_id in aliases:
            target[i] = aliases[image_id]
            continue
        images = sorted(spellings.get(canonical(image_id), ()))
        if len(images) > 1:
            one, two = (f"{shown(reference_ids[image])} ({references.where(image)})" for image in images[:2])
            raise InputError(
                f"image {shown(image_id)} may be {one} or {two}",
                source=candidates.source,
                row=candidates.row_name(first[i]),
                fix="write image ids in the same way on both sides",
            )
        if images:
            target[i] = images[0]
    taken: dict[int, int] = {}
    for i, image in enumerate(target.tolist()):
        if image >= 0 and taken.setdefault(image, i) != i:
            other = taken[image]
            raise InputError(
                f"image {shown(ids[i])} is the same as {shown(ids[other])} in row {candidates.row_name(first[other])}",
                source=candidates.source,
                row=candidates.row_name(first[i]),
                fix="write the id of an image in one way",
            )
    return target


def _arrange(references: References, target: NDArray[np.int64]) -> tuple[Sequence[str], NDArray[np.int64]]:
    """The references in the order of the candidates' images, and the offsets of each image."""
    rank = np.full(references.images + 1, -1)  # one more, for the candidates whose target is -1: nobody reads it
    rank[target] = np.arange(len(target))
    image = rank[references.image]
    used = np.flatnonzero(image >= 0)
    order = used[np.argsort(image[used], kind="stable")]
    counts = np.bincount(image[used], minlength=len(target))
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])
    captions = references.captions
    if len(order) == len(captions) and np.array_equal(order, np.arange(len(order))):
        return captions, offsets
    return [captions[i] for i in order.tolist()], offsets


def _notes_on(references: References, target: NDArray[np.int64], given: Sequence[str]) -> list[str]:
    notes = []
    unused = references.images - int((target >= 0).sum())
    if unused:
        notes.append(f"{_count(unused, 'image')} of the references without a candidate left out")
    empty = given.count("") + sum(map(str.isspace, given))
    if empty:
        notes.append(f"{_count(empty, 'reference')} empty")
    return notes


def _some(ids: Sequence[ImageId], rows: Sequence[int]) -> str:
    """The first few ids, for notes."""
    return ", ".join(shown(ids[i]) for i in rows[:5]) + (", …" if len(rows) > 5 else "")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _fields(
    names: Sequence[str],
    candidates: Captions,
    record: NDArray[np.int64],
    references: References | None,
    image: NDArray[np.int64] | None,
) -> dict[str, list[Any]]:
    """A column a field: from the candidates, or from what the references say about the image."""
    columns: dict[str, list[Any]] = {}
    for name in names:
        if name in candidates.fields:
            column = candidates.fields[name]
            columns[name] = [column[i] for i in record.tolist()]
        elif references is not None and image is not None and name in references.fields:
            column = references.fields[name]
            columns[name] = [column[i] if i >= 0 else None for i in image.tolist()]
        else:
            sources = candidates.source if references is None else f"{candidates.source}, {references.source}"
            fix = "name one that is there"
            raise InputError("no row has such a field", source=sources, field=name, fix=fix)
    return columns
