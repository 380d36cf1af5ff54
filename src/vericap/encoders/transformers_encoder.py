"""Encoders of captions that transformers runs: architectures other than BERT (MPNet, RoBERTa, DistilBERT, …), from a
local folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from vericap.arrays import Booleans, Integers, Ragged, offsets_of
from vericap.encoders.config import read_json, sentence_modules
from vericap.encoders.encoder import Answer, TextEncoder
from vericap.encoders.folders import checkpoint_hash, load_pretrained
from vericap.encoders.installed import require
from vericap.encoders.weights import Array
from vericap.encoders.wordpiece import Pieces
from vericap.engine.progress import counted
from vericap.errors import InputError

_BATCH = 32


class TransformersEncoder(TextEncoder):
    """A model in a folder as transformers or sentence-transformers saves it; nothing is fetched, nothing unpickled."""

    def __init__(self, folder: Path) -> None:
        require(f"the model in {folder}", "torch", "transformers")
        import torch

        self.name, self.folder = folder.name, folder
        self._torch: Any = torch
        self._tokenizer = load_pretrained("AutoTokenizer", folder)
        self._model = load_pretrained("AutoModel", folder).eval()
        if not self._tokenizer.is_fast:
            fix = "save its tokenizer.json as well"
            raise InputError("the model has no fast tokenizer", source=str(folder), fix=fix)
        # Of a folder without a tokenizer, transformers makes an empty one, to which all captions are the same.
        if len(self._tokenizer) <= len(self._tokenizer.all_special_tokens):
            fix = "save its tokenizer into the folder as well, with save_pretrained"
            raise InputError("the model's tokenizer has no words", source=str(folder), fix=fix)
        self.size = int(self._model.config.hidden_size)
        self.layers = int(self._model.config.num_hidden_layers)
        self.longest = self._longest()
        self.special = int(self._tokenizer.cls_token_id), int(self._tokenizer.sep_token_id)
        sentence = read_json(folder / "sentence_bert_config.json", optional=True)
        self._limit = min(int(sentence.get("max_seq_length") or self.longest), self.longest)

    @cached_property
    def digest(self) -> str:  # type: ignore[override]  # computed when it is asked for
        """Twelve digits of a hash of the weights and their configuration."""
        return checkpoint_hash(str(self.folder))

    def _longest(self) -> int:
        """Return the most pieces a text may have: RoBERTa and its kin count positions from the padding's id on."""
        config = self._model.config
        positions = int(getattr(config, "max_position_embeddings", 512))
        table = getattr(getattr(self._model, "embeddings", None), "position_embeddings", None)
        padding = getattr(table, "padding_idx", None)
        if padding is not None:
            positions -= int(padding) + 1
        return int(min(self._tokenizer.model_max_length, positions))

    def tokens(self, texts: Sequence[str], *, limit: int | None = None) -> Pieces:
        limit = min(limit or self._limit, self.longest)
        if not texts:
            nothing = np.zeros(0, np.int64)
            return Pieces(Ragged.of([], np.int32), nothing, nothing, nothing, np.zeros(0, np.bool_))
        whole = self._tokenizer(list(texts), truncation=False, verbose=False)["input_ids"]
        found = self._tokenizer(list(texts), truncation=True, max_length=limit, return_offsets_mapping=True)
        ids = found["input_ids"]
        spans = np.array([span for text in found["offset_mapping"] for span in text], np.int64).reshape(-1, 2)
        word = [-1 if w is None else w for text in range(len(ids)) for w in found.word_ids(text)]
        cut: Booleans = np.array([len(a) > len(b) for a, b in zip(whole, ids, strict=True)], np.bool_)
        return Pieces(Ragged.of(ids, np.int32), spans[:, 0], spans[:, 1], np.array(word, np.int64), cut)

    def spell(self, ids: Any) -> list[str]:
        return list(self._tokenizer.convert_ids_to_tokens(ids.tolist()))

    def pool(self, vectors: Ragged) -> Array:
        pooling, normalised = sentence_modules(self.folder)
        found = np.array([row[0] if pooling == "cls" else row.mean(axis=0) for row in vectors], np.float32)
        if normalised:
            found /= np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)
        return found

    def batches(
        self, ids: Ragged, use: Callable[[Ragged], Answer], layers: int | None = None, workers: int = 1
    ) -> Iterator[tuple[Integers, Answer]]:
        torch = self._torch
        order = np.argsort(ids.lengths, kind="stable")
        for start in counted(range(0, len(order), _BATCH)):
            rows = order[start : start + _BATCH]
            lengths = ids.lengths[rows]
            inside = np.arange(lengths.max()) < lengths[:, None]
            padded = np.full(inside.shape, self._tokenizer.pad_token_id or 0, np.int64)
            padded[inside] = ids.take(rows).values
            with torch.inference_mode():
                answer = self._model(
                    input_ids=torch.from_numpy(padded),
                    attention_mask=torch.from_numpy(inside.astype(np.int64)),
                    output_hidden_states=layers is not None,
                )
            state = answer.last_hidden_state if layers is None else answer.hidden_states[layers]
            yield rows, use(Ragged(state.float().numpy()[inside], offsets_of(lengths)))


@lru_cache(maxsize=1)
def load(folder: str) -> TransformersEncoder:
    """Return the model of a folder; the last one stays in memory."""
    return TransformersEncoder(Path(folder))
