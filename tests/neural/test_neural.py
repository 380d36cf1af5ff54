"""What needs torch says how to install it."""

from __future__ import annotations

import pytest

from vericap.errors import InputError
from vericap.neural import require


def test_a_missing_module_is_named_with_the_extra() -> None:
    require("a metric", "numpy")
    with pytest.raises(InputError, match=r"^a metric runs a neural network, and no_such_module is not installed; pip"):
        require("a metric", "numpy", "no_such_module")
