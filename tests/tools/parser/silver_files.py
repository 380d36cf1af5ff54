"""A few captions with trees, in the files that training reads."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

from tools.parser.silver import DEV, TRAIN

NOUNS = ("dog", "cat", "man", "girl", "horse", "bus")
PLACES = ("street", "beach", "table", "bench")


def caption(noun: str, preposition: str, article: str, place: str) -> dict[str, Any]:
    """ "a dog sits on the beach" with its tree."""
    words = ["a", noun, "sits", preposition, article, place]
    return {
        "words": words,
        "tags": ["DT", "NN", "VBZ", "IN", "DT", "NN"],
        "lemmas": ["a", noun, "sit", preposition, article, place],
        "heads": [2, 3, 0, 6, 6, 3],
        "relations": ["det", "nsubj", "root", "case", "det", "nmod"],
    }


def write_silver(folder: Path) -> Path:
    """Silver files of captions that all have the same shape."""
    folder.mkdir(parents=True, exist_ok=True)
    said = [caption(n, p, a, w) for n in NOUNS for p in ("on", "near") for a in ("a", "the") for w in PLACES]
    for number, name in enumerate((*TRAIN, DEV)):
        with lzma.open(folder / f"{name}.jsonl.xz", "wt", encoding="utf-8") as file:
            for sentence in said[number::3]:
                file.write(json.dumps({"caption": " ".join(sentence["words"]), "sentences": [sentence]}) + "\n")
    return folder
