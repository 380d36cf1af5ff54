"""From trained weights to what ships and back: 8-bit whole numbers, row by row, in the layout of
`vericap.scene.network`."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from tools.parser.network import HIDDEN, LABEL, LAYERS, Student, Vocabulary
from tools.parser.silver import LONGEST, Silver
from vericap.scene.parser import Parser

MARGIN = 1.1  # inputs beyond what was seen
_HALF = np.repeat([0.5, 0.5, 0.5, 1.0], HIDDEN)
_HEADS = ("tag", "dependent", "head", "label_dependent", "label_head")


class Rounded:
    """Arrays by name, weights in 8 bits."""

    def __init__(self) -> None:
        self.arrays: dict[str, np.ndarray] = {}

    def store(self, name: str, weights: np.ndarray, reach: float | None = None, bias: np.ndarray | None = None) -> None:
        """A matrix, how large its inputs get, and its bias."""
        scale = np.maximum(np.abs(weights).max(axis=1), 1e-9) / 127
        self.arrays[f"{name}.weight"] = np.rint(weights / scale[:, None]).astype(np.int8)
        self.arrays[f"{name}.scale"] = scale.astype(np.float32)
        if reach is not None:
            self.arrays[f"{name}.reach"] = np.float32(reach)
        if bias is not None:
            self.arrays[f"{name}.bias"] = bias.astype(np.float32)


def rounded(vocabulary: Vocabulary, weights: dict[str, torch.Tensor], seen: list[Silver]) -> dict[str, np.ndarray]:
    """Return the weights as `vericap.scene.parser` reads them; from `seen` sentences comes how large inputs get."""
    student = Student(vocabulary)
    student.load_state_dict(weights)
    student.eval()
    with torch.no_grad():
        for length, bucket in vocabulary.encode(seen).items():
            if length < 30:
                student(bucket["x"][:200], bucket["h"][:200])
    reach = {name: MARGIN * value for name, value in student.reach.items()}
    state = {name: value.numpy() for name, value in student.state_dict().items()}
    out = Rounded()
    for table in ("word", "affix", "shape"):
        out.store(table, state[f"{table}.weight"])
    out.store("window", np.concatenate(np.split(state["window.weight"], 3, axis=1)), reach["window"])
    for layer in range(LAYERS):
        ways = [f"l{layer}", f"l{layer}_reverse"]
        inputs = np.concatenate([gates(state[f"lstm.weight_ih_{way}"]) for way in ways])
        bias = np.concatenate([gates(state[f"lstm.bias_ih_{way}"] + state[f"lstm.bias_hh_{way}"]) for way in ways])
        out.store(f"input{layer}", inputs, reach["input0"] if layer == 0 else 1.0, bias)
        for way, name in zip(ways, ("forward", "backward"), strict=True):
            out.store(f"recurrent{layer}.{name}", gates(state[f"lstm.weight_hh_{way}"]), 1.0)
    out.store("project", state["project.weight"], 1.0, state["project.bias"])
    bias = np.concatenate([state.get(f"{name}.bias", np.zeros(LABEL, np.float32)) for name in _HEADS])
    out.store("heads", np.concatenate([state[f"{name}.weight"] for name in _HEADS]), reach["heads"], bias)
    out.store("bilinear", state["bilinear.weight"] * 0.1, reach["bilinear"])
    out.store("label", state["label.weight"], reach["label"], state["label.bias"])
    return out.arrays | {
        "window_bias": state["window.bias"],
        "embedding_norm": state["embedding_norm.gain"],
        "norm": state["norm.gain"],
        "head_bias": state["head_bias.weight"][0],
        "head.reach": np.float32(reach["head"]),
        "dependent.reach": np.float32(reach["dependent"]),
    }


def restored(vocabulary: Vocabulary, arrays: dict[str, np.ndarray]) -> dict[str, torch.Tensor]:
    """Weights to go on training with, from those that ship; what rounding took is lost."""
    student = Student(vocabulary)

    def matrix(name: str) -> np.ndarray:
        return arrays[f"{name}.weight"].astype(np.float32) * arrays[f"{name}.scale"][:, None]

    state = {f"{table}.weight": matrix(table) for table in ("word", "affix", "shape")}
    state["window.weight"] = np.concatenate(np.split(matrix("window"), 3), axis=1)
    state["window.bias"] = arrays["window_bias"]
    state["embedding_norm.gain"], state["norm.gain"] = arrays["embedding_norm"], arrays["norm"]
    for layer in range(LAYERS):
        inputs, biases = np.split(matrix(f"input{layer}"), 2), np.split(arrays[f"input{layer}.bias"], 2)
        for way, name, weights, bias in zip(("", "_reverse"), ("forward", "backward"), inputs, biases, strict=True):
            state[f"lstm.weight_ih_l{layer}{way}"] = in_torchs_order(weights)
            state[f"lstm.weight_hh_l{layer}{way}"] = in_torchs_order(matrix(f"recurrent{layer}.{name}"))
            state[f"lstm.bias_ih_l{layer}{way}"] = in_torchs_order(bias)
            state[f"lstm.bias_hh_l{layer}{way}"] = np.zeros_like(bias)
    state["project.weight"], state["project.bias"] = matrix("project"), arrays["project.bias"]
    current = student.state_dict()
    cuts = np.cumsum([len(current[f"{name}.weight"]) for name in _HEADS])[:-1]
    parts = zip(_HEADS, np.split(matrix("heads"), cuts), np.split(arrays["heads.bias"], cuts), strict=True)
    for name, weights, bias in parts:
        state[f"{name}.weight"] = weights
        if f"{name}.bias" in current:
            state[f"{name}.bias"] = bias
    state["bilinear.weight"] = matrix("bilinear") * 10
    state["head_bias.weight"] = arrays["head_bias"][None]
    state["head_bias.bias"] = current["head_bias.bias"].numpy() * 0  # adds the same to all heads
    state["label.weight"], state["label.bias"] = matrix("label"), arrays["label.bias"]
    return {name: torch.from_numpy(np.ascontiguousarray(value, np.float32)) for name, value in state.items()}


def gates(values: np.ndarray) -> np.ndarray:
    """Torch's order input, forget, cell, output → input, forget, output, cell; the first three halved."""
    i, f, c, o = np.split(values, 4)
    ordered = np.concatenate([i, f, o, c])
    return ordered * (_HALF[:, None] if ordered.ndim == 2 else _HALF)


