"""What is inside a page."""

from __future__ import annotations

import re
from typing import Any

from vericap.show.page import unpack


def report_of(page: str) -> Any:
    """The report that a page holds."""
    found = re.search(r'id="report">([A-Za-z0-9+/=]+)</script>', page)
    assert found is not None, "the page holds no report"
    return unpack(found[1])
