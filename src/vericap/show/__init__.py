"""The last layer: every result drawn for people and programs.

There is one function per medium. A result is drawn by the module that `RESULTS` names for its class: by its function
of the same name. That module is imported with the first result of its kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from typing import Any, cast

import orjson

from vericap.options.page import PageOptions

# The module that draws each class of results. A new kind of result is a module and one line here.
RESULTS = {
    "Result": "vericap.show.scores",
    "StreamResult": "vericap.show.streamed",
    "Comparison": "vericap.show.comparison",
    "Explanations": "vericap.show.explanation",
    "Verdict": "vericap.show.verdict",
    "Curve": "vericap.show.curve",
}


def as_table(result: Any, format: str = "plain", scale: float | None = None) -> str:
    """Return the main table of a result, its numbers × `scale`: rich, plain, markdown, latex, csv or html."""
    return str(_draw(result, "a table", "as_table", format, scale=scale))


def as_text(result: Any, format: str = "plain", scale: float | None = None) -> str:
    """Return what a verb prints: the table, and what else belongs to the answer."""
    return str(_draw(result, "a table", "as_text", format, otherwise=as_table, scale=scale))


def contrast_table(result: Any, format: str = "plain", scale: float | None = None) -> str:
    """Return the table of tests of every two captioners or metrics."""
    return str(_draw(result, "contrasts", "contrast_grid", scale=scale).draw(format))


def remarks(result: Any, scale: float = 1.0, signatures: bool = False) -> list[str]:
    """Return what a reader must know besides the answer, such as notes, one per line. The signatures are one line, or
    one line each if `signatures` is true."""
    return list(
        _draw(result, "remarks", "remarks", scale, signatures, otherwise=lambda *_: note_lines(result.notes, scale))
    )


def as_page(result: Any, scale: float | None = None, options: PageOptions | None = None) -> str:
    """Return a self-contained HTML page."""
    return str(_draw(result, "a page", "as_page", scale=scale, options=options))


def as_fragment(result: Any) -> str:
    """Return a piece of HTML without scripts, for notebooks and for readers without scripts."""
    return str(_draw(result, "a page", "as_fragment", otherwise=partial(as_table, format="html")))


def as_json(result: Any) -> Iterable[bytes]:
    """Return all of a result, in pieces that can be written one after the other."""
    form = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    whole = _draw(result, "JSON", "as_json", otherwise=lambda result: [orjson.dumps(result.to_dict(), option=form)])
    return cast(Iterable[bytes], whole)


def as_csv(result: Any) -> str:
    """Return the rows of a result, for programs."""
    return str(_draw(result, "CSV", "as_csv"))


def as_picture(result: Any, format: str = "svg") -> bytes:
    """Return a picture, svg or png."""
    return bytes(_draw(result, "a picture", "as_picture", format))


FILES: dict[str, Callable[[Any, float, PageOptions | None], Iterable[bytes]]] = {
    "json": lambda result, scale, page: as_json(result),
    "csv": lambda result, scale, page: [as_csv(result).encode()],
    "html": lambda result, scale, page: [as_page(result, scale, page).encode()],
    "png": lambda result, scale, page: [as_picture(result, "png")],
    "svg": lambda result, scale, page: [as_picture(result, "svg")],
}


def as_file(result: Any, kind: str, scale: float = 1.0, page: PageOptions | None = None) -> Iterable[bytes]:
    """Return the content of a file of a kind that `FILES` names."""
    return FILES[kind](result, scale, page)


def note_lines(notes: Iterable[str], scale: float = 1.0) -> list[str]:
    """Return notes as verbs print them, after a remark on scores that are not on their own scale."""
    return [*([f"(scores × {scale:g})"] if scale != 1 else []), *(f"note: {note}" for note in notes)]


def _draw(
    result: Any, name: str, medium: str, *given: Any, otherwise: Callable[..., Any] | None = None, **options: Any
) -> Any:
    """Return the result drawn in a medium by the function of its module, or by `otherwise` where that has none; options
    that are None have the default of the function."""
    module = next((RESULTS[kind.__name__] for kind in type(result).__mro__ if kind.__name__ in RESULTS), None)
    draw = getattr(import_module(module), medium, otherwise) if module else otherwise
    if draw is None:
        raise TypeError(f"{type(result).__name__} cannot be drawn as {name}")
    return draw(result, *given, **{name: value for name, value in options.items() if value is not None})
