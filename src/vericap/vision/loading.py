"""Pictures from files, as arrays of RGB values. A file that cannot be read is an error that names it; a picture with
more pixels than the limit is refused by its header, before anything is decoded. Pillow decodes."""

from __future__ import annotations

import hashlib
import io
import os
import stat
import struct
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError
from vericap.options.choices import MEGAPIXELS

RGB: TypeAlias = NDArray[np.uint8]  # [height, width, 3]

LARGEST_FILE = 512 << 20  # bytes; 80 megapixels of 16-bit RGB are 480 MB
LARGE = 16_000_000  # pixels; pictures with more are decoded one at a time
LONGEST = 8  # the longer edge is reduced to at most twice this many times the shorter edge that is asked for
ENDINGS = frozenset((".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff"))
_FORMATS = "JPEG, PNG, GIF, WebP, BMP or TIFF"
_ORIENTATION = 0x0112  # of EXIF
_MARKS = {
    b"\xff\xd8\xff": ("JpegImagePlugin", "JpegImageFile"),
    b"\x89PNG\r\n\x1a\n": ("PngImagePlugin", "PngImageFile"),
    b"GIF8": ("GifImagePlugin", "GifImageFile"),
    b"RIFF": ("WebPImagePlugin", "WebPImageFile"),
    b"BM": ("BmpImagePlugin", "BmpImageFile"),
    b"II*\x00": ("TiffImagePlugin", "TiffImageFile"),
    b"MM\x00*": ("TiffImagePlugin", "TiffImageFile"),
}
_one_large = threading.Lock()


class PictureError(InputError):
    """A file is not a picture that can be read; the message names it and says why."""


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture that was decoded, upright. `rgb` may be smaller than the picture, whose size is `width` × `height`;
    `digest` is the hash of the file's bytes."""

    rgb: RGB
    width: int
    height: int
    digest: str


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a picture's file, of which there is a limit; pipes and devices are refused."""
    name = os.fspath(path)
    try:
        # A pipe would block here until something is written to it.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            _check_file(os.fstat(descriptor), name)
        except PictureError:
            os.close(descriptor)
            raise
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(LARGEST_FILE)
    except PictureError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise PictureError(f"the file cannot be read ({reason})", source=name, fix="check it") from None
    if not data:
        raise PictureError("the file is empty", source=name, fix="check the program that wrote it")
    return data


def _check_file(about: os.stat_result, name: str) -> None:
    if stat.S_ISDIR(about.st_mode):
        raise PictureError("this is a folder, not a picture", source=name, fix="give a file")
    if not stat.S_ISREG(about.st_mode):
        raise PictureError("this is not a regular file", source=name, fix="save the picture to a file")
    if about.st_size > LARGEST_FILE:
        problem = f"the file has {about.st_size:,} bytes; a picture may have {LARGEST_FILE:,}"
        raise PictureError(problem, source=name, fix="make it smaller")


def picture_hash(data: bytes) -> str:
    """Return the hash of a picture's bytes, by which a cache knows it.

    >>> len(picture_hash(b"...")), picture_hash(b"...") == picture_hash(b"..")
    (40, False)
    """
    return hashlib.blake2b(data, digest_size=20).hexdigest()


def decode(
    data: bytes, name: str, megapixels: float = MEGAPIXELS, edge: int | None = None, digest: str | None = None
) -> Picture:
    """Return the picture that these bytes of a file hold. With `edge`, a larger picture is reduced by a whole factor,
    its shorter edge to no less than this many pixels: a JPEG file while it is decoded, which is faster."""
    with _without_warnings():
        try:
            image = _open(data, name, megapixels)
            width, height = image.size
            with _one_large if width * height > LARGE else nullcontext():
                rgb, turned = _pixels(image, edge, name)
        except InputError:
            raise
        except MemoryError:
            raise PictureError("there is not enough memory to decode it", source=name, fix="make it smaller") from None
        except Exception as error:  # what a decoder raises for a damaged file depends on where the damage is
            reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            problem = f"the picture is damaged or cut off ({reason})"
            raise PictureError(problem, source=name, fix="replace it") from None
    if turned:
        width, height = height, width
    return Picture(rgb, width, height, picture_hash(data) if digest is None else digest)


def _open(data: bytes, name: str, megapixels: float) -> Any:
    """Return the image, its header read and its size checked, nothing decoded."""
    found = next((plugin for mark, plugin in _MARKS.items() if data.startswith(mark)), None)
    if found is None or (data.startswith(b"RIFF") and data[8:12] != b"WEBP"):
        raise PictureError(f"this is not a picture in {_FORMATS}", source=name, fix="convert it, or take it out")
    if data.startswith(b"RIFF"):  # its decoder takes memory for the whole picture when it is opened
        _check_size(_webp_size(data), name, megapixels)
    try:
        module, kind = found
        opener = getattr(import_module(f"PIL.{module}"), kind)
    except ImportError:
        raise needs_vision("to read pictures") from None
    # Not by Image.open: that would warn of a large picture, and look for unexpected formats.
    image = opener(io.BytesIO(data))
    _check_size(image.size, name, megapixels)
    return image


