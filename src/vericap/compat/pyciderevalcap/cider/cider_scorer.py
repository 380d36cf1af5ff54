"""`CiderScorer` with pyciderevalcap's call: plain CIDEr."""

from __future__ import annotations

from typing import ClassVar

from vericap.compat.pycocoevalcap.ciderD.ciderD_scorer import CiderScorer as ClippedScorer


class CiderScorer(ClippedScorer):
    """CIDEr without clipping and length penalty, of captions that are added one after the other."""

    clipped: ClassVar[bool] = False
