"""Text files with one caption per line → captions: plain, Flickr8k's own format, and MSVD's lists of clips."""

from __future__ import annotations

import re

from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions, RawCaptions
from vericap.readers.delimited import lines_of
from vericap.readers.fields import Wanted
from vericap.readers.files import File
from vericap.readers.formats import Format

# Flickr8k's and Flickr30k's own format: the picture's name, the number of the caption, the caption.
# One name of Flickr8k is 2258277193_586949ec62.jpg.1.
_FLICKR = re.compile(r"([^\t\r\n]+\.(?:jpg|png)(?:\.\d+)?)#\d+\t(.*)", re.IGNORECASE | re.DOTALL)
# MSVD (Chen and Dolan 2011): a clip is named by its video, start and end (AllVideoDescriptions.txt), or by its number
# (vid1), as papers do.
_CLIP = re.compile(r"([\w-]{11}_\d+_\d+|vid\d+)[ \t](.+)", re.ASCII | re.DOTALL)


def is_list_of_clips(file: File, wanted: Wanted) -> bool:
    """Return whether the lines of a text file name a clip and describe it. Lines that start with # are remarks."""
    if file.extension not in (".txt", ""):
        return False
    lines = (line for line in lines_of(file.text[:4096])[:20] if line and not line.startswith("#"))
    return _CLIP.match(next(lines, "")) is not None


def read_list_of_clips(file: File, wanted: Wanted) -> Captions:
    """Return the descriptions of clips, one per line behind the name of the clip."""
    rows = [row for row, line in enumerate(lines_of(file.text), 1) if line and not line.startswith("#")]
    return _read_pairs(file, _CLIP, rows, "the name of a clip and a description")


def read_flickr(file: File, wanted: Wanted) -> Captions:
    """Return the captions of Flickr8k's own format: `picture.jpg#0<tab>caption`."""
    rows = [*range(1, len(lines_of(file.text)) + 1)]
    return _read_pairs(file, _FLICKR, rows, "a picture's name, #, a number, a tab and a caption")


def _read_pairs(file: File, pattern: re.Pattern[str], rows: list[int], shape: str) -> Captions:
    """Return ids and captions from the rows of a text, each of which has the same shape."""
    lines = lines_of(file.text)
    found = [pattern.fullmatch(lines[row - 1]) for row in rows]
    if None in found:
        problem = f"the row is not {shape}, as the rows before are"
        row = rows[found.index(None)]
        raise InputError(problem, source=file.name, row=row, fix="give every row the same shape")
    pairs = [each.groups() for each in found if each is not None]
    ids, captions = [name for name, _ in pairs], [caption for _, caption in pairs]
    return RawCaptions(file.name, captions, ids, row_name=lambda record: rows[record]).checked()


def read_text(file: File, wanted: Wanted) -> Captions:
    """Return the captions of a text file, one per line."""
    return RawCaptions(file.name, lines_of(file.text)).checked()


MSVD = Format("msvd", is_list_of_clips, read_list_of_clips)
FLICKR = Format("flickr8k", lambda file, _: _FLICKR.fullmatch(file.first_line) is not None, read_flickr)
TEXT = Format("text", lambda file, _: True, read_text)
