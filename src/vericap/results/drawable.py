"""What results have in common: each can be drawn, as a table and as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any


class Drawable:
    """A result that `vericap.show` can draw."""

    def table(self, format: str = "plain", scale: float = 1.0) -> str:
        """The table of a paper: plain, rich, markdown, latex, csv or html."""
        return str(show().as_table(self, format, scale))

    def _repr_html_(self) -> str:
        """What a notebook shows: the table."""
        return self.table("html")

    def to_html(self, path: str | Path | None = None, scale: float = 1.0) -> str:
        """A self-contained page; written to `path` if given."""
        text = str(show().as_page(self, scale))
        if path is not None:
            Path(path).write_text(text, "utf-8")
        return text


def show() -> Any:
    """The package that draws. It is the last layer, so it is imported when somebody looks at a result."""
    import vericap.show

    return vericap.show
