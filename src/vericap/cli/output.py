"""Files that verbs write."""

from __future__ import annotations

import sys
from pathlib import Path

from vericap.errors import InputError


def write(path: Path, content: bytes) -> None:
    """Writes a file, or stdout for `-`."""
    if str(path) == "-":
        sys.stdout.buffer.write(content)
        return
    try:
        path.write_bytes(content)
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror}", source=str(path), fix="choose another place") from None
