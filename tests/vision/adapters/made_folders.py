"""Small detectors with random weights, saved as transformers saves models."""

from __future__ import annotations

from pathlib import Path
from string import ascii_lowercase
from typing import Any

import torch
import transformers

NAMES = {0: "dog", 1: "coffee mug"}
_SMALL = {"d_model": 32, "decoder_layers": 1, "encoder_layers": 1, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16}
_HEADS = {"encoder_attention_heads": 2, "decoder_attention_heads": 2, "num_queries": 6}
_TWO = {"decoder_layers": 2}  # transformers ties the second layer's weights to the first's
_LABELS = {"id2label": NAMES, "label2id": {name: number for number, name in NAMES.items()}}


def _saved(folder: Path, model: Any, processor: Any) -> Any:
    transformers.utils.logging.disable_progress_bar()
    model.eval().save_pretrained(folder)
    processor.save_pretrained(folder)
    return model


def detr(folder: Path) -> Any:
    torch.manual_seed(0)
    backbone = transformers.ResNetConfig(
        embedding_size=8, hidden_sizes=[8, 8, 8, 16], depths=[1, 1, 1, 1], out_features=["stage4"]
    )
    config = transformers.DetrConfig(
        use_timm_backbone=False,
        use_pretrained_backbone=False,
        backbone=None,
        backbone_config=backbone,
        **_SMALL,
        **_HEADS,
        **_LABELS,
    )
    processor = transformers.DetrImageProcessor(size={"shortest_edge": 32, "longest_edge": 64})
    return _saved(folder, transformers.DetrForObjectDetection(config), processor)


def rt_detr(folder: Path) -> Any:
    torch.manual_seed(0)
    backbone = transformers.RTDetrResNetConfig(
        embedding_size=8,
        hidden_sizes=[8, 8, 8, 16],
        depths=[1, 1, 1, 1],
        out_features=["stage2", "stage3", "stage4"],
        layer_type="basic",
    )
    config = transformers.RTDetrConfig(
        backbone_config=backbone,
        encoder_hidden_dim=32,
        encoder_in_channels=[8, 8, 16],
        decoder_in_channels=[32, 32, 32],
        **_SMALL,
        **_HEADS,
        **_LABELS,
    )
    processor = transformers.RTDetrImageProcessor(size={"height": 64, "width": 64})
    return _saved(folder, transformers.RTDetrForObjectDetection(config), processor)


def owlv2(folder: Path) -> Any:
    torch.manual_seed(0)
    words = ["!", "<|startoftext|>", "<|endoftext|>", *ascii_lowercase, *(f"{one}</w>" for one in ascii_lowercase)]
    tokenizer = transformers.CLIPTokenizer(
        vocab={word: number for number, word in enumerate(words)}, merges=[], model_max_length=16, pad_token="!"
    )
    layers = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    text = {"vocab_size": len(words), "max_position_embeddings": 16, **layers}
    text |= {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
    config = transformers.Owlv2Config(
        text_config=text, vision_config={"image_size": 64, "patch_size": 16, **layers}, projection_dim=16
    )
    processor = transformers.Owlv2Processor(
        transformers.Owlv2ImageProcessor(size={"height": 64, "width": 64}), tokenizer
    )
    return _saved(folder, transformers.Owlv2ForObjectDetection(config), processor)


def grounding_dino(folder: Path, longest: int = 256) -> Any:
    torch.manual_seed(0)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", "dog", "coffee", "mug", "person"]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(words))
    tokenizer = transformers.BertTokenizer(str(folder / "vocab.txt"))
    swin = transformers.SwinConfig(
        image_size=32,
        embed_dim=8,
        depths=[1, 1, 1, 1],
        num_heads=[1, 1, 2, 2],
        window_size=2,
        out_features=["stage2", "stage3", "stage4"],
    )
    bert = transformers.BertConfig(
        vocab_size=len(words), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16
    )
    config = transformers.GroundingDinoConfig(
        backbone_config=swin,
        text_config=bert,
        use_pretrained_backbone=False,
        max_text_len=longest,
        **(_SMALL | _HEADS | _TWO),
    )
    processor = transformers.GroundingDinoProcessor(
        transformers.GroundingDinoImageProcessor(size={"shortest_edge": 64, "longest_edge": 96}), tokenizer
    )
    return _saved(folder, transformers.GroundingDinoForObjectDetection(config), processor)