def needs_vision(what: str) -> InputError:
    """Return the error where the packages of the extra `vision` are not installed."""
    return InputError(f"{what}, the extra `vision` is needed", fix="install it with: pip install 'vericap[vision]'")


def _check_size(size: tuple[int, int], name: str, megapixels: float) -> None:
    width, height = size
    if width < 1 or height < 1:
        raise PictureError(f"the picture is {width} × {height} pixels", source=name, fix="replace it")
    if width * height > megapixels * 1e6:
        raise PictureError(
            f"the picture has {width * height / 1e6:,.1f} megapixels ({width:,} × {height:,}); "
            f"the limit is {megapixels:g}",
            source=name,
            fix="make it smaller, or raise --megapixels",
        )


def _webp_size(data: bytes) -> tuple[int, int]:
    """Width and height as the first chunk of a WebP file says them."""
    chunk = data[12:16]
    if chunk == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if chunk == b"VP8L":
        [bits] = struct.unpack("<I", data[21:25])
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if chunk == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    raise ValueError("unknown first chunk")


def _pixels(image: Any, edge: int | None, name: str) -> tuple[RGB, bool]:
    """Return the pixels, and whether the picture was turned so that width and height change places."""
    if edge is not None and image.format == "JPEG":
        factor = max(1, min(image.size) // edge)
        # Pillow takes the largest of 1, 2, 4, 8 that gives no less than this size.
        image.draft(None, (-(-image.width // factor), -(-image.height // factor)))
    orientation = _orientation(image)
    flat = _in_rgb(image, name)
    if edge is not None:
        flat = _reduced(flat, edge)
    rgb = np.array(flat, np.uint8)
    return np.ascontiguousarray(_upright(rgb, orientation)), orientation >= 5


def _orientation(image: Any) -> int:
    """EXIF's number from 1 to 8; 1, upright, where there is none or it is damaged."""
    try:
        found = image.getexif().get(_ORIENTATION, 1)
    except Exception:  # the picture itself may be whole
        return 1
    return found if isinstance(found, int) and 1 <= found <= 8 else 1


def _upright(rgb: RGB, orientation: int) -> RGB:
    """Return the picture as it was seen through the camera.

    >>> row = np.array([[[1], [2]]], np.uint8)
    >>> _upright(row, 6)[..., 0].tolist(), _upright(row, 8)[..., 0].tolist(), _upright(row, 3)[..., 0].tolist()
    ([[1], [2]], [[2], [1]], [[2, 1]])
    """
    if orientation >= 5:
        rgb = rgb.transpose(1, 0, 2)
    if orientation in (2, 3, 6, 7):
        rgb = rgb[:, ::-1]
    if orientation in (3, 4, 7, 8):
        rgb = rgb[::-1]
    return rgb


def _in_rgb(image: Any, name: str) -> Any:
    """Return the image in 8-bit RGB, over white where it is transparent."""
    from PIL import Image

    image.load()
    if image.mode.startswith("I") or image.mode == "F":
        return Image.fromarray(_eight_bits(np.asarray(image), name)).convert("RGB")
    if image.has_transparency_data:
        image = image.convert("RGBA")
        white = Image.new("RGB", image.size, "white")
        white.paste(image, mask=image.getchannel("A"))
        return white
    return image if image.mode == "RGB" else image.convert("RGB")


def _eight_bits(grey: NDArray[Any], name: str) -> NDArray[np.uint8]:
    """Grey values of 16 bits as 8 bits; of 32 bits or fractions the value of white is unknown.

    >>> _eight_bits(np.array([[0, 257, 65535]], np.uint16), "x").tolist()
    [[0, 1, 255]]
    """
    if grey.dtype.kind not in "ui" or (grey.size and (grey.min() < 0 or grey.max() > 0xFFFF)):
        problem = "the picture has grey values that are not of 8 or 16 bits"
        raise PictureError(problem, source=name, fix="save it with 8 bits")
    return np.round(grey / 257).astype(np.uint8)


def _reduced(image: Any, edge: int) -> Any:
    """Return the image reduced by a whole factor, and a very long one along its longer edge by another."""
    width, height = image.size
    factor = max(1, min(width, height) // edge)
    across, down = (max(factor, length // (LONGEST * edge)) for length in (width, height))
    return image if across == down == 1 else image.reduce((across, down))


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Pillow's warnings of odd metadata are not shown. `catch_warnings` alone would not be safe in threads: the first
    that comes sets the filter, the last that goes takes it back."""
    with _Quiet.lock:
        if not _Quiet.inside:
            _Quiet.before = warnings.catch_warnings()
            _Quiet.before.__enter__()
            warnings.filterwarnings("ignore", module=r"PIL\.")
        _Quiet.inside += 1
    try:
        yield
    finally:
        with _Quiet.lock:
            _Quiet.inside -= 1
            if not _Quiet.inside:
                _Quiet.before.__exit__(None, None, None)


class _Quiet:
    """The number of threads that decode, and the earlier filter of warnings."""

    lock = threading.Lock()
    inside = 0
    before: Any = None
