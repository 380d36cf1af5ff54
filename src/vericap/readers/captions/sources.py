"""Captions from files, folders, patterns of names and Python objects → Corpus."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any, get_args

import numpy as np

from vericap.arrays import offsets_of
from vericap.corpus import Corpus
from vericap.corpus.references import References
from vericap.errors import InputError, not_a_set
from vericap.options.choices import Missing, Repeated, Uncaptioned
from vericap.readers.captions import caption_json, caption_tables, caption_text
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.captions.caption_shapes import from_rows, from_value
from vericap.readers.captions.join import join
from vericap.readers.captions.references import group
from vericap.readers.fields import EVERY, SPLIT_FIELDS, Fields, Side, Wanted
from vericap.readers.files import File
from vericap.readers.formats import Content
from vericap.readers.id_matching import distinct_ids
from vericap.readers.messages import count, listed, shown

CAPTIONS = Content(
    "captions",
    (
        caption_tables.EXCEL,
        caption_tables.PARQUET,
        caption_json.JSON_LINES,
        caption_json.JSON,
        caption_text.MSVD,
        caption_tables.CSV,
        caption_text.FLICKR,
        caption_text.TEXT,
    ),
    from_rows,
)
_ENDINGS = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".tab", ".txt", ".parquet", ".pq", ".xlsx")


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
    """Return a corpus of candidates and references: paths ("-" is standard input) or Python objects.

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
    paths = [os.fspath(one) for one in (candidates, *several(references)) if isinstance(one, (str, PathLike))]
    if paths[:1] == ["-"] and "-" in paths[1:]:
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
    """Return the captions of one source.

    >>> read_captions([{"image_id": 42, "caption": "a dog"}]).ids
    [42]
    """
    if isinstance(source, (str, PathLike)):
        file = File(source)
        several_files = None if file.is_regular else shards(source)
        if several_files is not None:
            files, notes = several_files
            parts = [read_captions(each, side=side, fields=fields, columns=columns, name=name) for each in files]
            return concatenated(parts, str(source), notes)
        source = file
    # References need not have their columns named as candidates have.
    wanted = Wanted(side, Fields(columns or {}, optional=side == "references"), tuple(fields))
    if isinstance(source, File):
        return CAPTIONS.read(source, wanted)
    name = name or side
    if not isinstance(source, (Mapping, list, tuple)):
        table = caption_tables.from_object(source, wanted, name)
        if table is not None:
            return table
        if isinstance(source, Iterable) and not isinstance(source, (bytes, bytearray)):
            source = list(not_a_set(source, name, "give a list, or {image id: caption}"))
    return from_value(source, wanted, name)


def read_references(
    source: Any,
    *,
    fields: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
    split: str | None = None,
) -> References:
    """Return references grouped by image, from one source or from a list of paths; of a split alone, if one is named.

    >>> read_references({7: ["a cat", "one cat"]}).captions
    ['a cat', 'one cat']
    """
    keep = tuple(fields) if split is None else (*fields, *SPLIT_FIELDS)
    read = [read_captions(one, side="references", fields=keep, columns=columns) for one in several(source)]
    return group(read if split is None else [of_split(one, split) for one in read])


def several(source: Any) -> list[Any]:
    """Return the paths of a list of paths, or the source itself. A list of strings is a list of captions."""
    paths = isinstance(source, (list, tuple)) and source and all(isinstance(path, PathLike) for path in source)
    return list(source) if paths else [source]


def own_references(candidates: Captions) -> References | None:
    """Return the references that candidates bring along; of an image with several rows, those of the first, which the
    others must repeat.

    >>> rows = Captions("rows", ["a dog", "a cat"], [7, 7], np.array([0, 1]), 2)
    >>> own_references(Captions("results.csv", ["dogs", "dog"], [7, 7], records=2, references=rows))
    Traceback (most recent call last):
    vericap.errors.InputError: results.csv, row 2: image 7 has other references here than in row 1; give an image ...
    """
    given = candidates.references
    if given is None:
        return None
    ids = given.ids or ()
    image, _, first = distinct_ids(ids)
    if len(first) == len(image):  # also where there are no ids
        return group([given])
    record = given.records_of_captions
    bounds = np.searchsorted(record, np.arange(given.records + 1)).tolist()
    captions = given.captions
    for row, at in enumerate(first[image].tolist()):
        if captions[bounds[row] : bounds[row + 1]] != captions[bounds[at] : bounds[at + 1]]:
            raise InputError(
                f"image {shown(ids[row])} has other references here than in row {candidates.row_name(at)}",
                source=candidates.source,
                row=candidates.row_name(row),
                fix="give an image the same references in all its rows",
            )
    return group([given.keep(np.flatnonzero(np.isin(record, first)), first)])


