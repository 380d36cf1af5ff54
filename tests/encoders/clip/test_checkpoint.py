"""Every layout of a CLIP on disk gives the same network; what does not say enough, or does not fit, is refused."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest
import torch

from tests.encoders.clip.tiny import DIMENSIONS, SIZE, models, open_clip_config, tokenizer_files
from vericap.encoders.clip.checkpoint import described, file_hash, read_checkpoint, weight_files
from vericap.errors import InputError

pytestmark = pytest.mark.torch

KINDS = {
    "hugging-face": "Hugging Face",
    "openai-archive": "OpenAI",
    "openai-state": "OpenAI",
    "open-clip": "OpenCLIP",
    "open-clip-training": "OpenCLIP",
    "safetensors": "OpenCLIP",
}


@pytest.mark.parametrize("layout", KINDS)
def test_every_layout_has_the_same_tensors(layout: str) -> None:
    given = models()
    found = read_checkpoint(given.paths[layout])
    assert (found.kind, found.made.activation) == (KINDS[layout], "quick_gelu")
    for name, tensor in found.tensors.items():
        assert torch.equal(tensor, given.tensors[name]), name
    assert (found.preprocessing.crop, found.made.dimensions) == (SIZE, DIMENSIONS)


def test_the_activation_is_never_guessed() -> None:
    with pytest.raises(InputError, match="do not say whether the network has gelu or quick_gelu; put its open_clip"):
        read_checkpoint(models().pac)
    assert read_checkpoint(models().pac, "gelu").made.activation == "gelu"
    assert read_checkpoint(models("gelu").paths["open-clip"]).made.activation == "gelu"
    with pytest.raises(InputError, match="the model has quick_gelu, and activation=gelu was asked for"):
        read_checkpoint(models().paths["hugging-face"], "gelu")


@pytest.mark.parametrize(("patch", "activation"), [(32, "quick_gelu"), (14, "gelu")])
def test_the_networks_of_pac_s_have_known_activations(tmp_path: Path, patch: int, activation: str) -> None:
    tensors = {**models().tensors, "visual.conv1.weight": torch.zeros(128, 3, patch, patch)}
    tokenizer_files(tmp_path)
    torch.save({"state_dict": tensors}, tmp_path / "clip.pth")
    assert read_checkpoint(str(tmp_path / "clip.pth"), "pac").made.activation == activation


def test_a_part_of_the_tensors_over_a_base(tmp_path: Path) -> None:
    given = models()
    tuned = {name: given.tensors[name] + 1 for name in ("text_projection", "visual.proj")}
    tokenizer_files(tmp_path)
    torch.save({"state_dict": tuned}, tmp_path / "tuned.pth")
    path = str(tmp_path / "tuned.pth")
    found = read_checkpoint(path, base=given.paths["openai-archive"])
    assert torch.equal(found.tensors["visual.proj"], given.tensors["visual.proj"] + 1)
    assert torch.equal(found.tensors["ln_final.bias"], given.tensors["ln_final.bias"])
    assert found.made.activation == "quick_gelu"  # the base says it
    with pytest.raises(InputError, match=r"this is not a CLIP|lacks"):
        read_checkpoint(path, "quick_gelu")
    torch.save({"nonsense": torch.zeros(1)}, tmp_path / "other.pth")
    with pytest.raises(InputError, match='field "base": the base has no tensor nonsense'):
        read_checkpoint(str(tmp_path / "other.pth"), base=given.paths["openai-archive"])


def copied(tmp_path: Path, layout: str) -> Path:
    return Path(shutil.copytree(models().paths[layout], tmp_path / layout))


def test_weights_that_lack_a_tensor_or_have_another(tmp_path: Path) -> None:
    folder = copied(tmp_path, "open-clip")
    tensors = dict(models().tensors)
    file = folder / "open_clip_pytorch_model.bin"
    del tensors["transformer.resblocks.1.ln_2.bias"]
    torch.save(tensors, file)
    with pytest.raises(InputError, match=r"lacks 1 tensors of a CLIP, such as transformer.resblocks.1.ln_2.bias"):
        read_checkpoint(str(folder))
    torch.save({**models().tensors, "visual.attn_pool.query": torch.zeros(1)}, file)
    with pytest.raises(InputError, match=r"tensors that a CLIP has not, such as visual.attn_pool.query"):
        read_checkpoint(str(folder))
    torch.save({**models().tensors, "ln_final.bias": torch.zeros(3)}, file)
    with pytest.raises(InputError, match=r"ln_final.bias has the shape \[3\], and \[64\] is expected"):
        read_checkpoint(str(folder))


def test_a_setting_that_changes_the_network_is_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path, "open-clip")
    config = json.loads((folder / "open_clip_config.json").read_text())
    config["model_cfg"]["text_cfg"]["no_causal_mask"] = True
    (folder / "open_clip_config.json").write_text(json.dumps(config))
    with pytest.raises(InputError, match=r'field "text_cfg": no_causal_mask is set, which changes the network'):
        read_checkpoint(str(folder))
    folder = copied(tmp_path, "hugging-face")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "model_type": "siglip"}))
    with pytest.raises(InputError, match="a model of type 'siglip', not a CLIP"):
        read_checkpoint(str(folder))


def test_a_tokenizer_of_another_model_is_refused(tmp_path: Path) -> None:
    torch.save(models().tensors, tmp_path / "model.pt")
    open_clip_config(tmp_path, quick=True)  # without vocab.json the vocabulary that ships has more tokens
    with pytest.raises(InputError, match=r"the network has 521 tokens, and the tokenizer \(shipped\) has others"):
        read_checkpoint(str(tmp_path / "model.pt"))


def test_pixels_that_do_not_fit_the_network(tmp_path: Path) -> None:
    folder = copied(tmp_path, "hugging-face")
    (folder / "preprocessor_config.json").write_text('{"size": 224, "crop_size": 224}')
    with pytest.raises(InputError, match="pictures are cut to 224 pixels, and the network takes 32"):
        read_checkpoint(str(folder))


def test_which_file_is_meant(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file or folder"):
        weight_files(str(tmp_path / "nothing"))
    with pytest.raises(InputError, match="there are no weights in this folder"):
        weight_files(str(tmp_path))
    for name in ("a.pt", "b.pt"):
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(InputError, match="2 files may be the weights; name the file"):
        weight_files(str(tmp_path))
    index = {"weight_map": {"x": "1.safetensors", "y": "2.safetensors"}}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    assert [file.name for file in weight_files(str(tmp_path))[0]] == ["1.safetensors", "2.safetensors"]


def test_weights_in_several_files(tmp_path: Path) -> None:
    folder = copied(tmp_path, "hugging-face")
    (folder / "model.safetensors").unlink()
    models().model.save_pretrained(folder, max_shard_size="200KB")
    assert len(weight_files(str(folder))[0]) > 1
    found, whole = read_checkpoint(str(folder)), read_checkpoint(models().paths["hugging-face"])
    assert all(torch.equal(found.tensors[name], tensor) for name, tensor in whole.tensors.items())
    assert found.sha256 != whole.sha256


def test_a_folder_with_code_of_its_own_is_not_taken_for_a_clip(tmp_path: Path) -> None:
    folder = copied(tmp_path, "hugging-face")
    about = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps({**about, "auto_map": {"AutoModel": "own.Clip"}}))
    with pytest.raises(InputError, match=r'config\.json, field "auto_map"'):
        read_checkpoint(str(folder))


def test_the_hash_is_that_of_the_file() -> None:
    path = models().paths["openai-archive"]
    assert file_hash(path) == hashlib.sha256(Path(path).read_bytes()).hexdigest()
    assert described(read_checkpoint(path)) == "OpenAI ViT-128/8, 24 dimensions, quick_gelu"
