"""Weights of a BERT-like network, mapped into memory: a folder as transformers saves it (config.json,
model.safetensors, vocab.txt), and one file with matrices of 8-bit integers.

In that file a matrix [rows, columns] is W[i, j] = scale[i] · integer[i, j], its scales in float32; vectors are float32.
All-MiniLM-L6-v2 takes 23 MB, a network of three layers of that size less than 18 MB.
"""

from __future__ import annotations

import hashlib
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.encoders.config import Config
from vericap.errors import InputError
from vericap.readers.files import File
from vericap.readers.storage import array_file

Array = NDArray[np.float32]

KIND, FORMAT = "encoder", 1
WORDS, POSITIONS, TYPES = (f"embeddings.{name}_embeddings.weight" for name in ("word", "position", "token_type"))
FIRST_NORM = "embeddings.LayerNorm"
_LARGEST = 127  # of an integer
_ARITHMETIC = "integers, 2"  # how a network computes with them, which changes vectors: part of the digest


def tensor_names(config: Config) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Return the tensors of a network, as transformers names them, and their shapes; -1 is any number."""
    size, inner = config.size, config.inner_size
    yield WORDS, (-1, size)
    yield POSITIONS, (config.positions, size)
    yield TYPES, (-1, size)
    yield f"{FIRST_NORM}.weight", (size,)
    yield f"{FIRST_NORM}.bias", (size,)
    for layer in range(config.layers):
        linear = {f"attention.self.{name}": (size, size) for name in ("query", "key", "value")}
        linear |= {"attention.output.dense": (size, size)}
        linear |= {"intermediate.dense": (inner, size), "output.dense": (size, inner)}
        for name, shape in linear.items():
            yield f"encoder.layer.{layer}.{name}.weight", shape
            yield f"encoder.layer.{layer}.{name}.bias", shape[:1]
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            yield f"encoder.layer.{layer}.{name}.weight", (size,)
            yield f"encoder.layer.{layer}.{name}.bias", (size,)


class Weights(ABC):
    """The weights of a network and its vocabulary, wherever they are."""

    name: str
    source: str
    config: Config
    pieces: Sequence[str]
    digest: str
    """Twelve digits of the SHA-256 of all that changes a vector."""

    @abstractmethod
    def tensor(self, name: str) -> Array:
        """Return a tensor in float32."""

    @abstractmethod
    def rows(self, name: str, rows: NDArray[np.integer]) -> Array:
        """Return some rows of a matrix in float32; the others stay on the disk."""

    def _check(self, shapes: Mapping[str, tuple[int, ...]]) -> None:
        """Raise an error for a tensor that is missing or has another shape than the configuration says."""
        for name, expected in tensor_names(self.config):
            found = shapes.get(name)
            if found is None:
                raise InputError(f"the tensor {name} is missing", source=self.source, fix="give the weights of a BERT")
            if len(found) != len(expected) or any(a not in (-1, b) for a, b in zip(expected, found, strict=True)):
                raise InputError(f"{name} has shape {found} instead of {expected}", source=self.source)
        if shapes[WORDS][0] < len(self.pieces):
            raise InputError(
                f"the vocabulary has {len(self.pieces)} pieces, and {shapes[WORDS][0]} have a vector",
                source=self.source,
                fix="give the vocab.txt of these weights",
            )


class FolderWeights(Weights):
    """A folder with config.json, model.safetensors and vocab.txt."""

    def __init__(self, folder: Path) -> None:
        self.name, self.source, self._folder = folder.name, str(folder), folder
        self.config = Config.of_folder(folder)
        for file in ("vocab.txt", "model.safetensors"):
            if not (folder / file).is_file():
                fix = "save the model with transformers' save_pretrained"
                raise InputError(f"this is not a BERT model: {file} is missing", source=self.source, fix=fix)
        # A piece may be any character but a line feed.
        self.pieces = (folder / "vocab.txt").read_text("utf-8").removesuffix("\n").split("\n")
        wanted = {stored: name for name, _ in tensor_names(self.config) for stored in _stored_names(name)}
        arrays, _ = array_file.map_safetensors(File(folder / "model.safetensors"), wanted)
        self._arrays = {wanted[stored]: array for stored, array in arrays.items()}
        self._check({name: array.shape for name, array in self._arrays.items()})

    @cached_property
    def digest(self) -> str:  # type: ignore[override]  # computed when it is asked for
        digest = hashlib.sha256(repr(sorted(self.config.facts().items())).encode())
        for name in ("vocab.txt", "model.safetensors"):
            with (self._folder / name).open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()[:12]

    def tensor(self, name: str) -> Array:
        return np.asarray(self._arrays[name], np.float32)

    def rows(self, name: str, rows: NDArray[np.integer]) -> Array:
        return np.asarray(self._arrays[name][rows], np.float32)


def _stored_names(name: str) -> Iterable[str]:
    """Return names of a tensor in files: below a model with a head, and with the older names of a norm's weights."""
    older = name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")
    return dict.fromkeys([name, older, f"bert.{name}", f"bert.{older}"])


