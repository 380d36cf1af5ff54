"""Texts and pictures as unit vectors of one space, by a CLIP from disk: batches, on the processor in 32 bits or on a
graphics card in 16."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from vericap.arrays import Floats
from vericap.encoders.clip.checkpoint import ActivationChoice, ClipCheckpoint, file_hash, read_checkpoint
from vericap.encoders.clip.model import Clip
from vericap.encoders.clip.tokenizer import Long, windows
from vericap.engine.progress import report
from vericap.errors import InputError

# auto: 16 bits on a graphics card, as the authors of CLIPScore computed, and 32 bits on the processor.
Precision: TypeAlias = Literal["auto", "float32", "float16"]


class ClipEncoder:
    """A CLIP that is ready to encode."""

    def __init__(self, checkpoint: ClipCheckpoint, device: str = "auto", precision: Precision = "auto") -> None:
        self.checkpoint = checkpoint
        self.device = device_of(device)
        half = precision == "float16" or (precision == "auto" and self.device.type == "cuda")
        if half and self.device.type == "cpu":
            raise InputError(
                "16 bits are for graphics cards", field="precision", fix="use precision=auto or precision=float32"
            )
        self.precision = "float16" if half else "float32"
        self._dtype = torch.float16 if half else torch.float32
        with torch.device("meta"):
            network = Clip(checkpoint.made)
        tensors = {name: tensor.to(self.device, self._dtype) for name, tensor in checkpoint.tensors.items()}
        network.load_state_dict(tensors, assign=True)
        self.network: Any = network.eval().requires_grad_(False)

    @property
    def limit(self) -> int:
        """Return the number of tokens that the network reads at once, start and end included."""
        return self.checkpoint.made.text.positions

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self.checkpoint.made.dimensions

    def texts(self, texts: Sequence[str], prompt: str = "", long: Long = "truncate", batch: int = 256) -> Texts:
        """Return unit vectors of texts behind a prompt, and how many texts were too long. Identical texts are encoded
        once.

        A text that is read in several windows has the direction of the mean of their unit vectors.
        """
        distinct = list(dict.fromkeys(texts))
        made = windows(distinct, self.checkpoint.tokenizer, prompt, self.limit, long)
        vectors = self._rows(made.rows, batch)
        if len(made.rows) > len(distinct):
            vectors = _unit(np.add.reduceat(vectors, made.offsets[:-1]))
        place = {text: number for number, text in enumerate(distinct)}
        return vectors[[place[text] for text in texts]].reshape(-1, self.dimensions), made.longer

    def _rows(self, rows: Sequence[Sequence[int]], batch: int) -> Floats:
        """Return unit vectors of windows of tokens; those of one length are computed together."""
        end = self.checkpoint.tokenizer.end
        order = sorted(range(len(rows)), key=lambda row: len(rows[row]))
        found = np.zeros((len(rows), self.dimensions))
        for first in range(0, len(order), batch):
            chosen = order[first : first + batch]
            length = max(len(rows[row]) for row in chosen)
            tokens = torch.tensor([[*rows[row], *[end] * (length - len(rows[row]))] for row in chosen])
            # The first end: a caption may itself hold the mark, as CLIP's tokenizer reads it.
            ends = (tokens == end).int().argmax(1)
            with torch.inference_mode():
                vectors = self.network.encode_text(tokens.to(self.device), ends.to(self.device))
            found[chosen] = _unit(vectors.float().cpu().numpy())
            report(min(first + batch, len(order)), len(order))
        return found

    def pictures(self, pixels: Iterable[NDArray[np.float32]]) -> Floats:
        """Return unit vectors of pictures as `Preprocessing.pixels` gives them, in one batch."""
        stacked = torch.from_numpy(np.stack(list(pixels))).to(self.device, self._dtype)
        with torch.inference_mode():
            return _unit(self.network.encode_image(stacked).float().cpu().numpy())


Texts: TypeAlias = tuple[Floats, int]


def device_of(name: str) -> Any:
    """Return the device of a name; auto is a graphics card where there is one."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError:
        raise InputError(f"`{name}` is not a device", field="device", fix="use auto, cpu, cuda or cuda:1") from None
    there = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not there.get(device.type, False):
        raise InputError(f"this machine has no device {name}", field="device", fix="use device=auto")
    return device


def _unit(vectors: Any) -> Floats:
    """Return rows of length 1, in 64 bits."""
    wide = np.asarray(vectors, np.float64)
    return np.asarray(wide / np.maximum(np.linalg.norm(wide, axis=1, keepdims=True), 1e-300))


def load(
    path: str,
    activation: ActivationChoice = "auto",
    base: str = "",
    device: str = "auto",
    precision: Precision = "auto",
) -> ClipEncoder:
    """Return the encoder of a checkpoint; the last two stay in memory while their files do not change."""
    return _load(path, activation, base, device, precision, file_hash(path, base))


@lru_cache(maxsize=2)
def _load(
    path: str, activation: ActivationChoice, base: str, device: str, precision: Precision, sha256: str
) -> ClipEncoder:
    return ClipEncoder(read_checkpoint(path, activation, base), device, precision)
