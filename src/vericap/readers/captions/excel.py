"""Excel workbooks (.xlsx), as VLMEvalKit writes its results → captions. The first sheet counts.

They are read by python-calamine, of the extra `excel`.
"""

from __future__ import annotations

import io
import zipfile
from typing import Any

from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.captions.caption_shapes import from_columns
from vericap.readers.captions.reference_cells import listed_cells
from vericap.readers.fields import Wanted
from vericap.readers.files import ALWAYS_ALLOWED, LARGEST_RATIO, File
from vericap.readers.messages import one_line


def is_excel(file: File) -> bool:
    """Is it a workbook: a zip archive of that name, or one that starts as a workbook does?"""
    return file.head.startswith(b"PK") and (file.extension in (".xlsx", ".xlsm") or b"[Content_Types].xml" in file.head)


def read_excel(file: File, wanted: Wanted) -> Captions:
    """Captions of the first sheet, whose first row names the columns."""
    rows = _rows(file)
    header = [str(name).strip() for name in rows[0]] if rows else []
    if not header or len(rows) < 2:
        raise InputError("the first sheet has no row below a header", source=file.name, fix="add at least one row")
    twice = next((name for name in header if name and header.count(name) > 1), None)
    if twice is not None:
        problem = "the header names this column twice"
        raise InputError(problem, source=file.name, field=one_line(twice), fix="rename one of them")
    columns = {name: [_cell(row[place]) for row in rows[1:]] for place, name in enumerate(header) if name}
    if wanted.captions_in(columns) is None:
        raise wanted.no_captions(columns, file.name)
    for name in wanted.references_in(columns):
        if all(isinstance(cell, str) for cell in columns[name]):
            columns[name] = listed_cells(columns[name])
    return from_columns(columns, wanted, file.name)


def _rows(file: File) -> list[list[Any]]:
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        raise InputError(
            "this is an Excel workbook, which needs python-calamine",
            source=file.name,
            fix="install it: pip install 'vericap[excel]'; or save the table as CSV",
        ) from None
    data = file.data
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(member.file_size for member in archive.infolist())
        if size > max(ALWAYS_ALLOWED, LARGEST_RATIO * len(data)):
            problem = f"the content is {size >> 20:,} MiB large when it is decompressed"
            raise InputError(problem, source=file.name, fix="save it as CSV, if this is what it should hold")
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        if not book.sheet_names:
            raise InputError("the workbook has no sheet", source=file.name, fix="add one")
        rows: list[list[Any]] = book.get_sheet_by_index(0).to_python()
        return rows
    except InputError:
        raise
    except (zipfile.BadZipFile, CalamineError, OSError, ValueError, EOFError, NotImplementedError) as error:
        problem = f"the workbook is damaged or cut off ({one_line(error)})"
        raise InputError(problem, source=file.name, fix="write it again") from None


def _cell(value: Any) -> Any:
    """Excel knows no whole numbers: 42 is stored as 42.0."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value
