"""The last layer: every result drawn for people and programs.

`media.py` has one function for each medium; each result has a file that registers how it is drawn. Those that draw
pages, `*_html.py`, are imported when the first page is asked for.
"""

from __future__ import annotations

from vericap.show import (
    comparison,
    curve,
    explanation,
    scores,
    streamed,
    verdict,
)
from vericap.show.media import (
    as_csv,
    as_file,
    as_fragment,
    as_json,
    as_page,
    as_picture,
    as_table,
    as_text,
    remarks,
)

# Importing these registers how their results are drawn.
RESULTS = (scores, streamed, comparison, explanation, verdict, curve)

__all__ = [
    "RESULTS",
    "as_csv",
    "as_file",
    "as_fragment",
    "as_json",
    "as_page",
    "as_picture",
    "as_table",
    "as_text",
    "remarks",
]
