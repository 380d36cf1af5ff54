"""Pictures of every kind become upright RGB values; what is not a picture, or too large a one, is named."""

from __future__ import annotations

import io
import os
import struct
import threading
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.vision.photos import load_picture
from vericap.vision.loading import PictureError, decode, picture_hash, read_bytes


def saved(image: Any, format: str, **options: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, format, **options)
    return file.getvalue()


def red_left() -> Any:
    """Red at the left, blue at the right: 32 × 16."""
    image = Image.new("RGB", (32, 16), (0, 0, 255))
    image.paste((255, 0, 0), (0, 0, 16, 16))
    return image


def corners(rgb: Any) -> list[str]:
    """The colours of the top left, top right and bottom left corner, in words."""
    names = {(True, False, False): "red", (False, False, True): "blue"}
    return [names[tuple(pixel > 127)] for pixel in (rgb[1, 1], rgb[1, -2], rgb[-2, 1])]


@pytest.mark.parametrize("format", ["JPEG", "PNG", "GIF", "WEBP", "BMP", "TIFF"])
def test_formats(format: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(saved(red_left(), format))
    rgb = load_picture(tmp_path / "x")
    assert rgb.shape == (16, 32, 3) and rgb.dtype == np.uint8 and rgb.flags.c_contiguous
    assert corners(rgb) == ["red", "blue", "red"]


@pytest.mark.parametrize(
    ("orientation", "seen", "size"),
    [  # EXIF 2.32, tag 274: where row 0 and column 0 of what is stored are seen
        (1, ["red", "blue", "red"], (32, 16)),
        (2, ["blue", "red", "blue"], (32, 16)),
        (3, ["blue", "red", "blue"], (32, 16)),
        (4, ["red", "blue", "red"], (32, 16)),
        (5, ["red", "red", "blue"], (16, 32)),
        (6, ["red", "red", "blue"], (16, 32)),
        (7, ["blue", "blue", "red"], (16, 32)),
        (8, ["blue", "blue", "red"], (16, 32)),
    ],
)
def test_exif_orientation(orientation: int, seen: list[str], size: tuple[int, int]) -> None:
    exif = Image.Exif()
    exif[274] = orientation
    found = decode(saved(red_left(), "JPEG", exif=exif), "x.jpg")
    assert corners(found.rgb) == seen
    assert (found.width, found.height) == (found.rgb.shape[1], found.rgb.shape[0]) == size


def test_every_orientation_is_as_pillow_turns_it() -> None:
    from PIL import ImageOps

    random = np.random.default_rng(0).integers(0, 256, (5, 7, 3), np.uint8)
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[274] = orientation
        data = saved(Image.fromarray(random), "PNG", exif=exif)
        turned = ImageOps.exif_transpose(Image.open(io.BytesIO(data)))
        assert np.array_equal(decode(data, "x").rgb, np.asarray(turned)), orientation


def test_damaged_exif_leaves_the_picture_as_it_is_stored() -> None:
    with warnings.catch_warnings():
        data = saved(red_left(), "JPEG", exif=b"Exif\x00\x00II*\x00\xff\xff\xff\xff garbage")
    assert corners(decode(data, "x.jpg").rgb) == ["red", "blue", "red"]


def test_cmyk() -> None:
    """Cyan, no other ink: red light is taken away."""
    data = saved(Image.new("CMYK", (8, 8), (255, 0, 0, 0)), "JPEG")
    assert np.abs(decode(data, "x.jpg").rgb[4, 4].astype(int) - [0, 255, 255]).max() <= 4


def test_sixteen_bits() -> None:
    grey = np.array([[0, 0x8080], [0xFFFF, 0x0101]], np.uint16)
    rgb = decode(saved(Image.fromarray(grey), "PNG"), "x.png").rgb
    assert rgb[..., 0].tolist() == [[0, 128], [255, 1]] and (rgb == rgb[..., :1]).all()
    assert decode(saved(Image.fromarray(grey), "TIFF"), "x.tif").rgb[..., 2].tolist() == [[0, 128], [255, 1]]


def test_sixteen_bit_colours() -> None:
    """A PNG file with 16 bits per sample, which Pillow cannot write."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 16, 2, 0, 0, 0)
    row = b"\x00" + struct.pack(">HHH", 0xFFFF, 0x8080, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(row)) + chunk(b"IEND", b"")
    assert decode(png, "x.png").rgb.tolist() == [[[255, 128, 0]]]


@pytest.mark.parametrize("values", [np.full((2, 2), 70000, np.int32), np.full((2, 2), 0.5, np.float32)])
def test_grey_values_of_other_types_are_refused(values: Any) -> None:
    with pytest.raises(PictureError, match=r"x.tif: the picture has grey values that are not of 8 or 16 bits"):
        decode(saved(Image.fromarray(values), "TIFF"), "x.tif")


def test_transparent_is_white() -> None:
    half = Image.new("RGBA", (2, 1), (255, 0, 0, 255))
    half.putpixel((1, 0), (0, 0, 0, 0))
    for format in ("PNG", "WEBP", "TIFF"):
        options = {"lossless": True} if format == "WEBP" else {}
        assert decode(saved(half, format, **options), "x").rgb.tolist() == [[[255, 0, 0], [255, 255, 255]]], format
    assert decode(saved(Image.new("LA", (1, 1), (0, 51)), "PNG"), "x").rgb.tolist() == [[[204, 204, 204]]]
    palette = Image.new("P", (1, 1), 3)
    palette.putpalette([0] * 768)
    assert decode(saved(palette, "GIF", transparency=3), "x.gif").rgb.tolist() == [[[255, 255, 255]]]


def test_first_frame_of_an_animation() -> None:
    red, blue = Image.new("RGB", (4, 4), (255, 0, 0)), Image.new("RGB", (4, 4), (0, 0, 255))
    for format in ("GIF", "WEBP"):
        rgb = decode(saved(red, format, save_all=True, append_images=[blue]), "x").rgb
        assert rgb[0, 0, 0] > 200 and rgb[0, 0, 2] < 60, format


@pytest.mark.parametrize("size", [(1, 1), (1, 300), (300, 1)])
@pytest.mark.parametrize("format", ["PNG", "JPEG"])
def test_one_pixel_wide(size: tuple[int, int], format: str) -> None:
    rgb = decode(saved(Image.new("RGB", size, (255, 255, 255)), format), "x", edge=320).rgb
    assert rgb.shape == (size[1], size[0], 3) and (rgb == 255).all()


def png_of(width: int, height: int) -> bytes:
    """The header of a PNG file of this size, with nothing behind it."""
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = b"IDAT" + zlib.compress(bytes(100))
    parts = [b"\x89PNG\r\n\x1a\n"]
    parts += [struct.pack(">I", len(each) - 4) + each + struct.pack(">I", zlib.crc32(each)) for each in (header, data)]
    return b"".join(parts)


def gif_of(width: int, height: int) -> bytes:
    size = struct.pack("<HH", width, height)
    return b"GIF89a" + size + b"\x80\x00\x00" + bytes(6) + b"\x2c" + bytes(4) + size + b"\x00\x02\x02\x44\x01\x00;"


def webp_of(width: int, height: int) -> bytes:
    canvas = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body = b"WEBPVP8X" + struct.pack("<I", 10) + bytes(4) + canvas
    return b"RIFF" + struct.pack("<I", len(body)) + body


def tiff_of(width: int, height: int) -> bytes:
    small = bytearray(saved(Image.new("L", (7, 5)), "TIFF"))
    for old, new in ((7, width), (5, height)):
        tag = struct.pack("<HHI", 256 if old == 7 else 257, 4, 1)
        at = small.index(tag)
        small[at + 8 : at + 12] = struct.pack("<I", new)
    return bytes(small)


@pytest.mark.parametrize("bomb", [png_of, gif_of, webp_of, tiff_of])
@pytest.mark.parametrize(("width", "height"), [(10_000, 10_000), (60_000, 60_000), (16_000, 6_000)])
def test_bombs_are_refused_by_their_header(bomb: Any, width: int, height: int) -> None:
    """There are no pixels behind the header: had it been decoded, it would have been found damaged."""
    data = bomb(width, height)
    assert len(data) < 1000
    with pytest.raises(PictureError, match=rf"x: .*megapixels.*{width:,} × {height:,}.*raise --megapixels"):
        decode(data, "x")


def test_the_limit_of_pixels_can_be_set() -> None:
    data = saved(Image.new("L", (100, 100)), "PNG")
    assert decode(data, "x", megapixels=0.01).width == 100
    with pytest.raises(PictureError, match=r"has 0.0 megapixels \(100 × 100\); the limit is 0.005"):
        decode(data, "x", megapixels=0.005)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "the file is empty"),
        (b"%PDF-1.7", "not a picture in JPEG, PNG, GIF, WebP, BMP or TIFF"),
        (b"%!PS-Adobe-3.0 EPSF-3.0", "not a picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not a picture"),
        (b"RIFF\x00\x00\x00\x00AVI LIST", "not a picture"),
        (b"\xff\xd8\xff", "damaged or cut off"),
        (saved(red_left(), "JPEG")[:300], "damaged or cut off"),
        (saved(red_left(), "PNG")[:60], "damaged or cut off"),
        (saved(red_left(), "WEBP")[:40], "damaged or cut off"),
        (saved(red_left(), "BMP")[:600], "damaged or cut off"),
    ],
)
def test_what_is_not_a_picture_is_named(content: bytes, problem: str, tmp_path: Path) -> None:
    (tmp_path / "7.jpg").write_bytes(content)
    with pytest.raises(PictureError, match=rf"7\.jpg: .*{problem}"):
        load_picture(tmp_path / "7.jpg")


def test_what_is_not_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder.jpg").mkdir()
    os.mkfifo(tmp_path / "pipe.jpg")
    for name, problem in [("folder.jpg", "a folder"), ("pipe.jpg", "not a regular file"), ("no.jpg", "No such file")]:
        with pytest.raises(PictureError, match=rf"{name}: .*{problem}"):
            read_bytes(tmp_path / name)
    with pytest.raises(PictureError, match="cannot be read"):
        read_bytes("a\x00b")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_permission_is_named(tmp_path: Path) -> None:
    (tmp_path / "7.jpg").write_bytes(b"x")
    (tmp_path / "7.jpg").chmod(0)
    with pytest.raises(PictureError, match=r"7.jpg: the file cannot be read \(Permission denied\)"):
        read_bytes(tmp_path / "7.jpg")


@pytest.mark.parametrize("format", ["JPEG", "PNG"])
@pytest.mark.parametrize(
    ("size", "reduced"),
    [
        ((640, 480), (640, 480)),
        ((1300, 1280), (325, 320)),
        ((2600, 640), (1300, 320)),
        ((99, 5200), (99, 2600)),  # a long strip is reduced along its longer edge alone, to no less than 8 × 320
    ],
)
def test_large_pictures_are_reduced_and_keep_their_size(
    format: str, size: tuple[int, int], reduced: tuple[int, int]
) -> None:
    image = Image.new("RGB", size, (0, 0, 255))
    image.paste((255, 0, 0), (0, 0, size[0] // 2, size[1]))
    found = decode(saved(image, format), "x", edge=320)
    assert (found.width, found.height) == size
    assert min(found.rgb.shape[:2]) >= min(320, *size)
    assert (found.rgb.shape[1], found.rgb.shape[0]) == reduced
    assert corners(found.rgb) == ["red", "blue", "red"]


def test_the_hash_is_that_of_the_bytes() -> None:
    data = saved(red_left(), "PNG")
    assert decode(data, "x").digest == picture_hash(data) != picture_hash(data + b"\x00")


def test_threads_leave_the_filter_of_warnings_as_it_was() -> None:
    data = saved(red_left(), "PNG")
    before = list(warnings.filters)
    threads = [threading.Thread(target=lambda: [decode(data, "x") for _ in range(30)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(warnings.filters) == before
