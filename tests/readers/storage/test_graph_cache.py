"""Graphs of captions that are kept for the next run: found again, never wrong, never in the way."""

from __future__ import annotations

import random
import sqlite3
from multiprocessing import get_context
from pathlib import Path

import pytest

from vericap.readers.storage.graph_cache import GraphCache
from vericap.readers.storage.registered import cache_folder

GRAPHS = {("a", str(n), "dog"): [("dog",), ("dog", str(n))] for n in range(300)}


def write(folder: Path, first: int) -> None:
    for start in range(first, 300, 20):
        GraphCache(folder, "p-1").put({words: GRAPHS[words] for words in list(GRAPHS)[start : start + 10]})


def test_graphs_are_found_again_by_words_and_parser(tmp_path: Path) -> None:
    cache = GraphCache(tmp_path / "new folder", "p-1")
    cache.put(GRAPHS)
    assert cache.get(GRAPHS) == GRAPHS and not cache.problem
    assert cache.get([("a 1", "dog"), ("dog",)]) == {}
    assert GraphCache(tmp_path / "new folder", "p-2").get(GRAPHS) == {}


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    writers = [get_context("fork").Process(target=write, args=(tmp_path, first)) for first in (0, 10)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert GraphCache(tmp_path, "p-1").get(GRAPHS) == GRAPHS


def test_what_is_damaged_is_absent_and_is_kept_anew(tmp_path: Path) -> None:
    cache = GraphCache(tmp_path, "p-1")
    cache.put(GRAPHS)
    whole, chance = cache.file.read_bytes(), random.Random(0)
    for round_ in range(120):
        damaged = bytearray(whole)
        for _ in range(1 + round_ % 40):
            damaged[chance.randrange(len(whole))] = chance.randrange(256)
        cache.file.write_bytes(damaged[: chance.randrange(len(whole))] if round_ % 4 == 0 else damaged)
        assert cache.get(GRAPHS).items() <= GRAPHS.items()
    cache.file.write_bytes(b"not a database" * 1000)
    assert cache.get(GRAPHS) == {} and cache.problem
    cache.put(GRAPHS)
    assert cache.get(GRAPHS) == GRAPHS and not cache.problem


def test_the_file_is_bounded_and_the_oldest_go_first(tmp_path: Path) -> None:
    cache = GraphCache(tmp_path, "p-1", largest=200_000)
    for start in range(40):
        cache.put({("a", str(start), str(n)): [("dog",)] for n in range(100)})
        assert cache.file.stat().st_size <= 200_000
    assert cache.get([("a", "0", "1")]) == {} and cache.get([("a", "39", "1")]) != {}


def test_a_folder_that_cannot_be_made_and_a_locked_file_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    cache = GraphCache(tmp_path / "file", "p-1")
    cache.put(GRAPHS)
    assert cache.get(GRAPHS) == {} and "unable to open" in cache.problem
    cache = GraphCache(tmp_path, "p-1")
    cache.put(GRAPHS)
    monkeypatch.setattr("vericap.readers.storage.graph_cache._WAIT", 0.01)
    with sqlite3.connect(cache.file) as other:
        other.execute("BEGIN EXCLUSIVE")
        cache.put(GRAPHS)
        assert "locked" in cache.problem
    assert cache.get(GRAPHS) == GRAPHS  # a locked file is not replaced


def test_the_users_folder_and_the_way_to_have_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_folder() is None  # tests keep nothing
    monkeypatch.setenv("VERICAP_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("VERICAP_CACHE")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "vericap"
