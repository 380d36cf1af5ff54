"""Numbers as JSON has them."""

from __future__ import annotations

import math
from collections.abc import Sequence


def finite(number: float) -> float | None:
    """The number; None where it does not exist.

    >>> finite(0.5), finite(float("nan"))
    (0.5, None)
    """
    return number if math.isfinite(number) else None


def listed(interval: Sequence[float] | None) -> list[float] | None:
    """An interval as a list; None where there is none."""
    return None if interval is None else list(interval)
