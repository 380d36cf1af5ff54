"""FAIEr's raw scores on a scale from 0 to 1, by the scores of validation captions that a checkpoint keeps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from vericap.arrays import Floats


def calibrate(scores: Floats, references: Floats, calibration: Mapping[str, Any]) -> Floats:
    r"""Scores on 0–1: $\frac12 F_{mismatched}(s) + \frac12 F_{matched}(s)$, where F is the share of validation
    captions, of other images or of the right one, that score lower. Below .5 a caption is among those of other
    pictures, above among right ones; the map rises with s, so ranks stay. It depends on the number of references, as
    scores do: the table of the largest number that is not above the caption's is used.

    >>> table = {"n": {"0": {"matched": [2.0, 4.0], "mismatched": [0.0, 2.0]}}}
    >>> calibrate(np.array([-1.0, 1.0, 2.0, 3.0, 9.0]), np.zeros(5), table).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    tables = sorted((int(count), table) for count, table in calibration["n"].items())
    mapped = np.zeros(len(scores))
    for place, (count, table) in enumerate(tables):
        last = tables[place + 1][0] if place + 1 < len(tables) else np.inf
        own = (references < last) & ((references >= count) | (place == 0))
        for kind in ("matched", "mismatched"):
            quantiles = np.asarray(table[kind], float)
            mapped[own] += np.interp(scores[own], quantiles, np.linspace(0, 0.5, len(quantiles)))
    return mapped
