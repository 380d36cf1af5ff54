"""`PTBTokenizer` under pyciderevalcap's module path."""

from vericap.compat.pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

__all__ = ["PTBTokenizer"]
