"""Files that verbs write."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from vericap.errors import InputError


def write(path: Path, pieces: Iterable[bytes]) -> None:
    """Writes a file, or stdout for `-`."""
    if str(path) == "-":
        sys.stdout.buffer.writelines(pieces)
        return
    try:
        with path.open("wb") as file:
            file.writelines(pieces)
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror}", source=str(path), fix="choose another place") from None
