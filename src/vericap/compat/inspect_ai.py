"""A scorer of inspect_ai: the caption's score by a metric, with the explanation of the score and its parts."""

from __future__ import annotations

from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from vericap.compat.aligned import frequencies
from vericap.corpus import Corpus
from vericap.metrics import parse
from vericap.metrics.base import Metric
from vericap.show.explanation import explanation_text
from vericap.views import Views


@scorer(metrics=[mean(), stderr()], name="caption_score")  # type: ignore[untyped-decorator,unused-ignore]
def caption_score(metric: str | Metric = "cider-d", df: Any = "coco", tokenizer: str = "ptb") -> Scorer:
    """Score the completion against the target's references; undefined scores are NaN."""
    chosen = parse(metric) if isinstance(metric, str) else metric

    async def score(state: TaskState, target: Target) -> Score:
        caption = state.output.completion
        views = Views(
            Corpus.from_lists([caption], [list(target)]),
            tokenizer=tokenizer,
            frequencies=frequencies(df, tokenizer),
        )
        chosen.check(views)
        explanation = chosen.explain(views, 0)
        return Score(
            value=float(explanation.score),
            answer=caption,
            explanation=explanation_text(explanation),
            metadata={"metric": chosen.key, "signature": chosen.signature(views), **explanation.values},
        )

    return score
