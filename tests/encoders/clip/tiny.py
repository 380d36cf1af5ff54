"""Small CLIP models with random weights, written by the tests in every layout that people have on disk. The weights are
made by transformers' CLIPModel, which is what the vectors are compared with."""

from __future__ import annotations

import atexit
import json
import shutil
import warnings
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
from PIL import Image

WIDTH, LAYERS, HEADS, DIMENSIONS, PATCH, SIZE = 64, 2, 1, 24, 8, 32
VISION_WIDTH, VISION_HEADS = 128, 2
CONTEXT = 77
CAPTIONS = ["a dog runs on the beach", "Two cats!", "a man's red bicycle, 2019", "", "snow"]


@cache
def vocabulary() -> tuple[dict[str, int], list[tuple[str, str]]]:
    """All bytes, all bytes at the end of a word, a few merges, and the marks of start and end."""
    visible = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    letters = [chr(byte) for byte in visible] + [chr(0x100 + place) for place in range(256 - len(visible))]
    merges = [("d", "o"), ("do", "g</w>"), ("a", "t"), ("at", "s</w>"), ("t", "h"), ("th", "e</w>"), ("r", "u")]
    names = [*letters, *(letter + "</w>" for letter in letters), *map("".join, merges)]
    return {name: place for place, name in enumerate([*names, "<|startoftext|>", "<|endoftext|>"])}, merges


def hugging_face(folder: Path, activation: str = "quick_gelu", seed: int = 0) -> Any:
    """Writes a folder of Hugging Face with tokenizer and preprocessing; gives transformers' model."""
    import torch
    from transformers import CLIPConfig, CLIPModel

    words, merges = vocabulary()
    torch.manual_seed(seed)
    both: dict[str, Any] = {"hidden_act": activation, "num_hidden_layers": LAYERS, "projection_dim": DIMENSIONS}
    text = {
        **both, "hidden_size": WIDTH, "intermediate_size": 4 * WIDTH, "num_attention_heads": HEADS,
        "vocab_size": len(words), "max_position_embeddings": CONTEXT, "eos_token_id": words["<|endoftext|>"],
        "bos_token_id": words["<|startoftext|>"],
    }  # fmt: skip
    vision = {
        **both, "hidden_size": VISION_WIDTH, "intermediate_size": 4 * VISION_WIDTH,
        "num_attention_heads": VISION_HEADS, "image_size": SIZE, "patch_size": PATCH,
    }  # fmt: skip
    model = CLIPModel(CLIPConfig(text_config=text, vision_config=vision, projection_dim=DIMENSIONS)).eval()
    with torch.no_grad():  # far from the small values that a training starts with, so that mistakes show
        for parameter in model.parameters():
            parameter += 0.15 * torch.randn_like(parameter)
    model.save_pretrained(folder)
    (folder / "vocab.json").write_text(json.dumps(words))
    (folder / "merges.txt").write_text("#version: 0.2\n" + "".join(f"{a} {b}\n" for a, b in merges))
    write_preprocessing(folder)
    return model


def write_preprocessing(folder: Path) -> None:
    settings = {"size": {"shortest_edge": SIZE}, "crop_size": {"height": SIZE, "width": SIZE}, "resample": 3}
    (folder / "preprocessor_config.json").write_text(json.dumps(settings))


def openai_names(model: Any) -> dict[str, Any]:
    """The tensors of transformers' model under the names of OpenAI's code, written out by hand."""
    import torch

    given = model.state_dict()
    found = {
        "token_embedding.weight": given["text_model.embeddings.token_embedding.weight"],
        "positional_embedding": given["text_model.embeddings.position_embedding.weight"],
        "text_projection": given["text_projection.weight"].T,
        "visual.class_embedding": given["vision_model.embeddings.class_embedding"],
        "visual.conv1.weight": given["vision_model.embeddings.patch_embedding.weight"],
        "visual.positional_embedding": given["vision_model.embeddings.position_embedding.weight"],
        "visual.proj": given["visual_projection.weight"].T,
        "logit_scale": given["logit_scale"],
    }
    norms = {"ln_final": "text_model.final_layer_norm", "visual.ln_pre": "vision_model.pre_layrnorm"}
    norms["visual.ln_post"] = "vision_model.post_layernorm"
    for ours, theirs in (("transformer", "text_model"), ("visual.transformer", "vision_model")):
        for layer in range(LAYERS):
            to, of = f"{ours}.resblocks.{layer}", f"{theirs}.encoder.layers.{layer}"
            for kind in ("weight", "bias"):
                parts = [given[f"{of}.self_attn.{letter}_proj.{kind}"] for letter in "qkv"]
                found[f"{to}.attn.in_proj_{kind}"] = torch.cat(parts)
            norms |= {f"{to}.ln_1": f"{of}.layer_norm1", f"{to}.ln_2": f"{of}.layer_norm2"}
            norms |= {f"{to}.mlp.c_fc": f"{of}.mlp.fc1", f"{to}.mlp.c_proj": f"{of}.mlp.fc2"}
            norms[f"{to}.attn.out_proj"] = f"{of}.self_attn.out_proj"
    for to, of in norms.items():
        found |= {f"{to}.{kind}": given[f"{of}.{kind}"] for kind in ("weight", "bias")}
    return {name: tensor.detach().clone().contiguous() for name, tensor in found.items()}


