"""The scale from 0 to 1 keeps the order of raw scores."""

from __future__ import annotations

import numpy as np
import pytest

from tests.metrics.faier.faier_captions import Make, key, scores
from vericap.metrics import parse
from vericap.metrics.faier.calibration import calibrate

pytestmark = pytest.mark.torch


def test_calibrated_scores_keep_their_order(tiny: Make) -> None:
    folder = tiny()
    raw, mapped = scores(key(folder)), scores(key(folder, scale="calibrated"))
    assert ((mapped >= 0) & (mapped <= 1)).all()
    same_count = np.array([0, 3, 4])  # images with three references
    assert (np.diff(mapped[same_count][np.argsort(raw[same_count])]) >= 0).all()
    assert parse(key(folder, scale="calibrated")).range == (0.0, 1.0)


def test_calibration_is_of_the_number_of_references() -> None:
    tables = {
        "n": {
            "0": {"matched": [1.0, 2.0], "mismatched": [0.0, 1.0]},
            "4": {"matched": [3.0, 4.0], "mismatched": [2.0, 3.0]},
        }
    }
    at = calibrate(np.array([1.0, 1.0, 3.0, 3.0, 3.5]), np.array([0, 3, 3, 4, 48]), tables)
    assert at.tolist() == [0.5, 0.5, 1.0, 0.5, 0.75]
