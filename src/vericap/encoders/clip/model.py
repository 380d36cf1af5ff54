"""The network of CLIP with a vision transformer (Radford et al. 2021): a transformer that reads text from left to
right, and one that sees patches of a picture, both projected into one space.

Names of tensors are OpenAI's, which OpenCLIP and PAC-S have too; those of Hugging Face are translated. The measures of
the network are read from the shapes."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import torch
import torch.nn.functional as F
from torch import nn

from vericap.encoders.tensor_files import Tensors
from vericap.errors import InputError

Activation: TypeAlias = Literal["gelu", "quick_gelu"]


@dataclass(frozen=True)
class Tower:
    """The measures of a transformer; `positions` are tokens, or patches and one more."""

    width: int
    layers: int
    heads: int
    hidden: int
    positions: int


@dataclass(frozen=True)
class Architecture:
    """The measures of both towers. `activation` cannot be seen from the weights: OpenAI's models have the sigmoid
    x·σ(1.702x), most of OpenCLIP's have GELU, and the wrong one gives wrong numbers without an error."""

    text: Tower
    vision: Tower
    vocabulary: int
    patch: int
    dimensions: int
    activation: Activation
    epsilon: float = 1e-5

    @property
    def image_size(self) -> int:
        """Width and height in pixels of the pictures that the network takes."""
        return self.patch * math.isqrt(self.vision.positions - 1)

    @property
    def name(self) -> str:
        """Such as ViT-B/32: the size by the width of the vision tower."""
        sizes = {768: "B", 1024: "L", 1280: "H", 1408: "g", 1664: "bigG"}
        return f"ViT-{sizes.get(self.vision.width, self.vision.width)}/{self.patch}"


class Norm(nn.LayerNorm):
    """A layer norm in 32 bits, whatever the bits of what it is given, as in OpenAI's code."""

    def forward(self, x: Any) -> Any:
        shape = self.normalized_shape
        return F.layer_norm(x.float(), shape, self.weight.float(), self.bias.float(), self.eps).to(x.dtype)


