"""Caption metrics as a module of Hugging Face evaluate: `evaluate.load(PATH)`, where PATH is this file.

import evaluate
from vericap.compat.evaluate_metric import PATH
scores = evaluate.load(PATH).compute(predictions=["a dog"], references=[["a dog", "the dog"]], metrics="bleu-4")
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import datasets
import evaluate

from vericap.compat.aligned import measured

PATH = str(Path(__file__))


class CaptionMetrics(evaluate.Metric):
    """Corpus scores of any text metrics, by key."""

    def _info(self) -> Any:
        caption = datasets.Value("string")
        return evaluate.MetricInfo(
            description="Image-caption metrics, exact to their originals.",
            citation="See `vericap metrics`, which names the paper of each metric.",
            inputs_description="predictions: captions; references: one or several captions for each; "
            "metrics: keys of metrics; df: corpus, coco or a file; tokenizer.",
            features=[
                datasets.Features({"predictions": caption, "references": datasets.Sequence(caption)}),
                datasets.Features({"predictions": caption, "references": caption}),
            ],
        )

    def _compute(
        self,
        predictions: Sequence[str],
        references: Sequence[Sequence[str] | str],
        metrics: str = "default",
        df: Any = "corpus",
        tokenizer: str = "ptb",
    ) -> dict[str, float]:
        run = measured(predictions, references, metrics, df=df, tokenizer=tokenizer)
        return {key: each.aggregate for key, each in run.items()}
