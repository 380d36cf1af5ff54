"""Scene graphs of your own, in JSON or in FACTUAL's notation `( girl , on , bed ) , ( girl , is , young )`
(Li et al. 2023)."""

from __future__ import annotations

import hashlib
import re
import stat
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from vericap.errors import InputError
from vericap.readers.files import File
from vericap.readers.json_values import read_values
from vericap.readers.messages import describe

Proposition: TypeAlias = tuple[str, ...]  # an object; object and attribute; subject, object and relation
_BRACKETS = re.compile(r"\(([^()]*)\)")


def read_notation(graph: str) -> list[Proposition]:
    """The propositions of FACTUAL's notation.

    >>> read_notation("( girl , on , bed ) , ( girl , is , young ) , ( cat )")
    [('girl', 'bed', 'on'), ('girl', 'young'), ('cat',)]
    """
    found: list[Proposition] = []
    for inside in _BRACKETS.findall(graph):
        parts = [part.strip().lower() for part in inside.split(",")]
        if all(parts) and 1 <= len(parts) <= 3:
            found.append(_proposition(parts))
    return found


def _proposition(parts: Sequence[str]) -> Proposition:
    """(object), (object, attribute) or (subject, relation, object); a relation "is" makes an attribute."""
    if len(parts) != 3:
        return tuple(parts)
    subject, relation, target = parts
    return (subject, target) if relation in ("is", "has_attribute") else (subject, target, relation)


def propositions(captions: Sequence[str], path: str) -> list[list[Proposition]]:
    """The graph of each caption from a file: {caption: graph} or [{"caption": …, "graph": …}], a graph being a list
    of tuples — [object], [object, attribute], [subject, relation, object] — or FACTUAL's notation."""
    graphs, _ = _load(path)
    missing = next((caption for caption in captions if caption not in graphs), None)
    if missing is not None:
        raise InputError(f"no graph for the caption {missing!r}", source=path, fix="add it: a graph may be empty, []")
    return [graphs[caption] for caption in captions]


def _load(path: str) -> tuple[dict[str, list[Proposition]], str]:
    """The graphs of a file and the hash of its content, read once: a pipe cannot be read again."""
    try:
        about = Path(path).stat()
    except (OSError, ValueError):
        return _read(path, None)  # whose error says what is wrong
    changed = about.st_mtime_ns if stat.S_ISREG(about.st_mode) else 0  # reading a pipe changes its time
    return _read(path, (about.st_ino, about.st_size, changed))


@lru_cache(maxsize=4)
def _read(path: str, about: tuple[int, int, int] | None) -> tuple[dict[str, list[Proposition]], str]:
    file = File(path)
    data = read_values(file)
    rows = data.items() if isinstance(data, Mapping) else _rows(data, path)
    graphs: dict[str, list[Proposition]] = {}
    for row, (caption, graph) in enumerate(rows, 1):
        if not isinstance(caption, str):
            problem = f"the caption is {describe(caption)}"
            raise InputError(problem, source=path, row=row, field="caption", fix="write it as a string")
        found = _graph(graph, row, path)
        if graphs.setdefault(caption, found) != found:
            problem = f"the caption {caption[:80]!r} has another graph in a row before"
            raise InputError(problem, source=path, row=row, field="caption", fix="keep one of them")
    return graphs, hashlib.sha256(file.data).hexdigest()[:12]


def _rows(data: Any, path: str) -> list[tuple[Any, Any]]:
    if not isinstance(data, list) or not all(isinstance(row, Mapping) for row in data):
        problem = "graphs are {caption: graph} or a list of {caption, graph}"
        raise InputError(problem, source=path, fix="write one of these, as `vericap graph --json` does")
    return [(row.get("caption"), row.get("graph")) for row in data]


def _graph(graph: Any, row: int, path: str) -> list[Proposition]:
    if isinstance(graph, str):
        return read_notation(graph)
    tuples_are_text = isinstance(graph, list) and all(
        isinstance(t, list) and 1 <= len(t) <= 3 and all(isinstance(w, str) and w for w in t) for t in graph
    )
    if not tuples_are_text:
        raise InputError(
            "the graph is not a list of tuples of one to three words",
            source=path,
            row=row,
            field="graph",
            fix='write e.g. [["dog"], ["dog", "brown"], ["dog", "on", "bed"]]',
        )
    return [_proposition([word.lower() for word in t]) for t in graph]


def file_hash(path: str) -> str:
    """A hash of what a file holds, in twelve digits."""
    return _load(path)[1]
