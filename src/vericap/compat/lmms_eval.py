"""Functions for a caption task of lmms-eval: all our metrics from one run, with intervals.

lmms-eval's own caption tasks need nothing of this: `vericap.compat.pycocoevalcap.install()` makes them run as they are.
A task of one's own names these functions in its YAML (docs/harnesses.md has the whole file):

    process_results: !function utils.process_results
    metric_list:
      - metric: cider-d
        aggregation: !function utils.cider_d
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from vericap.errors import not_a_set
from vericap.results.scores import Result
from vericap.run.evaluate import evaluate

Aggregation = Callable[..., float]


def process_results(
    doc: Mapping[str, Any],
    results: Sequence[str],
    *,
    metrics: Sequence[str] = ("cider-d",),
    image_id: str = "question_id",
    answer: str = "answer",
) -> dict[str, dict[str, Any]]:
    """Return what each metric's aggregation gets of one document: image id, caption and references.

    >>> process_results({"question_id": "7.jpg", "answer": ["a dog"]}, ["one dog"])
    {'cider-d': {'image_id': '7.jpg', 'caption': 'one dog', 'references': ['a dog']}}
    """
    row = {
        "image_id": doc[image_id],
        "caption": results[0] if len(not_a_set(results, "results")) else "",
        "references": list(doc[answer]),
    }
    return dict.fromkeys(not_a_set(metrics, "metrics"), row)


def evaluated(rows: Sequence[Mapping[str, Any]], metrics: str, **options: Any) -> Result:
    """Return the result of the rows that `process_results` made; options as in `vericap.evaluate`, such as
    bootstrap=1000."""
    captions = [{"image_id": row["image_id"], "caption": row["caption"]} for row in rows]
    references = {row["image_id"]: row["references"] for row in rows}
    return evaluate(captions, references, metrics=metrics, **options)


def aggregation(metric: str, **options: Any) -> Aggregation:
    """Return the function that lmms-eval calls with the rows of all documents, and with its arguments if it wants to.

    >>> rows = [{"image_id": 1, "caption": "a dog", "references": ["a dog"]}]
    >>> aggregation("bleu-1")(rows)
    0.999999...
    """

    def aggregate(results: Sequence[Mapping[str, Any]], args: Any = None) -> float:
        return float(evaluated(results, metric, **options)[metric].score)

    aggregate.__name__ = metric.replace("-", "_")
    return aggregate
