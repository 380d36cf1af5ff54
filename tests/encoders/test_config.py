"""What a folder says of its model is read, and a model that would be computed wrongly is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.encoders.models import add_sentence_modules, write_bert
from vericap.encoders.config import Config, is_plain_bert
from vericap.errors import InputError


def change(path: Path, **values: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **values}), "utf-8")


def test_minilm(minilm: Path) -> None:
    assert Config.of_folder(minilm) == Config(384, 6, 12, 1536, positions=512, limit=256)


def test_a_bert_without_sentence_modules_takes_the_mean_of_all_pieces(tmp_path: Path) -> None:
    write_bert(tmp_path)
    found = Config.of_folder(tmp_path)
    assert (found.pooling, found.limit) == ("mean", 64)


@pytest.mark.parametrize("pooling", ["mean", "cls"])
@pytest.mark.parametrize("normalised", [True, False])
def test_sentence_modules(tmp_path: Path, pooling: str, normalised: bool) -> None:
    write_bert(tmp_path)
    add_sentence_modules(tmp_path, pooling, normalised=normalised, limit=12)
    found = Config.of_folder(tmp_path)
    assert (found.pooling, found.normalised, found.limit) == (pooling, normalised, 12)


@pytest.mark.parametrize(
    ("field", "value"),
    [("model_type", "mpnet"), ("hidden_act", "gelu_new"), ("position_embedding_type", "relative_key")],
)
def test_another_architecture_is_refused(tmp_path: Path, field: str, value: str) -> None:
    write_bert(tmp_path)
    assert is_plain_bert(tmp_path)
    change(tmp_path / "config.json", **{field: value})
    assert not is_plain_bert(tmp_path)
    with pytest.raises(InputError, match=f"{field} is '{value}'"):
        Config.of_folder(tmp_path)


def test_another_pooling_is_refused(tmp_path: Path) -> None:
    write_bert(tmp_path)
    add_sentence_modules(tmp_path, "max")
    with pytest.raises(InputError, match="the pooling is pooling_mode_max_tokens"):
        Config.of_folder(tmp_path)


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"config\.json is missing"):
        Config.of_folder(tmp_path)


def test_heads_divide_the_size() -> None:
    with pytest.raises(InputError, match="5 heads do not divide vectors of 384 numbers"):
        Config(384, 6, 5, 1536, positions=512, limit=256)
