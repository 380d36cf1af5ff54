"""Captions from files and Python objects → Corpus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, get_args

from vericap.corpus import Corpus
from vericap.corpus.references import References
from vericap.errors import InputError, not_a_set
from vericap.options.choices import Missing, Repeated, Uncaptioned
from vericap.readers import formats
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.captions.caption_shapes import from_value
from vericap.readers.captions.join import join
from vericap.readers.captions.own_references import own_references, refuse_itself
from vericap.readers.captions.references import group
from vericap.readers.captions.splits import of_split
from vericap.readers.fields import EVERY, Fields, Side, Wanted
from vericap.readers.files import File
from vericap.readers.shards import concatenated, shards


def load(
    candidates: Any,
    references: Any = None,
    *,
    missing: Missing = "error",
    repeated: Repeated = "error",
    uncaptioned: Uncaptioned = "skip",
    split: str | None = None,
    fields: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
) -> Corpus:
    """A corpus from candidates and references: paths ("-" is standard input) or Python objects.

    `missing`: what to do with a candidate whose image has no references: "error", "drop" (leave it out) or
    "zero" (keep it, with no references). `repeated`: two captions for one image are an "error", take the "first", or
    "keep" both. `uncaptioned`: images of the references without a caption are an "error", left out ("skip"), or scored
    as an empty caption ("zero"). `split`: of the references, the images of this split alone. Candidates whose rows
    hold references need no others.
    `fields`: further fields to keep, of the candidates or of the references' images; "*" is all of the candidates'.
    `columns` names the column of a
    role (`image_id`, `caption`, `references`) where it has none of the usual names: {"caption": "answer"}.

    >>> given = {"COCO_val2014_000000000042.jpg": ["a running dog", "dogs"], "7.jpg": ["a cat"]}
    >>> corpus = load({42: "a dog runs"}, given)
    >>> corpus.image_ids, corpus.references_of(0), corpus.notes
    ([42], ['a running dog', 'dogs'], ('left out: 1 image of the references without a candidate',))
    """
    for name, value, choices in (
        ("missing", missing, Missing),
        ("repeated", repeated, Repeated),
        ("uncaptioned", uncaptioned, Uncaptioned),
    ):
        if value not in get_args(choices):
            fix = f"choose one of {', '.join(get_args(choices))}"
            raise InputError(f"`{value}` is not a choice", field=name, fix=fix)
    if _is_standard_input(candidates) and any(map(_is_standard_input, several(references))):
        raise InputError("candidates and references are both standard input", fix="give one as a file")
    left = read_captions(candidates, fields=fields, columns=columns)
    if references is None:
        right = own_references(left)
    else:
        # What the candidates say about themselves goes first.
        wanted = [name for name in fields if name not in left.fields and name != EVERY]
        right = read_references(references, fields=wanted, columns=columns, split=split)
        refuse_itself(candidates, left, several(references), right)
    return join(left, right, missing=missing, repeated=repeated, uncaptioned=uncaptioned, fields=fields)


def read_captions(
    source: Any,
    *,
    side: Side = "candidates",
    fields: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
    name: str | None = None,
) -> Captions:
    """The captions of one source.

    >>> read_captions([{"image_id": 42, "caption": "a dog"}]).ids
    [42]
    """
    return _read(source, Wanted(side, Fields(columns or {}), tuple(fields)), name or side)


def read_references(
    source: Any,
    *,
    fields: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
    split: str | None = None,
) -> References:
    """References grouped by image, from one source or from a list of paths; of a split alone, if one is named.

    >>> read_references({7: ["a cat", "one cat"]}).captions
    ['a cat', 'one cat']
    """
    wanted = Wanted("references", Fields(columns or {}, optional=True), tuple(fields), split=split)
    return group([of_split(_read(one, wanted, "references"), split) for one in several(source)])


def several(source: Any) -> list[Any]:
    """The paths of a list of paths, or the source itself. A list of strings is a list of captions."""
    paths = isinstance(source, (list, tuple)) and source and all(isinstance(path, PathLike) for path in source)
    return list(source) if paths else [source]


def _is_standard_input(source: Any) -> bool:
    return isinstance(source, (str, PathLike)) and File(source).is_standard_input


def _read(source: Any, wanted: Wanted, name: str) -> Captions:
    if isinstance(source, (str, PathLike)):
        several_files = shards(source)
        if several_files is not None:
            files, notes = several_files
            return concatenated([_read(each, wanted, name) for each in files], str(source), notes)
        source = File(source)
    if isinstance(source, File):
        captions: Captions = formats.read("captions", source, wanted)
        return captions
    if isinstance(source, (Mapping, list, tuple)):
        return from_value(source, wanted, name)
    from vericap.readers.captions.caption_tables import from_object

    table = from_object(source, wanted, name)
    if table is not None:
        return table
    if isinstance(source, Iterable) and not isinstance(source, (bytes, bytearray)):
        source = list(not_a_set(source, name, "give a list, or {image id: caption}"))
    return from_value(source, wanted, name)
