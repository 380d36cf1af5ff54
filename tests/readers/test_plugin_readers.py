"""Readers of other packages: asked first, checked row by row, and one that fails harms no other file."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from vericap.errors import InputError
from vericap.plugins import Plugin, PluginWarning
from vericap.readers import load, plugin_readers
from vericap.readers.files import File
from vericap.readers.plugin_readers import PluginReader


class Lines:
    """A format of somebody's own: `id: caption` on each line, behind a line `%mine`."""

    name = "mine"

    def recognises(self, path: Path, head: bytes) -> bool:
        return head.startswith(b"%mine")

    def read(self, path: Path) -> Iterable[Mapping[str, Any]]:
        for line in path.read_text().splitlines()[1:]:
            image_id, caption = line.split(": ")
            yield {"image_id": image_id, "caption": caption}


class Doubtful(Lines):
    def recognises(self, path: Path, head: bytes) -> bool:
        raise RuntimeError("no idea")


class Broken(Lines):
    def read(self, path: Path) -> Iterable[Any]:
        yield {"image_id": "1", "caption": "a"}
        raise RuntimeError("disk\non fire")


class Wrong(Lines):
    def read(self, path: Path) -> Iterable[Any]:
        return [{"image_id": "1", "caption": "a"}, ["2", "b"]]


def plugin_of(reader: type[Lines]) -> Plugin:
    return Plugin("readers", "mine", EntryPoint("mine", f"{__name__}:{reader.__name__}", "vericap.readers"))


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    def install(*readers: type[Lines]) -> None:
        plugins = {f"{number}": plugin_of(reader) for number, reader in enumerate(readers)}
        monkeypatch.setattr(plugin_readers, "added", lambda kind, built_in: plugins)
        plugin_readers.plugin_readers.cache_clear()

    yield install
    plugin_readers.plugin_readers.cache_clear()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "captions.json"  # a name that would be JSON's
    found.write_text("%mine\n7: a dog\n8: a cat\n")
    return found


def test_a_reader_of_another_package_goes_before_the_built_in_ones(
    install: Callable[..., None], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(Lines)
    corpus = load(path)
    assert corpus.image_ids == ["7", "8"] and corpus.candidates == ["a dog", "a cat"]
    other = path.with_name("other.json")
    other.write_text('{"1": "a cow"}')
    assert load(other).candidates == ["a cow"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    assert load("-").candidates == ["%mine", "7: a dog", "8: a cat"]  # standard input has no path to give to it


def test_a_reader_that_cannot_say_is_a_warning_and_the_next_is_asked(install: Callable[..., None], path: Path) -> None:
    install(Doubtful, Lines)
    with pytest.warns(PluginWarning, match="cannot say whether it reads .*no idea"):
        assert len(load(path)) == 2


def test_a_reader_that_fails_is_an_error_that_names_the_file_and_whom_to_tell(path: Path) -> None:
    reader = PluginReader(Broken(), plugin_of(Broken))
    with pytest.raises(InputError, match="failed: RuntimeError: disk on fire; report it to") as error:
        list(reader.rows(File(path)))
    assert error.value.source == str(path)


def test_a_row_is_a_dict(path: Path) -> None:
    reader = PluginReader(Wrong(), plugin_of(Wrong))
    with pytest.raises(InputError, match="gave a row that is a list; a reader gives one dict per row") as error:
        list(reader.rows(File(path)))
    assert (error.value.source, error.value.row) == (str(path), 2)


def test_a_reader_that_cannot_be_loaded_harms_no_other(
    install: Callable[..., None], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(Lines)
    gone = Plugin("readers", "gone", EntryPoint("gone", "no_such_package:Reader", "vericap.readers"))
    plugins = {"gone": gone, "mine": plugin_of(Lines)}
    monkeypatch.setattr(plugin_readers, "added", lambda kind, built_in: plugins)
    with pytest.warns(PluginWarning, match="'gone' .*cannot be loaded"):
        assert len(load(path)) == 2
