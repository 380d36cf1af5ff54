"""A CLIP on disk: a folder of Hugging Face, a folder or file of OpenCLIP, OpenAI's archive or state dict, PAC-S's state
dict. All become one set of tensors under OpenAI's names, with the facts that the weights do not hold."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

import torch

from vericap.encoders.clip.model import (
    Activation,
    Architecture,
    Clip,
    architecture,
    from_hugging_face,
    lacking,
    plain_names,
)
from vericap.encoders.clip.preprocessing import Preprocessing, of_hugging_face, of_open_clip, of_size
from vericap.encoders.clip.tokenizer import Tokenizer, of_folder, shipped
from vericap.encoders.config import read_json
from vericap.encoders.folders import refuse_code
from vericap.encoders.tensor_files import ENDINGS, Tensors, archive_root, read_tensors
from vericap.errors import InputError

# auto: as the model says itself; pac: the models that PAC-S publishes, which do not say it.
ActivationChoice: TypeAlias = Literal["auto", "pac", "gelu", "quick_gelu"]

_OPEN_CLIP = "open_clip_config.json"
_CONFIGS = ("preprocessor_config.json", "processor_config.json")
# What a configuration of OpenCLIP may say of a tower; anything else would change what the network computes.
_KNOWN = frozenset("width layers heads head_width mlp_ratio patch_size image_size context_length vocab_size".split())
_SHAPE = "give a folder of Hugging Face, a folder or file of OpenCLIP, or a file of OpenAI or PAC-S"


@dataclass(frozen=True, eq=False)
class ClipCheckpoint:
    """Tensors under OpenAI's names, the measures of the network, and how it takes texts and pictures."""

    tensors: Tensors
    made: Architecture
    tokenizer: Tokenizer
    preprocessing: Preprocessing
    kind: str
    sha256: str


@dataclass(frozen=True)
class _Said:
    """The facts that a configuration has and the weights do not."""

    kind: str
    activation: Activation | None = None
    heads: tuple[int | None, int | None] = (None, None)
    epsilon: float = 1e-5
    end: int | None = None


def read_checkpoint(path: str, activation: ActivationChoice = "auto", base: str = "") -> ClipCheckpoint:
    """Return the CLIP of a folder or file. `base`: the CLIP that a checkpoint of a part of the tensors was fine-tuned
    from."""
    files, folder = weight_files(path)
    if Path(path).is_dir():
        refuse_code(folder)
    tensors = {name: tensor for file in files for name, tensor in read_tensors(file).items()}
    said = _said(folder, tensors, any(map(archive_root, files)), path)
    tensors = plain_names(from_hugging_face(tensors) if _is_hugging_face(tensors) else tensors)
    if base:
        whole = read_checkpoint(base, activation)
        if unknown := sorted(tensors.keys() - whole.tensors.keys()):
            raise InputError(f"the base has no tensor {unknown[0]}", source=base, field="base", fix="give its own base")
        tensors = {**whole.tensors, **tensors}
        said = _Said(said.kind, said.activation or whole.made.activation, said.heads, said.epsilon, said.end)
    made = architecture(tensors, path, _activation(activation, said, tensors, path), said.heads, said.epsilon)
    _check_tensors(tensors, made, path)
    tokenizer = of_folder(folder) or shipped()
    _check_vocabulary(tokenizer, made, said, path)
    preprocessing = _preprocessing(folder, made)
    return ClipCheckpoint(tensors, made, tokenizer, preprocessing, said.kind, file_hash(path, base))


