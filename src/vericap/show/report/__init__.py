"""The page of a result: a plain report of it, packed into one HTML file with the script that draws it.

`document.py` makes the file from a report, `page/` holds the script and the style sheet as they are written, and one
module for each result (`score_report.py`, …) makes its report.
"""

from __future__ import annotations

from vericap.show.report.document import document

__all__ = ["document"]
