"""A small Verity with random weights in torch, and the folder that is exported from it."""

from __future__ import annotations

from pathlib import Path

import torch

from tests.encoders.models import PIECES
from tests.metrics.verity.models import CONFIG
from tools.verity.export import write_model
from tools.verity.network import Encoder, Network


def small_network() -> Network:
    """Random weights, far from the small numbers of a fresh model."""
    torch.manual_seed(0)
    network = Network(Encoder(CONFIG, len(PIECES)), dimension=10).eval()
    with torch.no_grad():
        for name, weights in network.named_parameters():
            if name.startswith("encoder"):
                weights.copy_(torch.randn_like(weights) * (0.3 if weights.ndim > 1 else 0.2))
                if ".n" in name and name.endswith("weight"):
                    weights.add_(1.0)
        network.weigh.weight.copy_(torch.randn_like(network.weigh.weight))
        network.raw.copy_(torch.randn(8))
        network.own.copy_(torch.randn(8))
        for number, weights in enumerate((network.bias, network.single, network.count), 1):
            weights.fill_(-0.3 * number)
    return network


def export_small(folder: Path, *, exact: bool = True) -> Network:
    """Exports the model of `small_network`, and gives the network."""
    network = small_network()
    write_model(folder, network.state_dict(), PIECES, CONFIG, {}, exact=exact)
    return network
