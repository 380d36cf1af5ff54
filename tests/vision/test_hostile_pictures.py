"""Two hundred damaged pictures: each is read or named. None ends the process, hangs, or takes much memory."""

from __future__ import annotations

import io
import random
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.vision.photos import load_picture
from vericap.vision.loading import PictureError

MUTANTS = 200


def seeds() -> list[bytes]:
    """A small picture in every format, with what makes decoders work: EXIF data, palettes, frames, tiles."""
    pixels = np.random.default_rng(1).integers(0, 256, (48, 64, 3), np.uint8)
    colour = Image.fromarray(pixels).resize((64, 48))
    exif = Image.Exif()
    exif[274] = 6
    wanted: list[tuple[Any, str, dict[str, Any]]] = [
        (colour, "JPEG", {"exif": exif}),
        (colour, "JPEG", {"progressive": True}),
        (colour.convert("CMYK"), "JPEG", {}),
        (colour, "PNG", {}),
        (colour.convert("P"), "PNG", {"transparency": 3}),
        (colour, "GIF", {"save_all": True, "append_images": [colour.rotate(90)]}),
        (colour, "WEBP", {"lossless": True}),
        (colour, "WEBP", {}),
        (colour, "BMP", {}),
        (colour, "TIFF", {"compression": "tiff_lzw"}),
    ]
    files = []
    for image, format, options in wanted:
        file = io.BytesIO()
        image.save(file, format, **options)
        files.append(file.getvalue())
    return files


def mutants() -> list[bytes]:
    """Bits flipped, ends cut off, numbers of the header made large, parts doubled or taken out; always the same."""
    draw = random.Random(17)
    made = []
    kept = seeds()
    for number in range(MUTANTS):
        data = bytearray(kept[number % len(kept)])
        kind = number // len(kept) % 5
        if kind == 0:
            for _ in range(draw.choice([1, 5, 40])):
                data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        elif kind == 1:
            del data[draw.randrange(len(data)) :]
        elif kind == 2:
            at = draw.randrange(min(64, len(data) - 4))
            number_there = draw.choice([0, 1, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF])
            data[at : at + 4] = struct.pack(draw.choice("<>") + "I", number_there)
        elif kind == 3:
            start = draw.randrange(len(data))
            data[start:start] = data[start : start + draw.randrange(400)]
        else:
            start = draw.randrange(len(data))
            del data[start : start + draw.randrange(1, 60)]
        made.append(bytes(data))
    return made


CODE = """
import resource, sys
from pathlib import Path
from vericap.vision.loading import PictureError, decode, read_bytes
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
read = named = 0
for path in sorted(Path(sys.argv[1]).iterdir()):
    for edge in (None, 320):
        try:
            picture = decode(read_bytes(path), str(path), edge=edge)
            assert picture.rgb.ndim == 3 and picture.rgb.shape[2] == 3 and picture.rgb.dtype == "uint8"
            read += 1
        except PictureError as error:
            assert path.name in str(error) and "\\n" not in str(error), error
            named += 1
print(read, named, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def test_damaged_pictures_are_read_or_named(tmp_path: Path) -> None:
    for number, data in enumerate(mutants()):
        (tmp_path / f"{number:03}.jpg").write_bytes(data)
    done = subprocess.run([sys.executable, "-W", "error", "-c", CODE, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    read, named, megabytes = map(int, done.stdout.split())
    assert read + named == 2 * MUTANTS
    assert read > 0 and named > MUTANTS // 2
    # A picture of 80 megapixels is 240 MB in RGB: damage to a header may ask for as much, and not for more.
    assert megabytes < 900


def test_undamaged_they_can_all_be_read(tmp_path: Path) -> None:
    for data in seeds():
        (tmp_path / "x").write_bytes(data)
        assert sorted(load_picture(tmp_path / "x").shape) == [3, 48, 64]


def test_one_message_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "two\nlines.jpg").write_bytes(b"GIF89a")
    with pytest.raises(PictureError, match="damaged"):
        load_picture(tmp_path / "two\nlines.jpg")