def refuse_itself(candidates: Any, left: Captions, references: list[Any], right: References) -> None:
    """Raise an error for a file that is candidates and references at once with the same captions on both sides."""
    paths = [os.path.realpath(one) for one in (candidates, *references) if isinstance(one, (str, PathLike))]
    same = isinstance(candidates, (str, PathLike)) and paths[0] in paths[1:]
    if same and list(left.captions) == list(right.captions):
        raise InputError(
            "the captions are their own references, so every score would be perfect",
            source=left.source,
            fix="give the file of the references with -r, or say which column holds them: --field references=NAME",
        )


def of_split(captions: Captions, split: str) -> Captions:
    """Return the captions whose record is of a split.

    >>> rows = Captions("rows", ["a dog", "a cat"], [7, 8], records=2, fields={"split": ["train", "test"]})
    >>> of_split(rows, "test").captions
    ['a cat']
    """
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
    return captions.keep(np.flatnonzero(np.isin(captions.records_of_captions, kept)), np.array(kept))


def shards(path: str | os.PathLike[str]) -> tuple[list[Path], tuple[str, ...]] | None:
    """Return the files that a folder or a pattern names, in the order of their names, and notes; None for one file.

    >>> shards("results.json") is None
    True
    """
    name = os.fspath(path)
    if os.path.isdir(name):  # noqa: PTH112  # Path.is_dir raises for a name that no file can have
        return _of_folder(Path(name))
    try:
        if os.path.exists(name) or not glob.has_magic(name):  # noqa: PTH110
            return None
        found = [Path(each) for each in glob.glob(name, recursive=True) if os.path.isfile(each)]  # noqa: PTH113, PTH207
    except (OSError, ValueError):
        return None
    if not found:
        raise InputError("no file matches the pattern", source=name, fix="check the path")
    return sorted(found, key=_natural), ()


def _of_folder(folder: Path) -> tuple[list[Path], tuple[str, ...]]:
    files = sorted((each for each in folder.iterdir() if each.is_file() and each.name[:1] != "."), key=_natural)
    found = [each for each in files if File(each).extension in _ENDINGS]
    if not found:
        fix = f"name a file, or put files with one of these endings into it: {', '.join(_ENDINGS)}"
        raise InputError("the folder has no file of captions", source=str(folder), fix=fix)
    others = len(files) - len(found)
    return found, (f"{count(others, 'file')} in {folder} not read: no file of captions ends so",) if others else ()


def _natural(path: Path) -> list[tuple[int, str | int]]:
    """Return a key by which numbers in names count as numbers: shard-2 goes before shard-10."""
    parts = re.split(r"([0-9]{1,18})", str(path))
    return [(1, int(part)) if part.isdecimal() else (0, part) for part in parts]


def concatenated(parts: Sequence[Captions], source: str, notes: tuple[str, ...] = ()) -> Captions:
    """Return the captions of several files as those of one. Errors name the file and its row.

    >>> one, two = (Captions(f"{i}.txt", [f"caption {i}"], [i], records=1) for i in (1, 2))
    >>> both = concatenated([one, two], "results/*.txt")
    >>> both.captions, both.ids, both.row_name(1)
    (['caption 1', 'caption 2'], [1, 2], '1 of 2.txt')
    """
    if len(parts) == 1:
        return replace(parts[0], notes=(*parts[0].notes, *notes))
    by_id = [part.ids is not None for part in parts]
    if any(by_id) and not all(by_id):
        lacking = parts[by_id.index(False)].source
        raise InputError("it has no image ids, but other files have them", source=lacking, fix="give all files ids")
    starts = offsets_of([part.records for part in parts])
    own = [part.references for part in parts if part.references is not None]
    names = [name for name in parts[0].fields if all(name in part.fields for part in parts)]

    def row_name(row: int) -> str:
        place = int(np.searchsorted(starts, row, side="right")) - 1
        return f"{parts[place].row_name(row - int(starts[place]))} of {parts[place].source}"

    return Captions(
        source,
        list(chain.from_iterable(part.captions for part in parts)),
        list(chain.from_iterable(part.ids or () for part in parts)) if any(by_id) else None,
        np.concatenate([part.records_of_captions + start for part, start in zip(parts, starts, strict=False)]),
        int(starts[-1]),
        {name: list(chain.from_iterable(part.fields[name] for part in parts)) for name in names},
        {name: image for part in parts for name, image in part.aliases.items()},
        row_name,
        concatenated(own, source) if len(own) == len(parts) else None,
        tuple(dict.fromkeys([*chain.from_iterable(part.notes for part in parts), *notes])),
        parts[0].names,
    )
