"""The GRU without padding is torch's."""

from __future__ import annotations

import pytest
import torch

from tests.metrics.faier.slow_graphs import pack
from vericap.metrics.faier.recurrence import PackedGRU

pytestmark = [pytest.mark.torch, pytest.mark.usefixtures("exact")]


def test_recurrence_is_torch_s_gru() -> None:
    ours, rows = PackedGRU(3, 2), [[0, 1], [2, 3, 4, 5], [6]]
    theirs = torch.nn.GRU(3, 2)
    weights = (ours.input.weight, ours.hidden.weight, ours.input.bias, ours.hidden.bias)
    with torch.no_grad():
        for own, other in zip(weights, theirs.parameters(), strict=True):
            other.copy_(own)
    x, packed = torch.randn(7, 3, requires_grad=True), pack(rows)
    found = ours(ours.input(x[packed.items]), packed.running)
    given = torch.nn.utils.rnn.pack_sequence([x[row] for row in rows], enforce_sorted=False)
    states, last = theirs(given)
    assert torch.allclose(found, states.data)
    assert torch.allclose(found[packed.last], last[0])
    assert torch.autograd.gradcheck(lambda x, *_: ours(ours.input(x[packed.items]), packed.running), (x, *weights))
