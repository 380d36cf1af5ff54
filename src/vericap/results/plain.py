"""Plain data as JSON has it: numbers, and what every document begins with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from vericap.version import __version__

# Grows when a key is removed or changes its meaning, not when one is added. docs/output.md has the schemas.
SCHEMA = 1


def finite(number: float) -> float | None:
    """Return the number; None where it does not exist.

    >>> finite(0.5), finite(float("nan"))
    (0.5, None)
    """
    return number if math.isfinite(number) else None


def listed(interval: Sequence[float] | None) -> list[float] | None:
    """Return an interval as a list; None where there is none."""
    return None if interval is None else list(interval)


def versions() -> dict[str, Any]:
    """Return the first keys of a document: the version of Vericap, and that of the document's shape.

    >>> list(versions())
    ['vericap', 'schema']
    """
    return {"vericap": __version__, "schema": SCHEMA}
