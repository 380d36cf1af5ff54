"""Models that a user registered are found again, and nothing else is kept of them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from vericap.errors import InputError
from vericap.readers.storage.registered import register, registered, registry_file, resolve, unregister


@pytest.fixture(autouse=True)
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "settings" / "resources.json"
    monkeypatch.setenv("VERICAP_RESOURCES", str(file))
    return file


def test_what_is_registered_is_found_again(registry: Path, tmp_path: Path) -> None:
    assert registered() == {} and registry_file() == registry
    register("clip", tmp_path)
    register("pac", tmp_path / "pac.pth")
    assert json.loads(registry.read_text()) == {"clip": str(tmp_path), "pac": str(tmp_path / "pac.pth")}
    assert resolve("clip", "", "clipscore") == str(tmp_path)
    assert resolve("clip", "other", "clipscore") == "other"  # what is given goes first
    assert unregister("clip") == str(tmp_path)
    assert list(registered()) == ["pac"]


def test_a_relative_path_is_kept_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert register("clip", "model") == tmp_path / "model"


def test_without_weights_one_line_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"clipscore needs the weights .*; add model=FOLDER, or register one: veri"):
        resolve("clip", "", "clipscore")
    register("clip", tmp_path / "gone")
    with pytest.raises(InputError, match=r"gone, field .model.: the clip that was registered is gone; register it"):
        resolve("clip", "", "clipscore")


def test_unknown_kinds_and_broken_files(registry: Path) -> None:
    with pytest.raises(InputError, match="`clap` is not a kind of model; use one of clip, pac"):
        register("clap", "x")
    with pytest.raises(InputError, match="no pac is registered; `vericap resources` lists what is"):
        unregister("pac")
    registry.parent.mkdir()
    for content in ("{", "[]", '{"clip": 3}'):
        registry.write_text(content)
        with pytest.raises(InputError, match="repair or remove it"):
            registered()


def test_the_file_is_in_the_users_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("VERICAP_RESOURCES")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert registry_file() == tmp_path / "vericap" / "resources.json"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("APPDATA", str(tmp_path / "roaming"))
    assert registry_file() == tmp_path / "roaming" / "vericap" / "resources.json"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert registry_file().parts[-4:] == ("Library", "Application Support", "vericap", "resources.json")