def in_torchs_order(values: np.ndarray) -> np.ndarray:
    """Return the way back from `gates`."""
    i, f, o, c = np.split(values / (_HALF[:, None] if values.ndim == 2 else _HALF), 4)
    return np.concatenate([i, f, c, o])


def description(vocabulary: Vocabulary, training: dict[str, Any]) -> dict[str, Any]:
    """Return the content of parser.json before the grammar is trained."""
    return {
        "made_by": "tools/parser/make.py",
        "training": training,
        "layers": LAYERS,
        "tags": vocabulary.tags,
        "relations": vocabulary.relations,
        "words": vocabulary.words,
        "affixes": vocabulary.affixes,
        "frequent": int((vocabulary.counts >= 10).sum()) + 1,  # words, with the unknown one
    }


def measure(parser: Parser, gold: list[Silver]) -> dict[str, float]:
    """Accuracy of tags, heads, heads with relations and whole trees, in percent."""
    gold = [s for s in gold if len(s["words"]) <= LONGEST]
    right = np.zeros(4)
    for g, p in zip(gold, parser.parse([s["words"] for s in gold]), strict=True):
        head = np.array(g["heads"]) - 1 == np.array(p.heads)
        labelled = head & (np.array(g["relations"]) == np.array(p.relations))
        tags = np.array(g["tags"]) == np.array(p.tags)
        right += [tags.sum(), head.sum(), labelled.sum(), labelled.all()]
    words = sum(len(s["words"]) for s in gold)
    names = ("tags", "unlabelled", "labelled", "trees")
    return {
        name: round(100 * float(r) / n, 2)
        for name, r, n in zip(names, right, (words, words, words, len(gold)), strict=True)
    }
