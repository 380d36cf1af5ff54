"""Metrics as papers write their names."""

from __future__ import annotations

from vericap.errors import InputError
from vericap.metrics import parse


def paper_name(key: str) -> str:
    """Return the name of a metric in a paper; a key that cannot be read stays as it is.

    >>> [paper_name(key) for key in ("bleu-4", "rouge-l", "cider-d", "spice.color", "cider-r(k_r=0.5)", "mine")]
    ['BLEU-4', 'ROUGE-L', 'CIDEr-D', 'SPICE color', 'CIDEr-R(k_r=0.5)', 'mine']
    """
    try:
        return parse(key).named()
    except InputError:
        return key
