"""Writes src/vericap/data/clip/merges.txt.gz: the byte pairs that CLIP's tokenizer merges, most frequent first.

    pip download --no-deps open-clip-torch==3.3.0
    python tools/make_clip_vocabulary.py open_clip_torch-3.3.0-py3-none-any.whl

The list is OpenAI's (github.com/openai/CLIP, MIT licence), as the PyPI package open-clip-torch (MIT licence) has it. Of
its 262,144 lines CLIP uses the first 48,894 after a header; only these are kept.
"""

from __future__ import annotations

import gzip
import hashlib
import sys
import zipfile
from pathlib import Path

NAME = "open_clip/bpe_simple_vocab_16e6.txt.gz"
SHA256 = "924691ac288e54409236115652ad4aa250f48203de50a9e4722a6ecd48d6804a"
MERGES = 49_152 - 256 - 2  # the vocabulary without single bytes and without the marks of start and end
OUTPUT = Path(__file__).parents[1] / "src" / "vericap" / "data" / "clip" / "merges.txt.gz"


def merges(packed: bytes) -> bytes:
    """Return the lines that CLIP uses, without the header."""
    lines = gzip.decompress(packed).decode("utf-8").split("\n")
    return ("\n".join(lines[1 : 1 + MERGES]) + "\n").encode()


def main() -> None:
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        packed = wheel.read(NAME)
    if (found := hashlib.sha256(packed).hexdigest()) != SHA256:
        raise SystemExit(f"{NAME} has the SHA-256 {found}, and {SHA256} is expected")
    OUTPUT.parent.mkdir(parents=True, exist_ok=True)
    OUTPUT.write_bytes(gzip.compress(merges(packed), mtime=0))


if __name__ == "__main__":
    main()
