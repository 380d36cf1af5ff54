"""Scene graphs from a FACTUAL checkpoint (Li et al. 2023): a Flan-T5 that writes a caption's graph as text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from vericap.encoders.folders import load_pretrained
from vericap.encoders.installed import require
from vericap.engine.progress import counted

PROMPT = "Generate Scene Graph: "
_BATCH = 32
_LONGEST = 200


class Factual:
    """A checkpoint in a local folder, as transformers saves it; nothing is fetched and nothing is unpickled."""

    def __init__(self, folder: str) -> None:
        require("spice(parser=factual)", "torch", "transformers")
        import torch

        self._torch: Any = torch
        self._tokenizer = load_pretrained("AutoTokenizer", folder)
        self._model = load_pretrained("AutoModelForSeq2SeqLM", folder).eval()

    def write(self, captions: Sequence[str]) -> list[str]:
        """Return the graphs of captions as the model writes them: `( girl , on , bed ) , ( girl , is , young )`."""
        distinct = sorted(set(captions), key=lambda caption: (len(caption), caption))
        graphs: dict[str, str] = {}
        for start in counted(range(0, len(distinct), _BATCH)):
            batch = distinct[start : start + _BATCH]
            inputs = self._tokenizer(
                [PROMPT + caption for caption in batch],
                return_tensors="pt",
                padding=True,
                truncation=True,
                max_length=_LONGEST,
            )
            with self._torch.inference_mode():
                ids = self._model.generate(
                    input_ids=inputs["input_ids"],
                    attention_mask=inputs["attention_mask"],
                    max_new_tokens=_LONGEST,
                    num_beams=1,
                    do_sample=False,
                )
            texts = self._tokenizer.batch_decode(ids, skip_special_tokens=True)
            graphs.update(zip(batch, texts, strict=True))
        return [graphs[caption] for caption in captions]


@lru_cache(maxsize=1)
def load(folder: str) -> Factual:
    """Return the checkpoint of a folder; the last one stays in memory."""
    return Factual(folder)
