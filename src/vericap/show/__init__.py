"""The last layer: every result drawn for people and programs.

`media.py` has one function for each medium; each result has a file that registers how it is drawn.
"""

from __future__ import annotations

from vericap.show import (
    comparison,
    comparison_html,
    curve,
    explanation,
    explanation_html,
    scores,
    scores_html,
    streamed,
    verdict,
    verdict_html,
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
RESULTS = (
    *(scores, scores_html, streamed),
    *(comparison, comparison_html),
    *(explanation, explanation_html),
    *(verdict, verdict_html, curve),
)

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
