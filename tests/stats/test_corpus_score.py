"""What resampling asks of a metric: every metric there is keeps it, and so may any object with the same three names."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.arrays import Floats
from vericap.corpus import Corpus
from vericap.metrics import parse_list
from vericap.metrics.base import Metric
from vericap.stats.bootstrap import interval
from vericap.views import Views

TEXT = parse_list("bleu-1,bleu-4,bleu-smoothed,bleu-unigram,meteor,rouge-l,rouge-su4,ter,cider,cider-d,cider-r,wmd")


@pytest.mark.parametrize("metric", TEXT, ids=str)
def test_a_weight_counts_a_caption_that_often(metric: Metric) -> None:
    captions = ["a dog runs on grass", "a cat sits", "two birds fly over a lake", "a man rides a horse"]
    references = [["a dog is running"], ["the cat sits down"], ["birds above the water"], ["a horse with a rider"]]
    statistics = metric.statistics(Views(Corpus.from_lists(captions, references), tokenizer="whitespace"))
    weights = np.array([[1.0, 1, 1, 1], [2, 0, 1, 1], [0, 0, 0, 3]])
    written = [statistics[np.repeat(np.arange(4), row.astype(int))] for row in weights]
    expected = [metric.aggregate(each) for each in written]
    assert metric.aggregates(statistics, weights) == pytest.approx(expected, abs=1e-12)
    assert [metric.aggregate(statistics, row) for row in weights] == pytest.approx(expected, abs=1e-12)


class Accuracy:
    """Right captions over all: no metric of Vericap's, and resampled all the same."""

    higher_is_better = True

    def aggregate(self, statistics: Floats, weights: Floats | None = None) -> float:
        return float(
            self.aggregates(statistics, np.ones((1, len(statistics))) if weights is None else weights[None])[0]
        )

    def aggregates(self, statistics: Floats, weights: Floats) -> Floats:
        return np.asarray(weights @ statistics[:, 0] / weights.sum(axis=1))


def test_anything_with_a_corpus_score_has_an_interval() -> None:
    right = (np.arange(400) % 4 > 0).astype(float)[:, None]
    low, high = interval(Accuracy(), right, resamples=500, seed=0) or (0, 0)
    error = 1.96 * np.sqrt(0.75 * 0.25 / 400)
    assert (low, high) == pytest.approx((0.75 - error, 0.75 + error), abs=0.01)
