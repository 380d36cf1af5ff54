"""What results have in common: each can be drawn, as a table, as a page, in a notebook."""

from __future__ import annotations

from pathlib import Path


class Drawable:
    """A result that `vericap.show` can draw. Drawing is the last layer, so it is asked for when somebody looks."""

    def table(self, format: str = "plain", scale: float = 1.0) -> str:
        """The table of a paper: plain, rich, markdown, latex, csv or html."""
        from vericap.show import as_table

        return as_table(self, format, scale)

    def to_html(self, path: str | Path | None = None, scale: float = 1.0) -> str:
        """A page that needs nothing else; written to `path` if given."""
        from vericap.show import as_page

        text = as_page(self, scale)
        if path is not None:
            Path(path).write_text(text, "utf-8")
        return text
