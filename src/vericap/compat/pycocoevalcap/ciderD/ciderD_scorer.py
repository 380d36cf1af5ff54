"""`CiderScorer` of the code bases that train with CIDEr-D."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vericap.compat.pycocoevalcap.consensus import CORPUS, Consensus


class CiderScorer(Consensus):
    """CIDEr-D of captions that are added one after the other; `df_mode` as `df` in `CiderD`."""

    def __init__(
        self,
        df_mode: Any = CORPUS,
        test: str | None = None,
        refs: Sequence[str] | None = None,
        n: int = 4,
        sigma: float = 6.0,
    ) -> None:
        super().__init__(test, refs, n, sigma, df_mode)
