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


def hidden_states(folder: Path, texts: Ragged, layer: int) -> list[np.ndarray]:
    """Those of transformers after a layer, text by text."""
    import torch
    from transformers import BertModel

    model = BertModel.from_pretrained(folder, add_pooling_layer=False).eval()
    with torch.inference_mode():
        found = [model(torch.tensor([ids.tolist()]), output_hidden_states=True).hidden_states for ids in texts]
    return [states[layer][0].numpy() for states in found]


@pytest.mark.torch
@pytest.mark.parametrize("sizes", [{}, {"hidden_size": 18, "num_attention_heads": 2, "layer_norm_eps": 1e-5}])
@pytest.mark.parametrize("layers", [0, 1, 3, None])
def test_hidden_states_are_those_of_transformers(tmp_path: Path, sizes: dict[str, Any], layers: int | None) -> None:
    write_bert(tmp_path, **sizes)
    weights = FolderWeights(tmp_path)
    ids = WordPiece(weights.pieces)(sorted(CAPTIONS, key=len)).ids
    found = Ragged(Network(weights).run(ids, layers), ids.offsets)
    for i, expected in enumerate(hidden_states(tmp_path, ids, 3 if layers is None else layers)):
        assert found[i] == pytest.approx(expected, abs=2e-5)


@pytest.mark.torch
def test_real_weights(minilm: Path) -> None:
    weights = FolderWeights(minilm)
    captions = ["A dog runs after a red ball.", "two zebras grazing, side by side, in the savannah"]
    ids = WordPiece(weights.pieces)(captions).ids
    found = Ragged(Network(weights).run(ids), ids.offsets)
    for i, expected in enumerate(hidden_states(minilm, ids, 6)):
        assert found[i] == pytest.approx(expected, abs=1e-5)


def test_no_texts(tmp_path: Path) -> None:
    write_bert(tmp_path)
    assert Network(FolderWeights(tmp_path)).run(Ragged.of([], np.int32)).shape == (0, 24)