def weight_files(path: str) -> tuple[list[Path], Path]:
    """Return the files with the weights of a checkpoint, and their folder."""
    given = Path(path)
    if given.is_file():
        return [given], given.parent
    if not given.is_dir():
        raise InputError("there is no such file or folder", source=path, field="model", fix="check the path")
    names = ("model.safetensors", "pytorch_model.bin", "open_clip_model.safetensors", "open_clip_pytorch_model.bin")
    for name in names:
        if (given / name).is_file():
            return [given / name], given
        if (index := given / f"{name}.index.json").is_file():
            parts = sorted(set(read_json(index).get("weight_map", {}).values()))
            return [given / Path(part).name for part in parts], given
    others = sorted(file for file in given.iterdir() if file.suffix in ENDINGS)
    if len(others) != 1:
        problem = f"{len(others)} files may be the weights" if others else "there are no weights in this folder"
        raise InputError(problem, source=path, field="model", fix="name the file" if others else _SHAPE)
    return others, given


def file_hash(path: str, base: str = "") -> str:
    """Return the SHA-256 of the weights: of one file its own, so that it can be compared with the published one; of
    several that of their hashes."""
    files = [file for one in (path, base) if one for file in weight_files(one)[0]]
    found = [_hash_of(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    return found[0] if len(found) == 1 else hashlib.sha256("".join(found).encode()).hexdigest()


@lru_cache(maxsize=64)  # half a gigabyte takes a second
def _hash_of(path: str, size: int, changed: int) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _is_hugging_face(tensors: Mapping[str, Any]) -> bool:
    return any(name.startswith(("text_model.", "vision_model.")) for name in tensors)


def _said(folder: Path, tensors: Mapping[str, Any], archive: bool, path: str) -> _Said:
    if _is_hugging_face(tensors):
        config = folder / "config.json"
        if not config.is_file():
            raise InputError("config.json is missing next to the weights", source=path, fix="copy the whole folder")
        return _said_by_hugging_face(read_json(config), str(config))
    if archive or "input_resolution" in tensors:
        return _Said("OpenAI", "quick_gelu")
    if (config := folder / _OPEN_CLIP).is_file():
        return _said_by_open_clip(read_json(config), str(config))
    return _Said("state dict")


def _said_by_hugging_face(config: Mapping[str, Any], source: str) -> _Said:
    if config.get("model_type") != "clip":
        kind = config.get("model_type")
        raise InputError(f"this is a model of type {kind!r}, not a CLIP", source=source, fix=_SHAPE)
    text, vision = ({**(config.get(part) or {}), **(config.get(f"{part}_dict") or {})} for part in _TOWERS)
    named = {tower.get("hidden_act", "quick_gelu") for tower in (text, vision)}
    epsilons = {float(tower.get("layer_norm_eps", 1e-5)) for tower in (text, vision)}
    if named not in ({"gelu"}, {"quick_gelu"}) or len(epsilons) != 1:
        problem = f"hidden_act is {' and '.join(map(str, sorted(named)))}, layer_norm_eps {sorted(epsilons)}"
        raise InputError(problem, source=source, fix="use a CLIP whose towers both have gelu, or both quick_gelu")
    heads = int(text.get("num_attention_heads", 8)), int(vision.get("num_attention_heads", 12))
    activation: Activation = "gelu" if named == {"gelu"} else "quick_gelu"
    # Folders from before 2023 say 2 where the end of a text has another number; transformers knows that too.
    end = text.get("eos_token_id", 49407)
    return _Said("Hugging Face", activation, heads, epsilons.pop(), None if end == 2 else end)


_TOWERS = ("text_config", "vision_config")


def _said_by_open_clip(config: Mapping[str, Any], source: str) -> _Said:
    model = config.get("model_cfg")
    if not isinstance(model, dict):
        raise InputError("the file has no model_cfg", source=source, field="model_cfg", fix="give OpenCLIP's own file")
    text, vision = model.get("text_cfg") or {}, model.get("vision_cfg") or {}
    for name, tower in (("text_cfg", text), ("vision_cfg", vision)):
        if unknown := [key for key, value in tower.items() if key not in _KNOWN and value not in (None, False)]:
            raise InputError(
                f"{unknown[0]} is set, which changes the network", source=source, field=name, fix="use a plain CLIP"
            )
    width, head_width = vision.get("width", 768), vision.get("head_width", 64)
    activation: Activation = "quick_gelu" if model.get("quick_gelu") else "gelu"
    return _Said("OpenCLIP", activation, (text.get("heads", 8), width // head_width))


def _activation(chosen: ActivationChoice, said: _Said, tensors: Tensors, path: str) -> Activation:
    if chosen in ("gelu", "quick_gelu"):
        if said.activation not in (None, chosen):
            raise InputError(
                f"the model has {said.activation}, and activation={chosen} was asked for",
                source=path,
                field="activation",
                fix="leave activation out",
            )
        return "gelu" if chosen == "gelu" else "quick_gelu"
    if said.activation is not None:
        return said.activation
    if chosen == "pac" and "visual.conv1.weight" in tensors:
        # PAC-S publishes OpenAI's ViT-B/32 and OpenCLIP's ViT-L/14, both fine-tuned.
        known: dict[int, Activation] = {32: "quick_gelu", 14: "gelu"}
        if (patch := tensors["visual.conv1.weight"].shape[-1]) in known:
            return known[patch]
    raise InputError(
        "the weights do not say whether the network has gelu or quick_gelu",
        source=path,
        field="activation",
        fix=f"put its {_OPEN_CLIP} next to them, or add activation=gelu (most of OpenCLIP's) or activation=quick_gelu "
        "(OpenAI's, and OpenCLIP's whose names end in quickgelu)",
    )


def _check_tensors(tensors: Tensors, made: Architecture, path: str) -> None:
    """Raise an error if a tensor is missing, of another shape, or not one of a CLIP."""
    with torch.device("meta"):
        wanted = {name: tuple(tensor.shape) for name, tensor in Clip(made).state_dict().items()}
    if missing := sorted(wanted.keys() - tensors.keys()):
        raise lacking(missing, path)
    if unknown := sorted(tensors.keys() - wanted.keys()):
        problem = f"the checkpoint has tensors that a CLIP has not, such as {unknown[0]}"
        raise InputError(problem, source=path, fix=_SHAPE)
    for name, shape in wanted.items():
        if tuple(tensors[name].shape) != shape:
            problem = f"{name} has the shape {list(tensors[name].shape)}, and {list(shape)} is expected"
            raise InputError(problem, source=path, fix="check that weights and configuration belong together")
    for tower in (made.text, made.vision):
        if tower.width % tower.heads:
            problem = f"a width of {tower.width} cannot be shared by {tower.heads} heads"
            raise InputError(problem, source=path, fix="check that weights and configuration belong together")


def _check_vocabulary(tokenizer: Tokenizer, made: Architecture, said: _Said, path: str) -> None:
    if tokenizer.largest >= made.vocabulary or said.end not in (None, tokenizer.end):
        raise InputError(
            f"the network has {made.vocabulary:,} tokens, and the tokenizer ({tokenizer.source}) has others",
            source=path,
            fix="put the model's vocab.json and merges.txt next to its weights",
        )


def _preprocessing(folder: Path, made: Architecture) -> Preprocessing:
    found = of_size(made.image_size)
    for name in _CONFIGS:
        if (file := folder / name).is_file():
            found = of_hugging_face(read_json(file), str(file))
            break
    else:
        if (file := folder / _OPEN_CLIP).is_file():
            found = of_open_clip(read_json(file).get("preprocess_cfg") or {}, made.image_size, str(file))
    if found.crop != made.image_size:
        problem = f"pictures are cut to {found.crop} pixels, and the network takes {made.image_size}"
        raise InputError(problem, source=str(folder), fix="check that weights and configuration belong together")
    return found


def described(checkpoint: ClipCheckpoint) -> str:
    """Return one line for people: kind, network, dimensions, activation."""
    made = checkpoint.made
    return f"{checkpoint.kind} {made.name}, {made.dimensions} dimensions, {made.activation}"
