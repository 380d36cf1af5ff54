"""CSV, TSV and plain text → captions."""

from __future__ import annotations

import re
from dataclasses import replace

from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions, RawCaptions
from vericap.readers.captions.caption_shapes import from_columns
from vericap.readers.captions.msvd import clips
from vericap.readers.captions.reference_cells import listed_cells
from vericap.readers.delimited import DELIMITERS, header_names, lines_of, parse_table
from vericap.readers.fields import Wanted
from vericap.readers.files import File

# Flickr8k's and Flickr30k's own format: the picture's name, the number of the caption, the caption.
# One name of Flickr8k is 2258277193_586949ec62.jpg.1.
_FLICKR = re.compile(r"([^\t\r\n]+\.(?:jpg|png)(?:\.\d+)?)#\d+\t(.*)", re.IGNORECASE | re.DOTALL)


def read_text(file: File, wanted: Wanted) -> Captions:
    """One caption per line."""
    return RawCaptions(file.name, lines_of(file.text)).checked()


def is_flickr(line: str) -> bool:
    """Is a line in Flickr8k's own format?

    >>> is_flickr("1000268201_693b.jpg#0\\tA child ."), is_flickr("A child .")
    (True, False)
    """
    return _FLICKR.fullmatch(line) is not None


def read_flickr(file: File, wanted: Wanted) -> Captions:
    """Flickr8k's own format: `picture.jpg#0<tab>caption`."""
    rows = [_FLICKR.fullmatch(line) for line in lines_of(file.text)]
    if None in rows:
        raise InputError(
            "the row is not a picture's name, #, a number, a tab and a caption, as the rows before are",
            source=file.name,
            row=rows.index(None) + 1,
            fix="give every row the same shape",
        )
    pairs = [row.groups() for row in rows if row is not None]
    return RawCaptions(file.name, [caption for _, caption in pairs], [name for name, _ in pairs]).checked()


def delimiter_of(header: str, wanted: Wanted, extension: str) -> str | None:
    """The delimiter of a table by its first line; None when that is not a header.

    A file named .csv or .tsv is one. So is another file whose first line names a column of captions and a column of
    image ids.
    """
    if extension in (".tsv", ".tab"):
        return "\t"
    if extension == ".csv":
        return max(",;\t", key=header.count)
    for delimiter in DELIMITERS:
        names = header_names(header, delimiter)
        if len(names) > 1 and wanted.captions_in(names) and wanted.ids_in(names, lambda _: 0):
            return delimiter
    return None


def read_table(file: File, wanted: Wanted) -> Captions:
    """Captions of a CSV or TSV file, whose first row names the columns."""
    table = parse_table(file.text, delimiter_of(file.first_line, wanted, file.extension) or ",", file.name)
    caption_field = wanted.captions_in(table.header)
    if caption_field is None:
        raise wanted.no_captions(table.header, file.name)
    columns, rows, notes = clips(table.columns())
    row_name = table.row_name if rows is None else lambda row: table.row_name(rows[row])
    for name in wanted.references_in(columns):
        columns[name] = listed_cells(columns[name])
    return replace(from_columns(columns, wanted, file.name, row_name), notes=notes)