class Attention(nn.Module):
    """Self-attention of several heads; `causal` lets a token see those before it alone."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.in_proj_weight = nn.Parameter(torch.empty(3 * width, width))
        self.in_proj_bias = nn.Parameter(torch.empty(3 * width))
        self.out_proj = nn.Linear(width, width)

    def forward(self, x: Any, causal: bool) -> Any:
        batch, length, width = x.shape
        joint = F.linear(x, self.in_proj_weight, self.in_proj_bias)
        query, key, value = joint.view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        seen = F.scaled_dot_product_attention(query, key, value, is_causal=causal)
        return self.out_proj(seen.transpose(1, 2).reshape(batch, length, width))


class Perceptron(nn.Module):
    """Two linear layers with the activation between them."""

    def __init__(self, width: int, hidden: int, activation: Activation) -> None:
        super().__init__()
        self.c_fc = nn.Linear(width, hidden)
        self.c_proj = nn.Linear(hidden, width)
        self.activation = activation

    def forward(self, x: Any) -> Any:
        x = self.c_fc(x)
        return self.c_proj(F.gelu(x) if self.activation == "gelu" else x * torch.sigmoid(1.702 * x))


class Block(nn.Module):
    """A layer of a transformer, norms first."""

    def __init__(self, tower: Tower, activation: Activation, epsilon: float) -> None:
        super().__init__()
        self.ln_1 = Norm(tower.width, epsilon)
        self.attn = Attention(tower.width, tower.heads)
        self.ln_2 = Norm(tower.width, epsilon)
        self.mlp = Perceptron(tower.width, tower.hidden, activation)

    def forward(self, x: Any, causal: bool) -> Any:
        x = x + self.attn(self.ln_1(x), causal)
        return x + self.mlp(self.ln_2(x))


class Transformer(nn.Module):
    """Layers, one after the other."""

    def __init__(self, tower: Tower, activation: Activation, epsilon: float) -> None:
        super().__init__()
        self.resblocks = nn.ModuleList(Block(tower, activation, epsilon) for _ in range(tower.layers))

    def forward(self, x: Any, causal: bool) -> Any:
        for block in self.resblocks:
            x = block(x, causal)
        return x


class Vision(nn.Module):
    """From pixels [n, 3, size, size] to features [n, dimensions]."""

    def __init__(self, made: Architecture) -> None:
        super().__init__()
        width = made.vision.width
        self.conv1 = nn.Conv2d(3, width, made.patch, made.patch, bias=False)
        self.class_embedding = nn.Parameter(torch.empty(width))
        self.positional_embedding = nn.Parameter(torch.empty(made.vision.positions, width))
        self.ln_pre = Norm(width, made.epsilon)
        self.transformer = Transformer(made.vision, made.activation, made.epsilon)
        self.ln_post = Norm(width, made.epsilon)
        self.proj = nn.Parameter(torch.empty(width, made.dimensions))

    def forward(self, pixels: Any) -> Any:
        patches = self.conv1(pixels).flatten(2).transpose(1, 2)
        whole = self.class_embedding.expand(len(patches), 1, -1)
        x = torch.cat([whole, patches], 1) + self.positional_embedding
        x = self.transformer(self.ln_pre(x), causal=False)
        return self.ln_post(x[:, 0]) @ self.proj


class Clip(nn.Module):
    """Both towers. Features are as they come out of the projection, not of unit length."""

    def __init__(self, made: Architecture) -> None:
        super().__init__()
        self.made = made
        width = made.text.width
        self.visual = Vision(made)
        self.token_embedding = nn.Embedding(made.vocabulary, width)
        self.positional_embedding = nn.Parameter(torch.empty(made.text.positions, width))
        self.transformer = Transformer(made.text, made.activation, made.epsilon)
        self.ln_final = Norm(width, made.epsilon)
        self.text_projection = nn.Parameter(torch.empty(width, made.dimensions))

    def encode_text(self, tokens: Any, ends: Any) -> Any:
        """Features [n, dimensions] of tokens [n, length]: what the network has at each text's end, `ends` [n].

        What follows the end is not seen from there, so a batch is as long as its longest text.
        """
        x = self.token_embedding(tokens) + self.positional_embedding[: tokens.shape[1]]
        x = self.ln_final(self.transformer(x, causal=True))
        return x[torch.arange(len(x), device=x.device), ends] @ self.text_projection

    def encode_image(self, pixels: Any) -> Any:
        """Features [n, dimensions] of pixels [n, 3, size, size]."""
        return self.visual(pixels)


# Numbers and masks that checkpoints carry and the features do not depend on.
_UNUSED = re.compile(
    r"logit_scale|logit_bias|input_resolution|context_length|vocab_size|(.*\.)?attn_mask|.*\.position_ids"
)
# Names of Hugging Face → names of OpenAI, in order.
_RENAMED = [
    (r"text_model\.embeddings\.token_embedding\.weight", "token_embedding.weight"),
    (r"text_model\.embeddings\.position_embedding\.weight", "positional_embedding"),
    (r"text_model\.final_layer_norm", "ln_final"),
    (r"text_projection\.weight", "text_projection"),
    (r"vision_model\.embeddings\.class_embedding", "visual.class_embedding"),
    (r"vision_model\.embeddings\.patch_embedding\.weight", "visual.conv1.weight"),
    (r"vision_model\.embeddings\.position_embedding\.weight", "visual.positional_embedding"),
    (r"vision_model\.pre_layrnorm", "visual.ln_pre"),
    (r"vision_model\.post_layernorm", "visual.ln_post"),
    (r"visual_projection\.weight", "visual.proj"),
    (r"text_model\.encoder\.layers\.(\d+)", r"transformer.resblocks.\1"),
    (r"vision_model\.encoder\.layers\.(\d+)", r"visual.transformer.resblocks.\1"),
    (r"\.layer_norm1\.", ".ln_1."),
    (r"\.layer_norm2\.", ".ln_2."),
    (r"\.mlp\.fc1\.", ".mlp.c_fc."),
    (r"\.mlp\.fc2\.", ".mlp.c_proj."),
    (r"\.self_attn\.out_proj\.", ".attn.out_proj."),
]
_PART = re.compile(r"(.*)\.self_attn\.([qkv])_proj\.(weight|bias)")
_TRANSPOSED = ("text_projection", "visual.proj")  # linear layers of Hugging Face, matrices of OpenAI


def from_hugging_face(tensors: Mapping[str, Any]) -> Tensors:
    """Return the tensors under OpenAI's names; query, key and value of a layer become one matrix."""
    found: Tensors = {}
    parts: dict[str, dict[str, Any]] = {}
    for given, tensor in tensors.items():
        name = given
        for pattern, replacement in _RENAMED:
            name = re.sub(pattern, replacement, name)
        if match := _PART.fullmatch(name):
            layer, which, kind = match.groups()
            parts.setdefault(f"{layer}.attn.in_proj_{kind}", {})[which] = tensor
        else:
            found[name] = tensor.T.contiguous() if name in _TRANSPOSED else tensor
    for name, by_letter in parts.items():
        if len(by_letter) == 3:
            found[name] = torch.cat([by_letter[letter] for letter in "qkv"])
    return found


