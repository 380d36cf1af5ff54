"""The network of CLIP with a vision transformer (Radford et al. 2021): a transformer that reads text from left to
right, and one that sees patches of a picture, both projected into one space. Names of parameters are OpenAI's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import torch
import torch.nn.functional as F
from torch import nn

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
