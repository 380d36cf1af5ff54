"""`CiderD` under pyciderevalcap's module path."""

from vericap.compat.pycocoevalcap.ciderD.ciderD import CiderD

__all__ = ["CiderD"]
