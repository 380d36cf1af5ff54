"""Readers that other packages bring, under the entry-point group `vericap.readers`.

A reader gives the rows of a file as dicts, with the names that the built-in formats know: `image_id` and `caption`,
`references` (a list) or `objects` (a list), or all of them; the verb takes what it asks for, and checks it as it checks
any file. An entry point names such an object, or a class of which it is made.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from vericap.errors import InputError, VericapError
from vericap.plugins import Plugin, PluginWarning, added
from vericap.readers.files import File
from vericap.readers.messages import describe, one_line


class Reader(Protocol):
    """The plug-in's side."""

    name: str

    def recognises(self, path: Path, head: bytes) -> bool:
        """Is this file in the reader's format? `head` is its first 4,096 bytes, fewer if it is shorter."""

    def read(self, path: Path) -> Iterable[Mapping[str, Any]]:
        """The rows of the file."""


@dataclass(frozen=True)
class PluginReader:
    """A reader, and the package that brings it."""

    reader: Reader
    plugin: Plugin

    def recognises(self, file: File) -> bool:
        """The reader's answer; one that fails is a warning, so that no other file suffers from it."""
        try:
            return bool(self.reader.recognises(Path(file.path), file.head))
        except VericapError:
            raise
        except Exception as error:
            _warn(f"{self._words} cannot say whether it reads {file.name}: {_words_of(error)}")
            return False

    def rows(self, file: File) -> Iterator[Mapping[str, Any]]:
        """The rows of a file, each of which must be a dict."""
        try:
            rows: Iterable[object] = self.reader.read(Path(file.path))
            for number, row in enumerate(rows, 1):
                if not isinstance(row, Mapping):
                    problem = f"{self._words} gave a row that is {describe(row)}"
                    raise InputError(problem, source=file.name, row=number, fix="a reader gives one dict per row")
                yield row
        except VericapError:
            raise
        except Exception as error:
            problem = f"{self._words} failed: {_words_of(error)}"
            raise InputError(problem, source=file.name, fix=f"report it to {self.plugin.package}") from error

    @property
    def _words(self) -> str:
        return f"reader {self.plugin.name!r} of the package {self.plugin.package}"


# Names of formats that plug-ins cannot have.
BUILT_IN = frozenset(
    "excel parquet json-lines json msvd csv flickr8k text voc-folder voc-xml class-descriptions labels npz safetensors "
    "bottom-up".split()
)


@cache
def plugin_readers() -> list[PluginReader]:
    """Return the readers of other packages; one that cannot be used must not break the reading of other files."""
    readers = []
    for plugin in added("readers", BUILT_IN).values():
        try:
            loaded = plugin.load()
            readers.append(PluginReader(loaded() if isinstance(loaded, type) else loaded, plugin))
        except Exception as error:
            _warn(_words_of(error))
    return readers


def _warn(problem: str) -> None:
    warnings.warn(problem, PluginWarning, stacklevel=2)


def _words_of(error: Exception) -> str:
    return str(error) if isinstance(error, VericapError) else one_line(f"{type(error).__name__}: {error}")