class IntegerWeights(Weights):
    """Weights whose matrices are 8-bit integers with one scale per row."""

    @abstractmethod
    def integers(self, name: str) -> tuple[NDArray[np.int8], Array]:
        """Return a matrix: integers [rows, columns] and the scale of each row."""


class RoundedWeights(FolderWeights, IntegerWeights):
    """The weights of a folder, the matrices of its layers rounded to 8 bits."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.name += " int8"

    @cached_property
    def digest(self) -> str:  # type: ignore[override]  # computed when it is asked for
        return _digest_of_integers(super().digest)

    def integers(self, name: str) -> tuple[NDArray[np.int8], Array]:
        return quantise(self.tensor(name))


class FileWeights(IntegerWeights):
    """One file of 8-bit matrices, as `write` writes it."""

    def __init__(self, path: Path) -> None:
        self.source = str(path)
        self.name, facts, arrays, digest = array_file.read(path, verify=False)
        again = "write it again with vericap.encoders.weights.write"
        array_file.check_format(facts, KIND, FORMAT, self.source, "an encoder", again)
        self.digest = _digest_of_integers(digest)
        try:
            self.config = Config.of_facts(facts["config"])
            self.pieces = arrays["pieces"].tobytes().decode("utf-8").split("\n")
            shapes = {str(name): tuple(map(int, shape)) for name, shape in facts["shapes"].items()}
            self._vectors = {name: arrays[name].view("<f4") for name, shape in shapes.items() if len(shape) == 1}
            self._matrices = {
                name: (arrays[name].view("i1").reshape(shape), arrays[f"{name}.scale"].view("<f4"))
                for name, shape in shapes.items()
                if len(shape) == 2
            }
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"the file is damaged ({error})", source=self.source, fix=again) from None
        self._check(shapes)

    def tensor(self, name: str) -> Array:
        if name in self._vectors:
            return np.array(self._vectors[name], np.float32)
        integers, scale = self._matrices[name]
        return np.asarray(integers * scale[:, None], np.float32)

    def integers(self, name: str) -> tuple[NDArray[np.int8], Array]:
        integers, scale = self._matrices[name]
        return integers, np.array(scale, np.float32)

    def rows(self, name: str, rows: NDArray[np.integer]) -> Array:
        integers, scale = self._matrices[name]
        return np.asarray(integers[rows] * scale[rows, None], np.float32)


def _digest_of_integers(digest: str) -> str:
    return hashlib.sha256(f"{digest} {_ARITHMETIC}".encode()).hexdigest()[:12]


def open_weights(path: str | os.PathLike[str]) -> Weights:
    """Return the weights in a folder or a file."""
    there = Path(path)
    if there.is_dir():
        return FolderWeights(there)
    if there.is_file():
        return FileWeights(there)
    raise InputError("there is no such file or folder", source=os.fspath(path), fix="give the folder of a BERT model")


def write(
    path: str | os.PathLike[str], name: str, config: Config, pieces: Sequence[str], tensors: Mapping[str, NDArray[Any]]
) -> None:
    """Write weights to one file, matrices as 8-bit integers. `tensors` have the names that transformers gives them;
    others than those of the network are left out."""
    arrays: dict[str, NDArray[Any]] = {"pieces": np.frombuffer("\n".join(pieces).encode(), np.uint8)}
    shapes: dict[str, list[int]] = {}
    for tensor, _ in tensor_names(config):
        values = np.asarray(tensors[tensor], np.float32)
        shapes[tensor] = list(values.shape)
        if values.ndim == 1:
            arrays[tensor] = values.view("<u4")
        else:
            integers, scale = quantise(values)
            arrays[tensor] = integers.view(np.uint8).reshape(-1)
            arrays[f"{tensor}.scale"] = scale.view("<u4")
    facts = {"kind": KIND, "format": FORMAT, "config": config.facts(), "shapes": shapes}
    array_file.write(path, name, facts, arrays)


def quantise(matrix: Array) -> tuple[NDArray[np.int8], Array]:
    """Return a matrix as 8-bit integers and one scale per row, the nearest to each number.

    >>> integers, scale = quantise(np.float32([[1, -2], [0, 0]]))
    >>> integers.tolist(), (integers * scale[:, None]).round(6).tolist()
    ([[64, -127], [0, 0]], [[1.0078740119934082, -2.0], [0.0, 0.0]])
    """
    scale = np.abs(matrix).max(axis=1) / np.float32(_LARGEST)
    integers = np.rint(matrix / np.where(scale > 0, scale, 1)[:, None]).astype(np.int8)
    return integers, scale.astype(np.float32)
