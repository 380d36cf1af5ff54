"""Writes what ships from the weights of a training run: an 8-bit encoder and a head whose z = 0 has a meaning.

    python -m tools.verity.export RUN.pt … [--out src/vericap/data/verity] [--float]

RUN.pt is a checkpoint of tools.verity.train, or a state of its network alone; of several runs from the same start, the
mean of the weights is taken. z is stretched and shifted by a logistic
regression on the development captions: of people's own captions of a picture against those of similar pictures, so that
at z = 0 both are equally likely. --float keeps the encoder in 32 bits, as a folder.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray

from benchmarks.places import ROOT
from vericap.encoders import weights as encoder_weights
from vericap.encoders.config import Config
from vericap.encoders.installed import find_minilm
from vericap.encoders.weights import FIRST_NORM, POSITIONS, TYPES, WORDS
from vericap.metrics.verity.head import Head, Sums, write_head
from vericap.metrics.verity.metric import Verity
from vericap.metrics.verity.model import HEAD

SHIPPED = ROOT / "src" / "vericap" / "data" / "verity"
LIMIT = 256  # word pieces after which a text is cut off
PARTS = {"out": "attention.output.dense", "n1": "attention.output.LayerNorm", "up": "intermediate.dense"}
PARTS |= {"down": "output.dense", "n2": "output.LayerNorm"}

State = Mapping[str, torch.Tensor]


def read_state(path: Path) -> dict[str, torch.Tensor]:
    """Return the network's weights in a checkpoint or a file of weights alone."""
    found = torch.load(path, weights_only=True)
    state: dict[str, torch.Tensor] = found.get("state", found)
    return state


def mean_state(paths: Sequence[Path]) -> dict[str, torch.Tensor]:
    """Return the mean of the weights of runs."""
    states = [read_state(path) for path in paths]
    return {name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]}


def encoder_tensors(state: State, positions: int) -> dict[str, NDArray[np.float32]]:
    """Return the encoder's weights by the names that transformers gives them. Token types are part of the positions."""

    def array(name: str) -> NDArray[np.float32]:
        return np.asarray(state[f"encoder.{name}"].float().numpy(), np.float32)

    size = array("words.weight").shape[1]
    found = {WORDS: array("words.weight"), POSITIONS: array("position.weight")[:positions]}
    found[TYPES] = np.zeros((1, size), np.float32)
    for kind in ("weight", "bias"):
        found[f"{FIRST_NORM}.{kind}"] = array(f"norm.{kind}")
        for layer in range(count_layers(state)):
            name = f"encoder.layer.{layer}"
            three = np.split(array(f"layers.{layer}.qkv.{kind}"), 3)
            for part, values in zip(("query", "key", "value"), three, strict=True):
                found[f"{name}.attention.self.{part}.{kind}"] = values
            for ours, theirs in PARTS.items():
                found[f"{name}.{theirs}.{kind}"] = array(f"layers.{layer}.{ours}.{kind}")
    return found


def count_layers(state: State) -> int:
    """Layers of the encoder."""
    return len({name.split(".")[2] for name in state if name.startswith("encoder.layers.")})


def head_of(state: State) -> Head:
    """Return the head of a network, as it was trained."""
    from tools.verity.network import SCALE, WEIGHT_SHIFT

    numbers = {name: float(state[name]) for name in ("single", "count", "bias")}
    return Head(
        projection=state["project.weight"].T.contiguous().float().numpy(),
        weigh=state["weigh.weight"][0].float().numpy(),
        weigh_bias=float(state["weigh.bias"]) + WEIGHT_SHIFT,
        sums=Sums(
            (F.softplus(state["raw"].double()) * SCALE).numpy(), (state["own"].double() * SCALE).numpy(), **numbers
        ),
    )


