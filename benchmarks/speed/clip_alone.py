"""One side of benchmarks.speed.clip in a process of its own: seconds as JSON, vectors as files.

Usage: clip_alone.py vericap|transformers|compare FOLDER
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

BATCH = 32


class Stages:
    """Wall and processor seconds of each stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def time(self, name: str, work: Callable[[], Any]) -> Any:
        start, worked = time.perf_counter(), time.process_time()
        answer = work()
        self.seconds[name] = time.perf_counter() - start
        self.seconds[f"{name}, processor"] = time.process_time() - worked
        return answer


def vericap(folder: Path, captions: list[str], pictures: list[Path], stages: Stages) -> tuple[Any, Any]:
    """By the views that clipscore uses."""
    from vericap.corpus import Corpus, PictureFolder
    from vericap.views import Views
    from vericap.views.clip import ClipModel, PictureVectors, TextVectors

    model = ClipModel(str(folder / "model"), batch=BATCH)
    stages.time("load", model.encoder)
    texts = Views(Corpus.from_lists(captions), workers=2)
    said = stages.time("captions", lambda: texts.get(TextVectors(model, "", "truncate", "candidates")))
    ids = [path.stem for path in pictures]
    corpus = Corpus(ids, [""] * len(ids), np.arange(len(ids)), pictures=PictureFolder(folder / "pictures"))
    return said, stages.time("pictures", lambda: Views(corpus, workers=2).get(PictureVectors(model)))


def transformers(folder: Path, captions: list[str], pictures: list[Path], stages: Stages) -> tuple[Any, Any]:
    """As its examples do."""

    def ready() -> tuple[Any, ...]:
        import torch
        from transformers import CLIPModel, CLIPTokenizer
        from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

        place = folder / "model"
        model = CLIPModel.from_pretrained(place).eval()
        return torch, model, CLIPTokenizer.from_pretrained(place), CLIPImageProcessorPil()

    from PIL import Image

    torch, model, tokenizer, processor = stages.time("load", ready)

    def unit(found: Any) -> Any:
        vectors = getattr(found, "pooler_output", found)
        return (vectors / vectors.norm(dim=-1, keepdim=True)).numpy()

    def read(batch: list[str]) -> Any:
        asked = tokenizer(batch, padding=True, truncation=True, max_length=77, return_tensors="pt")
        return unit(model.get_text_features(**asked))

    def look(batch: list[Path]) -> Any:
        opened = [Image.open(path).convert("RGB") for path in batch]
        return unit(model.get_image_features(**processor(images=opened, return_tensors="pt")))

    with torch.no_grad():
        said = stages.time("captions", lambda: np.concatenate([read(each) for each in batches(captions)]))
        seen = stages.time("pictures", lambda: np.concatenate([look(each) for each in batches(pictures)]))
    return said, seen


def batches(items: list[Any]) -> list[list[Any]]:
    return [items[first : first + BATCH] for first in range(0, len(items), BATCH)]


def main(side: str, folder: Path) -> None:
    if side == "compare":
        pairs = [[np.load(folder / f"{name}-{kind}.npy") for name in SIDES] for kind in ("captions", "pictures")]
        print(max(float(np.abs(a - b).max()) for a, b in pairs))
        return
    captions = json.loads((folder / "captions.json").read_text("utf-8"))
    pictures = sorted((folder / "pictures").iterdir())
    stages = Stages()
    said, seen = SIDES[side](folder, captions, pictures, stages)
    np.save(folder / f"{side}-captions.npy", said)
    np.save(folder / f"{side}-pictures.npy", seen)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(json.dumps({**stages.seconds, "megabytes": memory}))


SIDES = {"vericap": vericap, "transformers": transformers}

if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
