"""The names of a CLIP's tensors: those of Hugging Face become those of OpenAI, which OpenCLIP and PAC-S have too; and
the measures of the network are read from the shapes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import torch

from vericap.encoders.clip.model import Activation, Architecture, Tower
from vericap.encoders.tensor_files import Tensors
from vericap.errors import InputError

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
    """The tensors under OpenAI's names; query, key and value of a layer become one matrix."""
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
    """The tensors that the features depend on, without the prefixes of wrappers: `module.` of parallel training,
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
    """The measures of the network, from the shapes of its tensors. `heads` of the text and of the vision tower, where
    they are known; else those of the published models: 64 dimensions each, more in OpenCLIP's H, g and bigG."""
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
    """The error where tensors of a CLIP are missing."""
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
