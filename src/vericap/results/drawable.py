"""Results can be drawn, as a table and as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vericap.options.page import PageOptions
from vericap.written import whole_file


class Drawable:
    """A result that `vericap.show` can draw."""

    def table(self, format: str = "plain", scale: float = 1.0) -> str:
        """Return the table of a paper: plain, rich, markdown, latex, csv or html."""
        return str(show().as_table(self, format, scale))

    def to_html(self, path: str | Path | None = None, scale: float = 1.0, **options: Any) -> str:
        """Return a self-contained page; written to `path` if given.

        `explain` is the number of captions explained in it, or "all"; `images` a folder of pictures or an address with
        `{id}` in it; `embed_images=True` puts small copies of them into the page.
        """
        folder = None if path is None else Path(path).parent
        text = str(show().as_page(self, scale, PageOptions(folder=folder, **options)))
        if path is not None:
            with whole_file(path) as file:
                file.write(text.encode())
        return text

    def _repr_html_(self) -> str:
        """Return the result for a notebook."""
        return str(show().as_fragment(self))


def show() -> Any:
    """Return the package that draws. It is the last layer, so it is imported when a result is drawn."""
    import vericap.show

    return vericap.show
