"""`CiderScorer` of CIDEr-D under pyciderevalcap's module path."""

from vericap.compat.pycocoevalcap.ciderD.ciderD_scorer import CiderScorer

__all__ = ["CiderScorer"]
