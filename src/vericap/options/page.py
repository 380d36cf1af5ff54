"""The options of a page: the number of captions explained in it, and the place of the pictures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from vericap.errors import InputError


@dataclass(frozen=True)
class PageOptions:
    """`explain` is how many of the worst, the best and the most disputed captions are explained in the page, or "all";
    `images` is a folder of pictures, of which `embed_images` puts small copies into the page, or a URL with `{id}` in
    it. `folder` is where the page will be: links to pictures start from there.

    >>> PageOptions(explain="all").captions_explained(30), PageOptions().captions_explained(30)
    (30, 20)
    """

    explain: str | int = "20"
    embed_images: bool = False
    images: str | Path | None = None
    folder: Path | None = None

    def captions_explained(self, captions: int) -> int:
        """The number, where `all` means all of the captions."""
        text = str(self.explain).strip().lower()
        if text == "all":
            return captions
        if not text.isdecimal():
            raise InputError(
                f"{self.explain!r} is not a number of captions", field="explain", fix="use a number, or all"
            )
        return min(int(text), captions)


def is_address(images: str | Path) -> bool:
    """Return whether pictures are at an address, where only a page finds them: the text has `{id}` in it, or names a
    protocol.

    >>> is_address("https://example.org/{id}.jpg"), is_address("pictures/")
    (True, False)
    """
    return "{id" in str(images) or str(images).startswith(("https://", "http://"))