def plain_names(tensors: Mapping[str, Any]) -> Tensors:
    """Return the tensors that the features depend on, without the prefixes of wrappers: `module.` of parallel training,
    `text.` of OpenCLIP's models with a separate text tower."""
    found = {name.removeprefix("module.").removeprefix("text."): tensor for name, tensor in tensors.items()}
    return {name: tensor for name, tensor in found.items() if not _UNUSED.fullmatch(name)}


def architecture(
    tensors: Tensors,
    source: str,
    activation: Activation,
    heads: tuple[int | None, int | None] = (None, None),
    epsilon: float = 1e-5,
) -> Architecture:
    """Return the measures of the network, from the shapes of its tensors. `heads` of the text and of the vision tower,
    where they are known; else those of the published models: 64 dimensions each, more in OpenCLIP's H, g and bigG."""
    if "visual.conv1.weight" not in tensors or tensors["visual.conv1.weight"].shape[-1] < 4:
        other = "a CLIP with a ResNet" if "visual.attnpool.c_proj.weight" in tensors else "not a CLIP"
        raise InputError(
            f"this is {other}; one with a vision transformer (ViT-B/32 and the like) is needed",
            source=source,
            fix="give a CLIP with a vision transformer",
        )
    try:
        text = _tower(tensors, "transformer", tensors["positional_embedding"], heads[0])
        vision = _tower(tensors, "visual.transformer", tensors["visual.positional_embedding"], heads[1])
        return Architecture(
            text,
            vision,
            vocabulary=len(tensors["token_embedding.weight"]),
            patch=tensors["visual.conv1.weight"].shape[-1],
            dimensions=tensors["text_projection"].shape[1],
            activation=activation,
            epsilon=epsilon,
        )
    except KeyError as missing:
        raise lacking([str(missing.args[0])], source) from None


def lacking(names: list[str], source: str) -> InputError:
    """Return the error for missing tensors of a CLIP."""
    return InputError(
        f"the checkpoint lacks {len(names)} tensors of a CLIP, such as {names[0]}",
        source=source,
        fix="give the whole model; where only a part of it was fine-tuned, add base=FILE with the CLIP it started from",
    )


# Dimensions of an attention head of OpenCLIP's vision towers by their width: ViT-H, g, bigG. All others have 64.
_HEAD_WIDTHS = {1280: 80, 1408: 88, 1664: 104}


def _tower(tensors: Tensors, prefix: str, positions: Any, heads: int | None) -> Tower:
    width = positions.shape[1]
    layers = len({name for name in tensors if re.fullmatch(rf"{prefix}\.resblocks\.\d+\.ln_1\.weight", name)})
    head_width = _HEAD_WIDTHS.get(width, 64) if prefix.startswith("visual") else 64
    hidden = tensors[f"{prefix}.resblocks.0.mlp.c_fc.weight"].shape[0]
    return Tower(width, layers, heads or max(1, width // head_width), hidden, len(positions))
