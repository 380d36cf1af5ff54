"""Captions in several files: a folder of shards, or a pattern such as results/*.jsonl."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np

from vericap.arrays import offsets_of
from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.files import extension
from vericap.readers.messages import count

_ENDINGS = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".tab", ".txt", ".parquet", ".pq", ".xlsx")


def shards(path: str | os.PathLike[str]) -> tuple[list[Path], tuple[str, ...]] | None:
    """The files that a folder or a pattern names, in the order of their names, and notes; None for a single file.

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
    found = [each for each in files if extension(each) in _ENDINGS]
    if not found:
        fix = f"name a file, or put files with one of these endings into it: {', '.join(_ENDINGS)}"
        raise InputError("the folder has no file of captions", source=str(folder), fix=fix)
    others = len(files) - len(found)
    return found, (f"{count(others, 'file')} in {folder} not read: no file of captions ends so",) if others else ()


def _natural(path: Path) -> list[tuple[int, str | int]]:
    """Numbers in names count as numbers: shard-2 goes before shard-10."""
    parts = re.split(r"([0-9]{1,18})", str(path))
    return [(1, int(part)) if part.isdecimal() else (0, part) for part in parts]


def concatenated(parts: Sequence[Captions], source: str, notes: tuple[str, ...] = ()) -> Captions:
    """The captions of several files as those of one. Errors name the file and its row.

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
