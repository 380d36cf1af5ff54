"""What needs torch, under the extra `neural`."""

from __future__ import annotations

from importlib.util import find_spec

from vericap.errors import InputError


def require(what: str, *modules: str) -> None:
    """An error that says how to install what `what` needs, where a module is missing.

    >>> require("a metric", "numpy")
    """
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise InputError(
            f"{what} runs a neural network, and {missing[0]} is not installed", fix="pip install 'vericap[neural]'"
        )
