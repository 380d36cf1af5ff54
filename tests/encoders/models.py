"""Small BERT models with random weights, in folders as transformers and sentence-transformers save them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file

from vericap.encoders.config import Config
from vericap.encoders.weights import tensor_names

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,'-"
WORDS = "a the dog cat man woman ball on in with runs running sits plays red blue two of and is street".split()
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, *LETTERS[1:], *(f"##{letter}" for letter in LETTERS)]

CAPTIONS = [
    "A dog runs on the street.",
    "two cats, and a man with a ball",
    "The woman's red ball",
    "a",
    "",
    "A dog runs on the street.",
    "blue blue blue blue blue blue blue blue dogs are running in the streets of a town, and a man sits with two cats",
]


def write_vocabulary(folder: Path, limit: int = 64) -> None:
    (folder / "vocab.txt").write_text("\n".join(PIECES) + "\n", "utf-8")
    about = {"do_lower_case": True, "model_max_length": limit, "tokenizer_class": "BertTokenizer"}
    (folder / "tokenizer_config.json").write_text(json.dumps(about), "utf-8")


def write_bert(folder: Path, seed: int = 0, *, limit: int = 64, spread: float = 0.3, **config: Any) -> None:
    """Writes a BERT of three layers. Its weights are far from the small numbers of a fresh model, so that no layer is
    nearly linear."""
    about = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "vocab_size": len(PIECES),
        "hidden_size": 24,
        "num_hidden_layers": 3,
        "num_attention_heads": 4,
        "intermediate_size": 52,
        "max_position_embeddings": 64,
        "type_vocab_size": 2,
        **config,
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(about), "utf-8")
    write_vocabulary(folder, limit)
    random = np.random.default_rng(seed)
    tensors = {}
    for name, shape in tensor_names(Config.of_folder(folder)):
        rows = about["vocab_size"] if "word" in name else about["type_vocab_size"] if "token_type" in name else shape[0]
        values = random.normal(0, spread if len(shape) == 2 else 0.3, (rows, *shape[1:]))
        tensors[name] = (values + name.endswith("LayerNorm.weight")).astype(np.float32)
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})


def add_sentence_modules(folder: Path, pooling: str = "mean", *, normalised: bool = True, limit: int = 20) -> None:
    """The files that make a sentence-transformers model of a BERT folder."""
    kinds = [("", "Transformer"), ("1_Pooling", "Pooling"), *([("2_Normalize", "Normalize")] if normalised else [])]
    modules = [
        {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for i, (path, kind) in enumerate(kinds)
    ]
    (folder / "modules.json").write_text(json.dumps(modules), "utf-8")
    (folder / "1_Pooling").mkdir(exist_ok=True)
    modes = {"mean": "pooling_mode_mean_tokens", "cls": "pooling_mode_cls_token", "max": "pooling_mode_max_tokens"}
    about: dict[str, Any] = {"word_embedding_dimension": 24, **{mode: name == pooling for name, mode in modes.items()}}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(about), "utf-8")
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": limit, "do_lower_case": False}))
    if normalised:
        (folder / "2_Normalize").mkdir(exist_ok=True)


def write_byte_pairs(folder: Path) -> None:
    """The tokenizer of a RoBERTa: single bytes, and a few pairs of them."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    merges = [("d", "o"), ("do", "g"), ("c", "a"), ("ca", "t"), ("Ġ", "a"), ("t", "h"), ("th", "e")]
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *letters, *("".join(pair) for pair in merges)]
    made = Tokenizer(models.BPE({piece: i for i, piece in enumerate(pieces)}, merges, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    names = {"bos_token": "<s>", "eos_token": "</s>", "cls_token": "<s>", "sep_token": "</s>", "unk_token": "<unk>"}
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=made, **names, pad_token="<pad>", mask_token="<mask>", model_max_length=512
    )
    tokenizer.save_pretrained(folder)
