"""`CIDErEvalCap` with pyciderevalcap's call: CIDEr and CIDEr-D of captions as written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vericap.compat.pyciderevalcap.cider.cider import Cider
from vericap.compat.pyciderevalcap.ciderD.ciderD import CiderD
from vericap.compat.pyciderevalcap.tokenizer.ptbtokenizer import PTBTokenizer


class CIDErEvalCap:
    """`gts` is {id: [{"caption": text}, …]}, `res` is [{"image_id": id, "caption": text}, …].

    >>> gts = {1: [{"caption": "A dog runs."}], 2: [{"caption": "A red cat."}]}
    >>> res = [{"image_id": 2, "caption": "a cat"}, {"image_id": 1, "caption": "a dog runs"}]
    >>> scores = CIDErEvalCap(gts, res, "corpus").evaluate()
    >>> [round(float(score), 4) for score in scores["CIDEr"]], [round(float(score), 4) for score in scores["CIDErD"]]
    ([1.7678, 7.5], [1.7434, 7.5])
    """

    def __init__(self, gts: Mapping[Any, Any], res: Sequence[Mapping[str, Any]], df: Any) -> None:
        self.gts, self.res, self.df = PTBTokenizer("gts").tokenize(gts), PTBTokenizer("res").tokenize(res), df

    def evaluate(self) -> dict[str, list[Any]]:
        """Return the scores of the captions by both metrics, in the order of `res`."""
        scorers = {"CIDEr": Cider(df=self.df), "CIDErD": CiderD(df=self.df)}
        return {name: list(scorer.compute_score(self.gts, self.res)[1]) for name, scorer in scorers.items()}
