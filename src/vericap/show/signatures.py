"""The signatures of several metrics on one line, which says what they share once."""

from __future__ import annotations

from collections.abc import Sequence


def signature_lines(signatures: Sequence[str], *, each: bool = False) -> list[str]:
    """One line for all metrics, or one line for each.

    >>> print(*signature_lines(["metric:bleu-1|version:1|references:5|n:1", "metric:ter|version:1|references:5"]))
    signatures: version:1|references:5; bleu-1|n:1; ter
    """
    if each or len(signatures) < 2:
        return list(signatures)
    return [f"signatures: {in_one_line(signatures)}"]


def in_one_line(signatures: Sequence[str]) -> str:
    """What all signatures share, then each metric with what it has beside that; nothing is left out.

    >>> in_one_line(["metric:bleu-1|version:1|n:1", "metric:bleu-4|version:1|n:4"])
    'version:1; bleu-1|n:1; bleu-4|n:4'
    """
    if len(signatures) < 2:
        return "".join(signatures)
    parts = [signature.split("|") for signature in signatures]
    shared = [part for part in parts[0] if all(part in other for other in parts)]
    own = ["|".join(part for part in each if part not in shared).removeprefix("metric:") for each in parts]
    return "; ".join(["|".join(shared), *own])
