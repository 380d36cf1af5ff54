"""Makes what benchmarks.speed.clip reads: a folder of Hugging Face with ViT-B/32 of random weights, pictures, captions.

Usage: clip_made.py FOLDER PICTURES CAPTIONS

CLIP's own list of word pieces comes from no package registry. The one made here joins the letters of the most frequent
words of COCO's captions, so that a caption has about as many pieces.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter
from pathlib import Path

from benchmarks import coco
from benchmarks.speed.detect import copies

WORDS = 4_000


def pieces(captions: list[str]) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """Word pieces with their numbers, and the pairs that are joined: every letter of a frequent word to those before.

    >>> numbers, merges = pieces(["a dog"])
    >>> merges
    [('d', 'o'), ('do', 'g</w>')]
    """
    visible = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    letters = [chr(byte) for byte in visible] + [chr(0x100 + place) for place in range(256 - len(visible))]
    counts = Counter(word for caption in captions for word in caption.lower().split() if word.isascii())
    merges: dict[tuple[str, str], None] = {}
    for word, _ in counts.most_common(WORDS):
        parts = [*word[:-1], f"{word[-1]}</w>"]
        merges.update({("".join(parts[:end]), parts[end]): None for end in range(1, len(parts))})
    names = dict.fromkeys([*letters, *(f"{letter}</w>" for letter in letters), *map("".join, merges)])
    return {name: place for place, name in enumerate([*names, "<|startoftext|>", "<|endoftext|>"])}, [*merges]


def model(folder: Path, captions: list[str]) -> None:
    """ViT-B/32 with its tokenizer and preprocessing."""
    import torch
    from transformers import CLIPConfig, CLIPModel

    words, merges = pieces(captions)
    torch.manual_seed(0)
    text = {
        "vocab_size": len(words),
        "bos_token_id": words["<|startoftext|>"],
        "eos_token_id": words["<|endoftext|>"],
        "pad_token_id": words["<|endoftext|>"],
    }
    CLIPModel(CLIPConfig(text_config=text)).save_pretrained(folder)  # its defaults are those of ViT-B/32
    (folder / "vocab.json").write_text(json.dumps(words), "utf-8")
    (folder / "merges.txt").write_text("#version: 0.2\n" + "".join(f"{a} {b}\n" for a, b in merges), "utf-8")
    size = {"size": {"shortest_edge": 224}, "crop_size": {"height": 224, "width": 224}, "resample": 3}
    (folder / "preprocessor_config.json").write_text(json.dumps(size), "utf-8")


def main(folder: Path, pictures: int, captions: int) -> None:
    shutil.rmtree(folder / "pictures", ignore_errors=True)
    (folder / "model").mkdir(parents=True, exist_ok=True)
    every = [text for texts in coco.captions().values() for text in texts]
    if not (folder / "model" / "preprocessor_config.json").exists():
        model(folder / "model", every)
    copies(folder / "pictures", pictures)
    (folder / "captions.json").write_text(json.dumps([*dict.fromkeys(every)][:captions]), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
