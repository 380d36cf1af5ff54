"""How much is read: pipes and devices up to a limit, compressed content up to a multiple of its size."""

from __future__ import annotations

import gzip
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from vericap.errors import InputError
from vericap.readers import files


def test_a_device_without_end_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGEST_STREAM", 3 << 20)
    with pytest.raises(InputError, match=r"^/dev/zero: the content is larger than 3 MiB; give a regular file$"):
        _ = files.File("/dev/zero").data


def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    content = bytes(range(256)) * 9000
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_bytes(content))
    writer.start()
    assert files.File(tmp_path / "pipe").data == content
    writer.join()


@pytest.mark.parametrize("compress", [gzip.compress, lambda data: pa.Codec("zstd").compress(data).to_pybytes()])
def test_a_bomb_is_an_error_and_ordinary_compression_is_not(
    compress: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "ALWAYS_ALLOWED", 1 << 20)
    with pytest.raises(InputError, match=r"^bomb: the content is larger than [16] MiB; decompress it first"):
        files.decompress(compress(bytes(64 << 20)), "bomb")
    text = b"".join(b'{"image_id": %d, "caption": "a dog runs"}\n' % i for i in range(100_000))
    assert files.decompress(compress(text), "captions") == text
