"""The last layer: every result drawn for people and programs.

`media.py` has one function for each medium; each result has a file that registers how it is drawn: what
`vericap.results.scores` holds is drawn by `vericap.show.scores`. The file is imported with the first result of its
kind, and those that draw pages, `*_html.py`, when the first page is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any, TypeVar, cast

from vericap.show import media

RESULTS = ("scores", "streamed", "comparison", "explanation", "verdict", "curve")

__all__ = [
    "RESULTS",
    "as_csv",
    "as_file",
    "as_fragment",
    "as_json",
    "as_page",
    "as_picture",
    "as_table",
    "as_text",
    "remarks",
]

_Medium = TypeVar("_Medium", bound=Callable[..., Any])


def _by_its_file(draw: _Medium) -> _Medium:
    """A medium that imports how a result is drawn before it draws the result; its `register` is that of `draw`."""

    @wraps(draw)
    def drawn(result: Any, *given: Any, **options: Any) -> Any:
        _import_file_of(result)
        return draw(result, *given, **options)

    return cast(_Medium, drawn)


def _import_file_of(result: Any) -> None:
    for kind in type(result).__mro__:
        home, _, name = kind.__module__.rpartition(".")
        if home == "vericap.results" and name in RESULTS:
            import_module(f"vericap.show.{name}")


def __getattr__(name: str) -> Any:
    """The file that draws a kind of result, imported when it is asked for."""
    if name in RESULTS:
        return import_module(f"vericap.show.{name}")
    raise AttributeError(f"module 'vericap.show' has no attribute {name!r}")


as_csv = _by_its_file(media.as_csv)
as_file = _by_its_file(media.as_file)
as_fragment = _by_its_file(media.as_fragment)
as_json = _by_its_file(media.as_json)
as_page = _by_its_file(media.as_page)
as_picture = _by_its_file(media.as_picture)
as_table = _by_its_file(media.as_table)
as_text = _by_its_file(media.as_text)
remarks = _by_its_file(media.remarks)
