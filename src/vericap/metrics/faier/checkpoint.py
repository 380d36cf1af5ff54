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

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError
from vericap.metrics.faier.config import FaierConfig, config_of
from vericap.metrics.faier.layers import Layers
from vericap.metrics.faier.model import Model, weight_shapes
from vericap.readers.files import File
from vericap.readers.storage import array_file
from vericap.written import whole_file

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
    folder: Path, weights: Mapping[str, NDArray[Any]], config: FaierConfig, words: list[str], about: dict[str, Any]
) -> None:
    """Write weights as float16, with everything else. `about` needs features, word_dimension, vectors."""
    folder.mkdir(parents=True, exist_ok=True)
    half = {name: np.asarray(value, "<f2") for name, value in weights.items()}
    facts = {"format": FORMAT, "config": config.to_dict(), **about, "words": words}
    array_file.write(folder / WEIGHTS, "weights of FAIEr", {}, half)
    with whole_file(folder / ABOUT) as file:
        file.write((json.dumps(facts, indent=1, ensure_ascii=False) + "\n").encode())


def load(folder: str | PathLike[str]) -> FaierCheckpoint:
    """Return the checkpoint in a folder; what is cut off, of another size or no safetensors file is an error that says
    so."""
    path = Path(folder)
    about = _read_about(path / ABOUT)
    config = config_of(about["config"], str(path / ABOUT))
    sizes = (about["features"], about["word_dimension"], len(about["words"]) + 1)
    weights = _read_weights(path / WEIGHTS)
    wanted = weight_shapes(config.model, *sizes)
    for name, due in wanted.items():
        if name not in weights:
            problem = f"the weight {name} is missing, which {ABOUT} asks for"
            raise InputError(problem, source=str(path / WEIGHTS), fix=_AGAIN)
        if weights[name].shape != due:
            asked = f"{list(weights[name].shape)} where {ABOUT} asks for {list(due)} (d = {config.model.dimension})"
            fix = "keep each model.json with its own weights"
            raise InputError(f"{name} has shape {asked}", source=str(path / WEIGHTS), fix=fix)
        if not np.isfinite(weights[name]).all():
            raise InputError(f"{name} holds NaN or infinity", source=str(path / WEIGHTS), fix=_AGAIN)
    unknown = sorted(set(weights) - set(wanted))
    if unknown:
        problem = f"the weight {unknown[0]} belongs to no {config.model.variant} model"
        raise InputError(problem, source=str(path / WEIGHTS), fix="keep each model.json with its own weights")
    model = Model(config.model, Layers(weights))
    digest = hashlib.sha256((path / WEIGHTS).read_bytes() + json.dumps(about["words"]).encode()).hexdigest()
    return FaierCheckpoint(model, config, about["words"], about, digest[:12])


def _read_weights(path: Path) -> dict[str, NDArray[np.float32]]:
    try:
        return {name: value.astype(np.float32) for name, value in array_file.map_safetensors(File(path))[0].items()}
    except InputError:
        problem = "the weights are cut off, damaged or no safetensors file; pickled weights are never opened"
        raise InputError(problem, source=str(path), fix=_AGAIN) from None


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
