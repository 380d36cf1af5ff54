"""Baselines of BERTScore: what unrelated sentences score, by layer, in the CSV files of the package bert-score."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TypeAlias

from vericap.errors import InputError

Baseline: TypeAlias = tuple[float, float, float]  # of P, R and F1


def read_baseline(path: str, layer: int) -> Baseline:
    """The baseline of a layer, from a file with the columns LAYER, P, R and F; layer 0 is the embeddings'."""
    try:
        with Path(path).open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError) as error:
        fix = "give a CSV file of bert-score"
        raise InputError(f"the baseline cannot be read ({error})", source=path, fix=fix) from None
    for number, row in enumerate(rows, 2):
        try:
            if int(row["LAYER"]) != layer:
                continue
            p, r, f = (float(row[name]) for name in ("P", "R", "F"))
        except (KeyError, TypeError, ValueError):
            fix = "the first line must be LAYER,P,R,F, and all others numbers"
            raise InputError(f"line {number} is not a baseline", source=path, row=number, fix=fix) from None
        if not max(p, r, f) < 1:
            raise InputError(f"line {number} has a baseline of 1 or more", source=path, row=number)
        return p, r, f
    raise InputError(f"the baseline has no layer {layer}", source=path, fix="give the file of this model")
