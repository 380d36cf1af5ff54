"""How networks are tested: small ones run fastest on one thread, and other tests may be running beside them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(autouse=True, scope="module")
def _one_thread(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.node.get_closest_marker("torch") is None:
        yield
        return
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def exact() -> Iterator[None]:
    """The same random weights every time, and numbers exact enough to compare with formulas."""
    import torch

    torch.manual_seed(7)
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


@pytest.fixture(scope="module", params=["faier", "fier", "aier", "fier+aier"])
def scorer(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A scorer of each variant."""
    from tests.neural.faier.faier_scorers import scorer_of

    return scorer_of(request.param, tmp_path_factory.mktemp("faier"))
