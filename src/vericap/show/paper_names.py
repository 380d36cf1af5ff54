"""Metrics as papers write their names."""

from __future__ import annotations

_NAMES = {
    "bleu": "BLEU",
    "meteor": "METEOR",
    "rouge": "ROUGE",
    "ter": "TER",
    "cider": "CIDEr",
    "spice": "SPICE",
    "spider": "SPIDEr",
    "wmd": "WMD",
    "vifidel": "VIFIDEL",
    "chair": "CHAIR",
    "faier": "FAIEr",
    "fier": "FIEr",
    "aier": "AIEr",
    "clipscore": "CLIPScore",
    "refclipscore": "RefCLIPScore",
    "pacscore": "PAC-S",
    "refpacscore": "RefPAC-S",
    "bertscore": "BERTScore",
    "sbert": "SBERT",
    "mid": "MID",
    "verity": "Verity",
}
_ENDINGS = {"l": "L", "su4": "SU4", "d": "D", "r": "R", "i": "i", "s": "s"}


def paper_name(key: str) -> str:
    """The name of a metric in a paper; a key that is not known here stays as it is.

    >>> [paper_name(key) for key in ("bleu-4", "rouge-l", "cider-d", "spice.color", "cider-r(k_r=0.5)", "mine")]
    ['BLEU-4', 'ROUGE-L', 'CIDEr-D', 'SPICE color', 'CIDEr-R(k_r=0.5)', 'mine']
    """
    name, bracket, parameters = key.partition("(")
    family, dot, part = name.partition(".")
    first, *endings = family.split("-")
    if first not in _NAMES:
        return key
    spelled = "-".join([_NAMES[first], *(_ENDINGS.get(ending, ending) for ending in endings)])
    return f"{spelled}{' ' if dot else ''}{part}{bracket}{parameters}"
