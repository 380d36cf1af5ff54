"""Reports as text inside a page: base64 of gzip of JSON, in which no caption can end a script element."""

from __future__ import annotations

import base64
import gzip
import math
from collections.abc import Iterable
from typing import Any

import orjson

from vericap.arrays import Floats

_DIGITS = 6


def pack(report: Any) -> str:
    """The report as the page unpacks it; the same report gives the same text.

    >>> unpack(pack({"caption": "</script>"})), "<" in pack({"caption": "</script>"})
    ({'caption': '</script>'}, False)
    """
    return base64.b64encode(gzip.compress(orjson.dumps(report, option=orjson.OPT_SERIALIZE_NUMPY), 9, mtime=0)).decode()


def unpack(text: str) -> Any:
    """The report again."""
    return orjson.loads(gzip.decompress(base64.b64decode(text)))


def short(number: float) -> float | None:
    """A number with six digits, which is more than a page shows; None where it does not exist.

    >>> short(0.123456789), short(float("nan"))
    (0.123457, None)
    """
    return float(f"{number:.{_DIGITS}g}") if math.isfinite(number) else None


def short_column(column: Floats | Iterable[float]) -> list[float | None]:
    """A column of such numbers."""
    values = column.tolist() if hasattr(column, "tolist") else column
    return [short(value) for value in values]
