"""The second network ships as it is made of AIEr, and its features get the share that is asked for."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra `neural`")
from tools.verity.second import ADDED, AIER, reader_of, with_shares, without_shares
from vericap.metrics.verity.head import Sums
from vericap.metrics.verity.matching import FEATURES, MATCHED
from vericap.metrics.verity.model import load

PLAIN = Sums(np.append(np.arange(1.0, 9.0), [0, 0]), np.zeros(8), single=0.0, count=0.0, bias=0.0)
KNOWN = np.random.default_rng(0).normal(size=(300, len(FEATURES) + len(MATCHED))) * np.arange(1, 19)


def test_what_ships_is_made_of_the_aier_that_ships():
    made, shipped = reader_of(AIER), load().reader
    assert np.array_equal(made.hashes, shipped.hashes) and np.array_equal(made.table, shipped.table)
    assert np.array_equal(made.union.astype(np.float16), shipped.union.astype(np.float16))


def test_a_share_of_one_has_the_deviation_of_z():
    z = KNOWN[:, : len(FEATURES)] @ PLAIN.features
    found = with_shares(PLAIN, KNOWN, {"second support": 1.0})
    added = KNOWN[:, : len(FEATURES)] @ (found.features - PLAIN.features)
    assert added.std() == pytest.approx(z.std())


def test_equal_shares_can_be_taken_away_again():
    changed = with_shares(PLAIN, KNOWN, dict.fromkeys(ADDED, 0.3)).stretched(2.0, 1.0)
    assert without_shares(changed, KNOWN).features == pytest.approx(2 * PLAIN.features)


def test_a_model_without_a_second_network_is_refused():
    known = KNOWN.copy()
    known[:, len(MATCHED) : len(FEATURES)] = 0
    with pytest.raises(SystemExit, match="no second network"):
        with_shares(PLAIN, known, dict.fromkeys(ADDED, 0.3))