def archive(path: Path, tensors: dict[str, Any]) -> None:
    """A TorchScript archive of these tensors, in nested modules whose paths are the names given, as in that of CLIP."""
    import torch

    class Tree(torch.nn.Module):
        def __init__(self, tensors: dict[str, Any]) -> None:
            super().__init__()
            inside: dict[str, dict[str, Any]] = {}
            for name, tensor in tensors.items():
                first, _, rest = name.partition(".")
                if rest:
                    inside.setdefault(first, {})[rest] = tensor
                else:
                    self.register_buffer(name, tensor)
            for name, below in inside.items():
                self.add_module(name, Tree(below))

        def forward(self, x: Any) -> Any:
            return x

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch advises against TorchScript, which is how OpenAI's files are
        torch.jit.script(Tree(tensors)).save(str(path))


def open_clip_config(folder: Path, quick: bool) -> None:
    """OpenCLIP's configuration of the same network."""
    words, _ = vocabulary()
    text = {"context_length": CONTEXT, "vocab_size": len(words), "width": WIDTH, "heads": HEADS, "layers": LAYERS}
    vision = {"image_size": SIZE, "layers": LAYERS, "width": VISION_WIDTH, "patch_size": PATCH}
    model = {"embed_dim": DIMENSIONS, "quick_gelu": quick, "vision_cfg": vision, "text_cfg": text}
    (folder / "open_clip_config.json").write_text(json.dumps({"model_cfg": model, "preprocess_cfg": {}}))


def tokenizer_files(folder: Path) -> None:
    """vocab.json and merges.txt."""
    words, merges = vocabulary()
    (folder / "vocab.json").write_text(json.dumps(words))
    (folder / "merges.txt").write_text("".join(f"{a} {b}\n" for a, b in merges))


def picture_files(folder: Path, sizes: list[tuple[int, int]], seed: int = 0) -> list[Path]:
    """Pictures of random blocks, 1.png, 2.png and so on; sizes are (width, height)."""
    rng = np.random.default_rng(seed)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, size in enumerate(sizes, 1):
        blocks = Image.fromarray(rng.integers(0, 256, (6, 7, 3), np.uint8))
        paths.append(folder / f"{number}.png")
        blocks.resize(size, Image.Resampling.BICUBIC).save(paths[-1])
    return paths


def text_features(model: Any, rows: list[list[int]]) -> np.ndarray:
    """Transformers' unit vectors of rows of tokens, one at a time."""
    import torch

    found = []
    with torch.no_grad():
        for row in rows:
            vector = features(model.get_text_features(input_ids=torch.tensor([row])))
            found.append(vector[0] / np.linalg.norm(vector[0]))
    return np.array(found)


def image_features(model: Any, pixels: np.ndarray) -> np.ndarray:
    """Transformers' unit vectors of pixels [n, 3, size, size]."""
    import torch

    with torch.no_grad():
        found = features(model.get_image_features(pixel_values=torch.from_numpy(pixels)))
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def features(given: Any) -> np.ndarray:
    """transformers 5 gives the features inside an object, transformers 4 gives them as they are."""
    return getattr(given, "pooler_output", given).detach().double().numpy()


class Models:
    """A folder with one set of weights in every layout, and transformers' model of them."""

    def __init__(self, folder: Path, activation: str = "quick_gelu") -> None:
        import torch
        from safetensors.torch import save_file

        self.hugging_face = folder / "hugging-face"
        self.hugging_face.mkdir(parents=True)
        self.model = hugging_face(self.hugging_face, activation)
        tensors = openai_names(self.model)
        self.tensors = tensors
        self.paths = {"hugging-face": str(self.hugging_face)}
        for name in ("openai-archive", "openai-state", "open-clip", "open-clip-training", "safetensors", "pac"):
            (folder / name).mkdir()
            tokenizer_files(folder / name)
        if activation == "quick_gelu":
            archive(folder / "openai-archive" / "ViT.pt", tensors)
            self.paths["openai-archive"] = str(folder / "openai-archive" / "ViT.pt")
            marked = {**tensors, "input_resolution": torch.tensor(SIZE), "context_length": torch.tensor(CONTEXT)}
            torch.save(marked, folder / "openai-state" / "ViT.pt")
            self.paths["openai-state"] = str(folder / "openai-state" / "ViT.pt")
        torch.save(tensors, folder / "open-clip" / "open_clip_pytorch_model.bin")
        open_clip_config(folder / "open-clip", activation == "quick_gelu")
        self.paths["open-clip"] = str(folder / "open-clip")
        parallel = {f"module.{name}": tensor for name, tensor in tensors.items()}
        torch.save({"epoch": 3, "state_dict": parallel}, folder / "open-clip-training" / "epoch_3.pt")
        open_clip_config(folder / "open-clip-training", activation == "quick_gelu")
        self.paths["open-clip-training"] = str(folder / "open-clip-training" / "epoch_3.pt")
        save_file(tensors, folder / "safetensors" / "open_clip_model.safetensors")
        open_clip_config(folder / "safetensors", activation == "quick_gelu")
        self.paths["safetensors"] = str(folder / "safetensors")
        torch.save({"state_dict": tensors}, folder / "pac" / "clip_ViT-B-32.pth")
        self.pac = str(folder / "pac" / "clip_ViT-B-32.pth")


@cache
def models(activation: str = "quick_gelu") -> Models:
    """The models, written once per process and removed at its end."""
    folder = Path(mkdtemp(prefix="vericap-clip-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Models(folder / activation, activation)
