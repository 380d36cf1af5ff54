"""Checkpoints: a folder with `model.safetensors` (weights, float16) and `model.json` (settings, words, history).
Nothing in them is code, and nothing is unpickled."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor

from vericap.encoders.tensor_files import read_tensors
from vericap.errors import InputError
from vericap.metrics.faier.config import FaierConfig, config_of
from vericap.metrics.faier.model import Model
from vericap.written import whole_file, whole_path

WEIGHTS, ABOUT = "model.safetensors", "model.json"
FORMAT = "vericap faier 2"  # 1 had no region for the whole picture
_AGAIN = "copy the checkpoint again, or train it with `vericap train faier`"


@dataclass(frozen=True, eq=False)
class FaierCheckpoint:
    """A model, the words with a learned offset (row 1 on), and what is said about it."""

    model: Model
    config: FaierConfig
    words: list[str]
    about: dict[str, Any]
    hash: str


def save(
    folder: Path, weights: Mapping[str, Tensor], config: FaierConfig, words: list[str], about: dict[str, Any]
) -> None:
    """Write weights as float16, with everything else. `about` needs features, word_dimension, vectors."""
    folder.mkdir(parents=True, exist_ok=True)
    half = {name: value.detach().half().contiguous() for name, value in weights.items()}
    facts = {"format": FORMAT, "config": config.to_dict(), **about, "words": words}
    with whole_path(folder / WEIGHTS) as partial:
        save_file(half, partial)
    with whole_file(folder / ABOUT) as file:
        file.write((json.dumps(facts, indent=1, ensure_ascii=False) + "\n").encode())


def load(folder: str | PathLike[str]) -> FaierCheckpoint:
    """Return the checkpoint in a folder; what is cut off, of another size or no safetensors file is an error that says
    so."""
    path = Path(folder)
    about = _read_about(path / ABOUT)
    source = str(path / ABOUT)
    config = config_of(about["config"], source)
    sizes = (about["features"], about["word_dimension"], len(about["words"]) + 1)
    weights = read_tensors(path / WEIGHTS)
    wanted = _shapes(config, sizes, source)
    for name, value in wanted.items():
        if name not in weights:
            problem = f"the weight {name} is missing, which {ABOUT} asks for"
            raise InputError(problem, source=str(path / WEIGHTS), fix=_AGAIN)
        shape, due = list(weights[name].shape), list(value.shape)
        if shape != due:
            problem = f"{name} has shape {shape} where {ABOUT} asks for {due} (d = {config.model.dimension})"
            raise InputError(problem, source=str(path / WEIGHTS), fix="keep each model.json with its own weights")
        if not torch.isfinite(weights[name]).all():
            raise InputError(f"{name} holds NaN or infinity", source=str(path / WEIGHTS), fix=_AGAIN)
    unknown = sorted(set(weights) - set(wanted))
    if unknown:
        problem = f"the weight {unknown[0]} belongs to no {config.model.variant} model"
        raise InputError(problem, source=str(path / WEIGHTS), fix="keep each model.json with its own weights")
    model = Model(config.model, *sizes)
    model.load_state_dict({name: value.float() for name, value in weights.items()})
    model.eval()
    digest = hashlib.sha256((path / WEIGHTS).read_bytes() + json.dumps(about["words"]).encode()).hexdigest()
    return FaierCheckpoint(model, config, about["words"], about, digest[:12])


def _shapes(config: FaierConfig, sizes: tuple[int, int, int], source: str) -> dict[str, Tensor]:
    """Return the weights that a model has, without their numbers: sizes from a file may be larger than any memory."""
    try:
        with torch.device("meta"):
            return dict(Model(config.model, *sizes).state_dict())
    except (RuntimeError, TypeError, ValueError, OverflowError, MemoryError):
        problem = f"no model has {sizes[0]} features and words of {sizes[1]} dimensions (d = {config.model.dimension})"
        raise InputError(problem, source=source, fix=_AGAIN) from None


def _read_about(path: Path) -> dict[str, Any]:
    try:
        about = json.loads(path.read_text("utf-8"))
    except OSError as error:
        problem = f"this folder is not a checkpoint: {ABOUT} cannot be read ({error.strerror})"
        raise InputError(problem, source=str(path.parent), fix="give the folder of a checkpoint") from None
    except ValueError:
        raise InputError("the file is damaged or cut off", source=str(path), fix=_AGAIN) from None
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise InputError(f"this file is not a checkpoint in the format {FORMAT!r}", source=str(path), fix=_AGAIN)
    kinds = {"config": dict, "features": int, "word_dimension": int, "words": list, "vectors": str}
    for name, kind in kinds.items():
        if not isinstance(about.get(name), kind):
            raise InputError("this is missing or of another kind", source=str(path), field=name, fix=_AGAIN)
    return about
