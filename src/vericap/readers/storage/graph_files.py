"""Scene graphs of your own, in JSON or in FACTUAL's notation `( girl , on , bed ) , ( girl , is , young )`
(Li et al. 2023)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from vericap.errors import InputError
from vericap.readers.files import File
from vericap.readers.json_values import read_values

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
    graphs = _load(path)
    missing = next((caption for caption in captions if caption not in graphs), None)
    if missing is not None:
        raise InputError(f"no graph for the caption {missing!r}", source=path, fix="add it: a graph may be empty, []")
    return [graphs[caption] for caption in captions]


def _load(path: str) -> dict[str, list[Proposition]]:
    data = read_values(File(path))
    rows = data.items() if isinstance(data, Mapping) else _rows(data, path)
    return {caption: _graph(graph, row, path) for row, (caption, graph) in enumerate(rows, 1)}


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
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]
