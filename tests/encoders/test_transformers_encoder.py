"""Architectures other than BERT give the sentence vectors of sentence-transformers on the same weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.encoders.models import CAPTIONS, add_sentence_modules, write_byte_pairs, write_vocabulary
from tests.encoders.test_encoder import of_sentence_transformers
from vericap.errors import InputError
from vericap.views.encoded import find_encoder

pytestmark = pytest.mark.torch

SIZES = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 40}


def write_roberta(folder: Path) -> None:
    from transformers import RobertaConfig, RobertaModel

    torch.manual_seed(0)
    config = RobertaConfig(**SIZES, vocab_size=300, max_position_embeddings=66, initializer_range=0.3, pad_token_id=1)
    RobertaModel(config, add_pooling_layer=False).save_pretrained(folder)
    write_byte_pairs(folder)


def write_distilbert(folder: Path) -> None:
    from transformers import DistilBertConfig, DistilBertModel

    torch.manual_seed(0)
    config = DistilBertConfig(vocab_size=300, dim=24, n_layers=2, n_heads=4, hidden_dim=40, max_position_embeddings=64)
    DistilBertModel(config).save_pretrained(folder)
    write_vocabulary(folder)


@pytest.mark.parametrize("write", [write_roberta, write_distilbert])
@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_sentences(tmp_path: Path, write: Any, pooling: str) -> None:
    write(tmp_path)
    add_sentence_modules(tmp_path, pooling)
    found = find_encoder(str(tmp_path), "sbert").sentences(CAPTIONS)
    assert found == pytest.approx(of_sentence_transformers(tmp_path, CAPTIONS), abs=1e-5)


@pytest.mark.parametrize("write", [write_roberta, write_distilbert])
def test_a_folder_without_a_tokenizer_is_refused(tmp_path: Path, write: Any) -> None:
    write(tmp_path)
    for file in tmp_path.iterdir():
        if file.name not in ("config.json", "model.safetensors"):
            file.unlink()
    with pytest.raises(InputError, match="tokenizer"):
        find_encoder(str(tmp_path), "sbert")


def test_pieces_and_their_vectors(tmp_path: Path) -> None:
    write_roberta(tmp_path)
    encoder = find_encoder(str(tmp_path), "bertscore")
    long = "dog " * 80
    pieces = encoder.tokens(["a dog", long], limit=encoder.longest)
    assert encoder.longest == 64  # 66 positions, of which the first two are the padding's
    assert pieces.cut.tolist() == [False, True]
    assert pieces.ids.lengths.tolist()[1] == 64
    assert (pieces.ids[0][0], pieces.ids[0][-1]) == encoder.special
    vectors = encoder.encode(["a dog", "", "a dog"], layers=1)
    assert np.array_equal(vectors[0], vectors[2])
    assert vectors.values.shape[1] == 24
    assert encoder.encode([]).values.shape == (0, 24)


def test_the_hash_follows_the_weights(tmp_path: Path) -> None:
    write_roberta(tmp_path)
    before = find_encoder(str(tmp_path), "sbert").digest
    other = tmp_path / "other"
    other.mkdir()
    write_distilbert(other)
    assert find_encoder(str(other), "sbert").digest != before


def test_what_is_not_a_model(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"config\.json is missing"):
        find_encoder(str(tmp_path), "sbert")
    (tmp_path / "config.json").write_text('{"model_type": "nonsense"}')
    with pytest.raises(InputError, match="transformers cannot load this model"):
        find_encoder(str(tmp_path), "sbert")
