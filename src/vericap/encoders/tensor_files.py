"""The tensors of a checkpoint's file by name: safetensors, a state dict that torch saved, or a TorchScript archive.
Nothing in a file is ever run: state dicts are read by torch's reader of tensors alone (`weights_only`), and of an
archive only the tensors are taken, not its program."""

from __future__ import annotations

import pickle
import zipfile
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file

from vericap.errors import InputError

Tensors: TypeAlias = dict[str, Any]
ENDINGS = (".safetensors", ".pt", ".pth", ".bin", ".ckpt")
# Where training programs put the weights inside what they save.
_INSIDE = ("state_dict", "model_state_dict", "model")
_NO_WEIGHTS = "give the file of a model's weights"


def read_tensors(path: Path) -> Tensors:
    """Return the tensors of a file by name."""
    try:
        if path.suffix == ".safetensors":
            return dict(load_file(path))
        if (root := archive_root(path)) is not None:
            return _archive(path, root)
        return _state(torch.load(path, map_location="cpu", weights_only=True), path)
    except InputError:
        raise
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"the weights cannot be read ({reason})", source=str(path), fix="check the file") from None
    except SafetensorError:
        problem = "the weights are cut off, damaged or no safetensors file; pickled weights are never opened"
        raise InputError(problem, source=str(path), fix="copy the file again, or train the model again") from None
    except pickle.UnpicklingError:
        raise InputError(
            "the file holds more than tensors, or is not a checkpoint of torch, and was not opened",
            source=str(path),
            fix="save its state dict alone, best as safetensors",
        ) from None
    except Exception as error:  # a damaged file fails in any of the layers that read it
        problem = f"the weights cannot be read ({type(error).__name__}: {error})".splitlines()[0]
        raise InputError(problem, source=str(path), fix="copy the file again") from None


def _state(saved: Any, path: Path) -> Tensors:
    """Return the tensors of what was saved: a state dict, alone or inside what a training program keeps."""
    for name in _INSIDE:
        if isinstance(saved, Mapping) and isinstance(saved.get(name), Mapping):
            saved = saved[name]
    if not isinstance(saved, Mapping) or not any(isinstance(value, torch.Tensor) for value in saved.values()):
        raise InputError("the file holds no tensors by name", source=str(path), fix=_NO_WEIGHTS)
    return {str(name): value for name, value in saved.items() if isinstance(value, torch.Tensor)}


def archive_root(path: Path) -> str | None:
    """Return the folder inside a TorchScript archive, which is how OpenAI publishes CLIP; None for other files."""
    if path.suffix == ".safetensors" or not zipfile.is_zipfile(path):
        return None
    with zipfile.ZipFile(path) as packed:
        names = packed.namelist()
    roots = [name.removesuffix("constants.pkl") for name in names if name.endswith("/constants.pkl")]
    return roots[0] if roots and f"{roots[0]}data.pkl" in names else None


def _archive(path: Path, root: str) -> Tensors:
    with zipfile.ZipFile(path) as packed, packed.open(f"{root}data.pkl") as stream:
        found = _Reader(stream, packed, root).load()
    tensors: Tensors = {}
    _collect(found, "", tensors)
    if not tensors:
        raise InputError("the archive holds no tensors", source=str(path), fix=_NO_WEIGHTS)
    return tensors


class _Module:
    """A module of an archive: its attributes, and nothing of its program."""

    def __setstate__(self, state: object) -> None:
        self.state = state if isinstance(state, dict) else {}


def _collect(found: Any, prefix: str, tensors: Tensors) -> None:
    """Tensors by the path of attributes that leads to them."""
    for name, value in getattr(found, "state", {}).items():
        if isinstance(value, torch.Tensor):
            tensors[f"{prefix}{name}"] = value
        elif isinstance(value, _Module):
            _collect(value, f"{prefix}{name}.", tensors)


@dataclass(frozen=True)
class _Storage:
    """The type of the numbers in a block of an archive."""

    dtype: Any


_STORAGES = {
    "HalfStorage": torch.float16,
    "BFloat16Storage": torch.bfloat16,
    "FloatStorage": torch.float32,
    "DoubleStorage": torch.float64,
    "LongStorage": torch.int64,
    "IntStorage": torch.int32,
    "BoolStorage": torch.bool,
}


def _tensor(block: Any, offset: int, size: Any, stride: Any, *rest: object) -> Any:
    """Return a tensor of a block of numbers; torch refuses what reaches beyond the block."""
    return torch.as_strided(block, tuple(size), tuple(stride), int(offset))


def _same(value: object, *rest: object) -> object:
    return value


# The only names that an archive may ask for, and what is used for each.
_NAMES: dict[tuple[str, str], Any] = {
    ("torch._utils", "_rebuild_tensor_v2"): _tensor,
    ("collections", "OrderedDict"): OrderedDict,
    **{("torch.jit._pickle", f"build_{kind}list"): _same for kind in ("int", "double", "bool", "tensor")},
    ("torch.jit._pickle", "restore_type_tag"): _same,
    **{("torch", name): _Storage(dtype) for name, dtype in _STORAGES.items()},
}


class _Reader(pickle.Unpickler):
    """Reads the object of an archive. Every name that it may find is in `_NAMES` or is a bare `_Module`: no function of
    another module can be reached, so none can be called."""

    def __init__(self, stream: Any, packed: zipfile.ZipFile, root: str) -> None:
        super().__init__(stream)
        self.packed, self.root = packed, root
        self.blocks: dict[str, Any] = {}

    def find_class(self, module: str, name: str) -> Any:
        if module == "__torch__" or module.startswith("__torch__."):
            return _Module
        if (module, name) not in _NAMES:
            raise pickle.UnpicklingError(f"{module}.{name}")
        return _NAMES[module, name]

    def persistent_load(self, found: Any) -> Any:
        match found:
            case ("storage", _Storage(dtype), str() as key, *_):
                if key not in self.blocks:
                    raw = bytearray(self.packed.read(f"{self.root}data/{key}"))
                    self.blocks[key] = torch.frombuffer(raw, dtype=dtype) if raw else torch.empty(0, dtype=dtype)
                return self.blocks[key]
        raise pickle.UnpicklingError("unknown block")
