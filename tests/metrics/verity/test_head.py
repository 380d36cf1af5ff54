"""The head's file: what is written is read, and another file is refused."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.errors import InputError
from vericap.metrics.verity.head import FORMAT, KIND, Head, Sums, write_head
from vericap.metrics.verity.matching import FEATURES, EncodedReferences
from vericap.readers.storage import array_file

SUMS = Sums(np.arange(8.0), -np.arange(8.0), single=0.25, count=2.0, bias=-1.0, judgements=("composite",))


def head(**changed):
    values = {
        "projection": np.arange(12, dtype=np.float32).reshape(4, 3),
        "weigh": np.array([1, 2, 3, 4], np.float32),
        "weigh_bias": 0.5,
        "sums": SUMS,
        "tuned": {"all": SUMS.stretched(2.0, 1.0)},
    }
    return Head(**{**values, **changed})


def references(count):
    empty = np.zeros((0, 3), np.float32)
    return EncodedReferences(empty, empty[:, 0], empty[:, 0], np.arange(count), empty, np.ones(8))


def test_a_head_is_read_as_it_was_written(tmp_path):
    write_head(tmp_path / "head.arrays", head(), {"seed": 0})
    found = Head.read(tmp_path / "head.arrays")
    for name in ("projection", "weigh"):
        assert getattr(found, name).tolist() == getattr(head(), name).tolist()
    assert found.weigh_bias == 0.5
    assert found.sums.facts() == SUMS.facts()
    assert found.sums_of("all").facts() == SUMS.stretched(2.0, 1.0).facts()
    assert len(found.digest) == 12


def test_z_is_the_sum_of_its_summands_by_kind():
    # w = 0 … 7: fidelity 0 + 1 + 2, adequacy 3 + 4 + 5, wholes 6 + 7
    found = SUMS.statistics(np.ones((1, 8)), np.array([9.0]))
    assert found.tolist() == [[3, 12, 13, 9, 1, 1]]


def test_a_single_reference_has_a_summand_of_its_own():
    # the yardstick of ones weighs -(0 + … + 7) = -28, and the bias -1
    assert SUMS.alone(references(1)) == pytest.approx(-28 - 1 + 0.25)
    assert SUMS.alone(references(5)) == pytest.approx(-28 - 1 + 2 * np.log(5))


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"kind": "encoder"}, "not a head of Verity"),
        ({"kind": KIND, "format": 99}, "format 99"),
        ({"kind": KIND, "format": FORMAT, "features": ["length"]}, "other features"),
        ({"kind": KIND, "format": FORMAT, "features": list(FEATURES)}, "damaged"),
    ],
)
def test_another_file_is_refused_with_its_name(tmp_path, facts, said):
    array_file.write(tmp_path / "head.arrays", "x", facts, {})
    with pytest.raises(InputError, match=said) as error:
        Head.read(tmp_path / "head.arrays")
    assert "head.arrays" in str(error.value)


def test_weights_that_are_not_there_are_named():
    with pytest.raises(InputError, match="no weights tuned to 'flickr'") as error:
        head().sums_of("flickr")
    assert "all" in str(error.value)
    assert head().sums_of("") is SUMS
