"""Names of a detector's classes, from a file: one name per line, or a JSON list or object."""

from __future__ import annotations

import json
from pathlib import Path

from vericap.errors import InputError


def read_classes(path: str | Path, first: int = 0) -> dict[int, str]:
    """The name of each class by its number. Lines are numbered from `first`; a line that is empty, or "???" as in
    TensorFlow's lists, names no class. JSON is ["person", …] or {"0": "person", …}.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "classes.txt").write_text("person\\n\\ncar\\n")
    ...     read_classes(Path(folder, "classes.txt"), first=1)
    {1: 'person', 3: 'car'}
    """
    try:
        text = Path(path).read_text("utf-8-sig")
    except (OSError, UnicodeError) as error:
        problem = f"the list of classes cannot be read ({getattr(error, 'strerror', None) or error})"
        raise InputError(problem, source=str(path), field="classes", fix="check the file") from None
    rows = text.splitlines()
    named = _from_json(text, str(path), first) if text.lstrip()[:1] in ("[", "{") else dict(enumerate(rows, first))
    found = {number: name.strip() for number, name in named.items() if name.strip() not in ("", "???")}
    if not found:
        raise InputError("the file names no class", source=str(path), field="classes", fix="write one name per line")
    return found


def _from_json(text: str, source: str, first: int) -> dict[int, str]:
    try:
        given = json.loads(text)
        named = {int(k): v for k, v in given.items()} if isinstance(given, dict) else dict(enumerate(given, first))
        if not all(isinstance(name, str) for name in named.values()):
            raise ValueError("a name is not a string")
    except (ValueError, TypeError, RecursionError) as error:
        fix = 'write ["person", …], {"0": "person", …}, or one name per line'
        raise InputError(
            f"the list of classes is not valid ({error})", source=source, field="classes", fix=fix
        ) from None
    return named
