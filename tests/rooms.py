"""Markers that follow from where a test is: those of rooms that call kernels run again without compiled ones."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Rooms that import kernels or read arrays made by them; `test_structure.py` compares them with the imports.
PURE = {"corpus", "encoders", "kernels", "lexicon", "metrics", "parity", "reward", "scene", "text", "views"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        room = room_of(item.path)
        if room in PURE:
            item.add_marker("pure")
        elif room == "browser":
            item.add_marker("browser")


def room_of(path: Path) -> str:
    """Return the folder of src/vericap or tests that a file is in.

    >>> room_of(ROOT / "src" / "vericap" / "text" / "ptb.py"), room_of(ROOT / "tests" / "text" / "test_ptb.py")
    ('text', 'text')
    """
    parts = path.relative_to(ROOT).parts if path.is_relative_to(ROOT) else ()
    return parts[2] if parts[:2] == ("src", "vericap") else parts[1] if parts[:1] == ("tests",) else ""
