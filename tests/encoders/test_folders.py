"""A folder of transformers is opened without running anything in it, and an error names the file that asks for it."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers

from vericap.encoders.folders import load_pretrained, refuse_code
from vericap.errors import InputError

pytestmark = pytest.mark.torch


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A BERT of one layer, as transformers saves it."""
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    transformers.BertModel(transformers.BertConfig(vocab_size=9, **sizes)).save_pretrained(tmp_path / "model")
    return tmp_path / "model"


def test_a_model_is_loaded_quietly(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    bars = transformers.utils.logging.is_progress_bar_enabled()
    capfd.readouterr()
    assert load_pretrained("AutoConfig", folder).model_type == "bert"
    assert not load_pretrained("AutoModel", folder).training
    assert capfd.readouterr() == ("", "")
    assert transformers.utils.logging.is_progress_bar_enabled() == bars


@pytest.mark.parametrize("name", ["config.json", "tokenizer_config.json", "processor_config.json", "part/config.json"])
@pytest.mark.parametrize("content", [{"auto_map": {"AutoModel": "own.A"}}, {"image_processor": {"auto_map": ["a"]}}])
def test_a_file_that_names_code_is_refused_whatever_its_depth(folder: Path, name: str, content: Any) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps({"model_type": "bert", **content}))
    with pytest.raises(InputError, match=rf'{name}, field "auto_map": the file asks to run Python code'):
        load_pretrained("AutoModel", folder)


def test_custom_pipelines_and_custom_generation_are_code_too(folder: Path) -> None:
    (folder / "custom_generate").mkdir()
    (folder / "custom_generate" / "generate.py").write_text("")
    with pytest.raises(InputError, match=r"generate\.py: code in a model's folder is never run; delete the file"):
        load_pretrained("AutoModel", folder)
    (folder / "config.json").write_text('{"custom_pipelines": {"own": {"impl": "own.Pipeline"}}}')
    with pytest.raises(InputError, match='field "custom_pipelines"'):
        load_pretrained("AutoModel", folder)


def test_a_text_that_mentions_auto_map_is_not_a_field(folder: Path) -> None:
    about = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**about, "_name_or_path": '"auto_map": 1', "tags": ["auto_map"]}))
    refuse_code(folder)
    assert load_pretrained("AutoConfig", folder).tags == ["auto_map"]


def test_pickled_weights_are_refused_where_there_are_no_others(folder: Path) -> None:
    (folder / "pytorch_model.bin").write_bytes(b"")
    assert load_pretrained("AutoModel", folder).config.hidden_size == 8  # many folders have both
    (folder / "model.safetensors").unlink()
    with pytest.raises(InputError, match=r"pytorch_model\.bin: the weights are a pickle.*save them as model"):
        load_pretrained("AutoModel", folder)


class Trap:
    """Makes a folder when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.mark),)


def test_a_pickle_among_safetensors_is_not_run(folder: Path, tmp_path: Path) -> None:
    """By its name it is safetensors itself, or a list of files names it as a part."""
    torch.save({"trap": Trap(tmp_path / "mark")}, folder / "part.bin")
    (folder / "model.safetensors").rename(folder / "other.safetensors")
    (folder / "model.safetensors.index.json").write_text('{"metadata": {}, "weight_map": {"trap": "part.bin"}}')
    with pytest.raises(InputError, match="transformers cannot load this model with AutoModel"):
        load_pretrained("AutoModel", folder)
    (folder / "part.bin").rename(folder / "model.safetensors")
    with pytest.raises(InputError, match="transformers cannot load this model with AutoModel"):
        load_pretrained("AutoModel", folder)
    assert not (tmp_path / "mark").exists()
    torch.load(io.BytesIO((folder / "model.safetensors").read_bytes()), weights_only=False)
    assert (tmp_path / "mark").exists()


def test_what_is_not_a_folder_of_a_model(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"config\.json is missing"):
        load_pretrained("AutoConfig", tmp_path)
    with pytest.raises(InputError, match=r"config\.json is missing"):  # to transformers, a file is a configuration
        load_pretrained("AutoConfig", folder / "config.json")
    with pytest.raises(InputError, match="transformers cannot load this model with AutoImageProcessor"):
        load_pretrained("AutoImageProcessor", folder)
