"""Plain data as JSON has it: numbers, fields of results, and what every document begins with."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

import numpy as np

from vericap.version import __version__

# Grows when a key is removed or changes its meaning, not when one is added. docs/output.md has the schemas.
SCHEMA = 1

Found = TypeVar("Found")


class ByName(Mapping[str, Found], Generic[Found]):
    """Subclasses are dataclasses with a field `results`: one entry per name, in the order asked for."""

    results: Mapping[str, Found]

    def __getitem__(self, name: str) -> Found:
        return self.results[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)


def finite(number: float) -> float | None:
    """Return the number; None where it does not exist.

    >>> finite(0.5), finite(float("nan"))
    (0.5, None)
    """
    return number if math.isfinite(number) else None


def plain(value: Any) -> Any:
    """Return a value as JSON has it: lists for tuples and arrays, None for numbers that do not exist.

    >>> plain({"interval": (0.25, float("inf")), "values": np.array([1.0])}), plain(None)
    ({'interval': [0.25, None], 'values': [1.0]}, None)
    """
    if isinstance(value, float):
        return finite(value)
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(each) for each in value]
    return value


def fields(of: Any, *names: str) -> dict[str, Any]:
    """Return some attributes of a result as plain data, in this order."""
    return {name: plain(getattr(of, name)) for name in names}


def versions() -> dict[str, Any]:
    """Return the first keys of a document: the version of Vericap, and that of the document's shape.

    >>> list(versions())
    ['vericap', 'schema']
    """
    return {"vericap": __version__, "schema": SCHEMA}
