"""What may be asked of the tests between metrics."""

from __future__ import annotations

import pytest

from vericap.errors import InputError
from vericap.judging.tests import AgreementTests


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"bootstrap": -1}, "bootstrap=-1 is out of bounds for judge"),
        ({"bootstrap": 10**12}, "out of bounds"),
        ({"test": "permutation"}, "use one of studentised, bootstrap"),
    ],
)
def test_what_cannot_be_is_refused(options, problem):
    with pytest.raises(InputError, match=problem):
        AgreementTests(**options)


def test_by_default_p_is_not_bounded_by_the_resamples():
    assert (AgreementTests().test, AgreementTests().bootstrap, AgreementTests().against) == ("studentised", 1000, None)
