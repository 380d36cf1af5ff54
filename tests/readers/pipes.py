"""A pipe for tests."""

from __future__ import annotations

import os
import threading
from pathlib import Path


def pipe(path: Path, content: bytes) -> Path:
    """A pipe that gives its content once, as <(cat file) of a shell does."""
    os.mkfifo(path)
    threading.Thread(target=path.write_bytes, args=(content,), daemon=True).start()
    return path
