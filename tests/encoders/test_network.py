"""The network gives the hidden states of transformers' BertModel on the same weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.encoders.models import CAPTIONS, write_bert
from vericap.arrays import Ragged
from vericap.encoders.network import Network
from vericap.encoders.weights import FolderWeights
from vericap.encoders.wordpiece import WordPiece

torch = pytest.importorskip("torch")


def hidden_states(model: Any, ids: list[int], layer: int) -> np.ndarray:
    with torch.inference_mode():
        states = model(torch.tensor([ids]), output_hidden_states=True).hidden_states
    return states[layer][0].numpy()


@pytest.mark.parametrize("sizes", [{}, {"hidden_size": 18, "num_attention_heads": 2, "layer_norm_eps": 1e-5}])
@pytest.mark.parametrize("layers", [0, 1, 3, None])
def test_hidden_states_are_those_of_transformers(tmp_path: Path, sizes: dict[str, Any], layers: int | None) -> None:
    model = write_bert(tmp_path, **sizes)
    weights = FolderWeights(tmp_path)
    ids = WordPiece(weights.pieces)(sorted(CAPTIONS, key=len)).ids
    found = Ragged(Network(weights).run(ids, layers), ids.offsets)
    for i, text in enumerate(ids):
        expected = hidden_states(model, text.tolist(), 3 if layers is None else layers)
        assert found[i] == pytest.approx(expected, abs=2e-5)


def test_real_weights(minilm: Path) -> None:
    from transformers import BertModel

    model = BertModel.from_pretrained(minilm, add_pooling_layer=False).eval()
    weights = FolderWeights(minilm)
    captions = ["A dog runs after a red ball.", "two zebras grazing, side by side, in the savannah"]
    ids = WordPiece(weights.pieces)(captions).ids
    found = Ragged(Network(weights).run(ids), ids.offsets)
    for i, text in enumerate(ids):
        assert found[i] == pytest.approx(hidden_states(model, text.tolist(), 6), abs=1e-5)


def test_no_texts(tmp_path: Path) -> None:
    write_bert(tmp_path)
    assert Network(FolderWeights(tmp_path)).run(Ragged.of([], np.int32)).shape == (0, 24)