def fit_logistic(z: NDArray[np.float64], own: NDArray[np.bool_]) -> tuple[float, float]:
    """Slope and shift of the logistic regression of `own` on z, both sides weighing the same, by Newton's method.

    >>> slope, shift = fit_logistic(np.array([0.0, 1.0, 1.0, 2.0, 2.0, 3.0]), np.array([0, 0, 1, 0, 1, 1], bool))
    >>> round(-shift / slope, 3)  # the middle
    1.5
    """
    weights = np.where(own, 0.5 / own.sum(), 0.5 / (~own).sum())
    columns = np.column_stack([z, np.ones(len(z))])
    found = np.zeros(2)
    for _ in range(50):
        likely = 1 / (1 + np.exp(-columns @ found))
        gradient = columns.T @ (weights * (own - likely))
        curvature = (columns * (weights * likely * (1 - likely))[:, None]).T @ columns
        found += np.linalg.solve(curvature + 1e-12 * np.eye(2), gradient)
    return float(found[0]), float(found[1])


def write_model(
    folder: Path, state: State, pieces: Sequence[str], config: Config, about: Mapping[str, Any], *, exact: bool = False
) -> None:
    """Write encoder and head; with `exact`, the encoder as a folder of 32-bit weights."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors = encoder_tensors(state, config.positions)
    # A folder holds one encoder.
    shutil.rmtree(folder / "encoder", ignore_errors=True)
    (folder / "encoder.arrays").unlink(missing_ok=True)
    if exact:
        _write_folder(folder / "encoder", tensors, pieces, config)
    else:
        encoder_weights.write(folder / "encoder.arrays", "verity", config, pieces, tensors)
    write_head(folder / HEAD, head_of(state), about)


def _write_folder(
    folder: Path, tensors: Mapping[str, NDArray[np.float32]], pieces: Sequence[str], config: Config
) -> None:
    from safetensors.numpy import save_file

    folder.mkdir(exist_ok=True)
    sizes = {"hidden_size": config.size, "num_hidden_layers": config.layers, "num_attention_heads": config.heads}
    sizes |= {"intermediate_size": config.inner_size, "max_position_embeddings": config.positions}
    about = {"model_type": "bert", "hidden_act": "gelu", **sizes, "layer_norm_eps": config.epsilon}
    (folder / "config.json").write_text(json.dumps(about), "utf-8")
    limit = {"do_lower_case": config.lower, "model_max_length": config.limit}
    (folder / "tokenizer_config.json").write_text(json.dumps(limit), "utf-8")
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", "utf-8")
    save_file({name: np.ascontiguousarray(values) for name, values in tensors.items()}, folder / "model.safetensors")


def calibrate(folder: Path) -> dict[str, float]:
    """Fits slope and shift on the development captions, and writes them into the head."""
    from tools.verity.development import development, scores

    rows = [row for row in development() if row.kind in ("own", "near", "far")]
    z = scores(rows, Verity(str(folder), scale="logit"))
    slope, shift = fit_logistic(z, np.array([row.kind == "own" for row in rows]))
    head = Head.read(folder / HEAD)
    fitted = {"slope": slope, "shift": shift, "captions": len(rows)}
    write_head(folder / HEAD, replace(head, sums=head.sums.stretched(slope, shift)), {"calibration": fitted})
    return fitted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="+", help="weights or checkpoints of training runs")
    parser.add_argument("--out", type=Path, default=SHIPPED, help="folder of the model")
    parser.add_argument("--minilm", type=Path, help="folder of all-MiniLM-L6-v2, for its vocabulary")
    parser.add_argument("--float", action="store_true", help="keep the encoder in 32 bits")
    options = parser.parse_args()
    start = encoder_weights.open_weights(options.minilm or find_minilm("the export"))
    state = mean_state(options.runs)
    facts = {"layers": count_layers(state), "positions": LIMIT, "limit": LIMIT}
    config = Config.of_facts({**start.config.facts(), **facts})
    write_model(options.out, state, start.pieces, config, {}, exact=options.float)
    fitted = calibrate(options.out)
    print(f"{options.out}: z = {fitted['slope']:.4f} z + {fitted['shift']:.4f}")
    for path in sorted(options.out.iterdir()):
        print(f"{path.stat().st_size:>12,}  {path.name}")


if __name__ == "__main__":
    main()
