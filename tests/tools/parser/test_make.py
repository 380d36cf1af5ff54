"""The whole training at a tiny size: every stage runs, is skipped when it is done, and goes on where it stopped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tools.parser.silver_files import write_silver
from tools.parser import make as command
from tools.parser import train as training
from tools.parser.make import PARSER, Settings, make
from tools.parser.train import Schedule
from vericap.scene.parser import Parser

pytestmark = pytest.mark.torch

TINY = Settings(Schedule(steps=6, words=80), cut_share=0.5, captions=12, dev_captions=6, grammar_sentences=40, epochs=1)
STAGES = ("_silver", "_network", "_rounded", "_grammar", "_ship")


@pytest.fixture(scope="module")
def silver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_silver(tmp_path_factory.mktemp("silver"))


@pytest.fixture(scope="module")
def made(silver: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    work = tmp_path_factory.mktemp("made")
    make(silver, work, work / "out", TINY)
    return work


def ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The stages that run from now on."""
    found: list[str] = []
    for name in STAGES:
        do = getattr(command, name)
        monkeypatch.setattr(command, name, lambda *given, name=name, do=do: found.append(name) or do(*given))
    return found


def test_what_ships_parses_and_says_how_it_was_made(made: Path) -> None:
    parser = Parser(made / "out")
    (tree,) = parser.parse([["a", "dog", "sits", "on", "the", "beach"]])
    assert list(tree.heads).count(-1) == 1
    assert parser.about["training"]["steps"] == 6 and parser.about["training"]["cut_share"] == 0.5
    assert set(parser.about["dev"]) == {"tags", "unlabelled", "labelled", "trees"}


def test_stages_that_are_done_are_skipped(silver: Path, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stages = ran(monkeypatch)
    make(silver, made, made / "out", TINY)
    assert stages == []


def test_a_file_that_was_changed_is_made_again(silver: Path, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (made / "rounded" / "parser.npz").read_bytes()
    (made / "rounded" / "parser.npz").write_bytes(b"damaged")
    stages = ran(monkeypatch)
    make(silver, made, made / "out", TINY)
    assert stages == ["_rounded"]  # what it gives is what it gave, so that nothing follows
    assert (made / "rounded" / "parser.npz").read_bytes() == before


def test_a_run_that_was_stopped_ends_with_the_same_bytes(
    silver: Path, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "EVERY", 2)
    learn, steps = training.learn, []

    def stop_after_three(*given: object) -> float:
        if len(steps) == 3:
            raise KeyboardInterrupt
        steps.append(1)
        return learn(*given)

    monkeypatch.setattr(training, "learn", stop_after_three)
    with pytest.raises(KeyboardInterrupt):
        make(silver, tmp_path, tmp_path / "out", TINY)
    monkeypatch.setattr(training, "learn", lambda *given: steps.append(1) or learn(*given))
    make(silver, tmp_path, tmp_path / "out", TINY)
    assert len(steps) == 3 + 4  # from the checkpoint after the second step
    for name in PARSER:
        assert (tmp_path / "out" / name).read_bytes() == (made / "out" / name).read_bytes()


def test_training_goes_on_from_a_parser(silver: Path, made: Path, tmp_path: Path) -> None:
    make(silver, tmp_path, tmp_path / "out", TINY, start=made / "out")
    told = json.loads((tmp_path / "out" / "parser.json").read_text("utf-8"))
    assert told["training"]["start"] == Parser(made / "out").about["hash"] != told["hash"]
