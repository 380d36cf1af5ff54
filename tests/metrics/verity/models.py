"""A small Verity with random weights, in torch and as a folder of 32-bit weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.encoders.models import PIECES

torch = pytest.importorskip("torch", reason="needs the extra `neural`")
from tools.verity.export import write_model  # noqa: E402
from tools.verity.network import Encoder, Network  # noqa: E402
from vericap.encoders.config import Config  # noqa: E402

CONFIG = Config(size=24, layers=2, heads=4, inner_size=52, positions=40, limit=20)
REFERENCES = ["A dog runs on the street.", "the red dog and a man", "two dogs running"]
CAPTIONS = ["a dog runs", "A woman with two cats, and a blue ball.", "red red red", "the man's dog", "dog"]


def small_network(seed: int = 0) -> Network:
    """Random weights, far from the small numbers of a fresh model."""
    torch.manual_seed(seed)
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


def write_small(folder: Path, *, exact: bool = True, seed: int = 0) -> Network:
    """Writes the model of `small_network`, and gives the network."""
    network = small_network(seed)
    write_model(folder, network.state_dict(), PIECES, CONFIG, {}, exact=exact)
    return network
