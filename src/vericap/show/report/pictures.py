"""The picture of each image on a page: a link to a file, an address, or a small copy inside the page."""

from __future__ import annotations

import base64
import io
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from vericap.corpus import ImageId, canonical
from vericap.errors import InputError
from vericap.options.page import PageOptions, is_address
from vericap.vision.loading import decode, read_bytes

_ENDINGS = {".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".avif", ".svg"}
_PLACE = re.compile(r"\{id(?::0(\d+)d?)?\}")
_EDGE = 320  # pixels of the longer edge of a small copy


class PagePictures(NamedTuple):
    """For each image the address of its picture, or None; the size that its boxes are measured in, or None; notes."""

    sources: list[str | None]
    sizes: list[tuple[int, int] | None]
    notes: list[str]


def pictures(image_ids: Sequence[ImageId], options: PageOptions) -> PagePictures:
    """Return the pictures of images, as the options ask for them."""
    if options.images is None:
        return PagePictures([], [], [])
    if is_address(options.images):
        if options.embed_images:
            raise InputError("pictures at an address cannot be embedded", field="embed_images", fix="give --images DIR")
        return PagePictures([address(str(options.images), each) for each in image_ids], [None] * len(image_ids), [])
    files = _files(Path(options.images))
    found = [files.get(canonical(each)) for each in image_ids]
    missing = sum(each is None for each in found)
    notes = [f"{missing:,} of {len(found):,} images have no picture in {options.images}"] if missing else []
    if options.embed_images:
        copies = [None if each is None else small_copy(each) for each in found]
        return PagePictures([c and c[0] for c in copies], [c and c[1] for c in copies], notes)
    return PagePictures(
        [None if each is None else link(each, options.folder) for each in found], [None] * len(found), notes
    )


def address(template: str, image_id: ImageId) -> str:
    """Return the address of an image's picture; `{id:012}` is padded with zeros.

    >>> address("COCO_val2014_{id:012}.jpg", 42), address("https://example.org/{id}", "a/b")
    ('COCO_val2014_000000000042.jpg', 'https://example.org/a%2Fb')
    """
    if _PLACE.search(template) is None:
        raise InputError(
            "the address of pictures has no {id} in it", field="images", fix="write it as https://…/{id}.jpg"
        )
    return _PLACE.sub(lambda place: quote(str(image_id).zfill(int(place[1] or 0)), safe=""), template)


def link(picture: Path, folder: Path | None) -> str:
    """Return a link from a page in the folder; the whole path if the folder is not known."""
    if folder is None:
        return picture.resolve().as_uri()
    return quote(Path(os.path.relpath(picture.resolve(), folder.resolve())).as_posix(), safe="/")


def small_copy(picture: Path) -> tuple[str, tuple[int, int]]:
    """Return the picture as a JPEG of at most 320 pixels inside an address, and the size of the original."""
    try:
        from PIL import Image
    except ImportError:
        raise InputError(
            "small copies of pictures are made by Pillow", field="embed_images", fix="pip install pillow"
        ) from None
    # Upright, as detectors see it and measure its boxes.
    read = decode(read_bytes(picture), str(picture), edge=_EDGE)
    size = read.width, read.height
    made = Image.fromarray(read.rgb)
    made.thumbnail((_EDGE, _EDGE))
    buffer = io.BytesIO()
    made.save(buffer, "JPEG", quality=78, optimize=True)
    return f"data:image/jpeg;base64,{base64.b64encode(buffer.getvalue()).decode()}", size


def _files(folder: Path) -> dict[str, Path]:
    if not folder.is_dir():
        raise InputError("there is no such folder", source=str(folder), field="images", fix="check the path")
    return {canonical(path.name): path for path in sorted(folder.iterdir()) if path.suffix.lower() in _ENDINGS}
