"""MSVD's own files (Chen and Dolan 2011): the corpus of descriptions as CSV, and lists of clips with a description."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions, RawCaptions
from vericap.readers.delimited import lines_of
from vericap.readers.fields import Wanted
from vericap.readers.files import File
from vericap.readers.messages import count

# A clip is named by its video, start and end (AllVideoDescriptions.txt), or by its number (vid1), as papers do.
_LINE = re.compile(r"([\w-]{11}_\d+_\d+|vid\d+)[ \t](.+)", re.ASCII | re.DOTALL)
_CLIP = ("VideoID", "Start", "End")


def is_list_of_clips(text: str) -> bool:
    """Does each line name a clip and describe it? Lines that start with # are remarks.

    >>> is_list_of_clips("-4wsuPCjDBc_5_15 a squirrel eats a peanut\\n"), is_list_of_clips("a dog runs\\n")
    (True, False)
    """
    lines = [line for line in lines_of(text[:4096])[:20] if line and not line.startswith("#")]
    return bool(lines) and _LINE.match(lines[0]) is not None


def read_list_of_clips(file: File, wanted: Wanted) -> Captions:
    """One description per line, behind the name of the clip."""
    ids, captions, rows = [], [], []
    for row, line in enumerate(lines_of(file.text), 1):
        if not line or line.startswith("#"):
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            problem = "the row is not the name of a clip and a description, as the rows before are"
            raise InputError(problem, source=file.name, row=row, fix="give every row the same shape")
        ids.append(found[1])
        captions.append(found[2])
        rows.append(row)
    return RawCaptions(file.name, captions, ids, row_name=lambda record: rows[record]).checked()


def clips(columns: Mapping[str, list[Any]]) -> tuple[dict[str, list[Any]], list[int] | None, tuple[str, ...]]:
    """The columns of MSVD's corpus with a name for each clip, its rows in English, and a note on the others; other
    tables as they are.

    >>> clips({"VideoID": ["mv89psg6zh4"], "Start": ["33"], "End": ["46"], "Description": ["a bird"]})[0]["image_id"]
    ['mv89psg6zh4_33_46']
    """
    if not {*_CLIP, "Description"} <= columns.keys() or "image_id" in columns:
        return dict(columns), None, ()
    named = ["_".join(map(str, clip)) for clip in zip(*(columns[name] for name in _CLIP), strict=True)]
    found = {**columns, "image_id": named}
    languages = columns.get("Language")
    if languages is None:
        return found, None, ()
    rows = [row for row, language in enumerate(languages) if language == "English" and columns["Description"][row]]
    left_out = len(languages) - len(rows)
    kept = {name: [column[row] for row in rows] for name, column in found.items()}
    return kept, rows, (f"{count(left_out, 'row')} in other languages than English left out",) if left_out else ()
