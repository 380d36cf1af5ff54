"""Formats of files: each recognises a file and reads it.

Formats are tried in order, those of other packages first; the first that recognises a file reads it. The content of
the file decides, and its name only where the content leaves it open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from vericap.errors import InputError
from vericap.readers.fields import Wanted
from vericap.readers.files import PARQUET, File
from vericap.readers.messages import one_line
from vericap.readers.plugin_readers import plugin_readers
from vericap.readers.ranges import Ranges

Read = TypeVar("Read")


@dataclass(frozen=True)
class Format(Generic[Read]):
    """One way to store captions, objects, regions or a table."""

    name: str
    recognises: Callable[[File, Wanted], bool]
    read: Callable[[File, Wanted], Read]
    ranges: type[Ranges] | None = None  # for streams, where rows can be read without those before them


@dataclass(frozen=True)
class Content(Generic[Read]):
    """The content of files, its formats, and the function that makes it of the rows of a plug-in's reader."""

    name: str
    formats: tuple[Format[Read], ...]
    from_rows: Callable[[Iterator[Mapping[str, Any]], Wanted, str], Read]

    def read(self, file: File, wanted: Wanted | None = None) -> Read:
        """Return what a file holds, read by the first format that recognises it."""
        wanted = wanted or Wanted()
        # Standard input and pipes have no path to give to a plug-in.
        plugin = next((each for each in plugin_readers() if file.is_regular and each.recognises(file)), None)
        if plugin is not None:
            return self.from_rows(plugin.rows(file), wanted, file.name)
        for each in self.formats:
            if each.recognises(file, wanted):
                return each.read(file, wanted)
        fix = f"use one of these: {', '.join(each.name for each in self.formats)}"
        raise InputError(f"the file is in no known format of {self.name}", source=file.name, fix=fix)


def is_parquet(file: File, wanted: Wanted) -> bool:
    """Return whether it is Parquet, also inside gzip, where the head says nothing."""
    return file.head.startswith(PARQUET) or file.extension in (".parquet", ".pq") or file.data.startswith(PARQUET)


@contextmanager
def parquet_errors(source: str) -> Iterator[None]:
    """Raise an error that names the file for data that pyarrow cannot read."""
    import pyarrow

    try:
        yield
    except InputError:
        raise
    except (pyarrow.ArrowException, OSError, ValueError, KeyError, UnicodeError, NotImplementedError) as error:
        problem = f"the Parquet data is damaged or truncated ({one_line(error)})"
        raise InputError(problem, source=source, fix="write it again") from None
