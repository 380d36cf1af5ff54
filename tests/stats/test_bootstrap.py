"""`--bootstrap`: intervals of corpus scores, for metrics that average captions and for those that sum them first."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from vericap import evaluate
from vericap.arrays import Floats
from vericap.metrics import parse_list
from vericap.metrics.base import Metric
from vericap.results.explanation import Explanation
from vericap.stats.bootstrap import interval, replicates
from vericap.stats.resampling import draw
from vericap.views import Views

WORDS = "a dog cat man woman runs sits on the grass street red big near two holding ball".split()
SUMMED = "bleu-1,bleu-4,bleu-smoothed,bleu-unigram,meteor,ter"
AVERAGED = "rouge-l,rouge-su4,cider,cider-d,cider-r,mean(bleu-1,rouge-l)"


def captions(seed: int, images: int, each: int = 1) -> tuple[list[dict[str, object]], dict[int, list[str]]]:
    random = np.random.default_rng(seed)

    def caption() -> str:
        return " ".join(random.choice(WORDS, random.integers(3, 9)))

    candidates: list[dict[str, object]] = [
        {"image_id": image, "caption": caption()} for image in range(images) for _ in range(each)
    ]
    return candidates, {image: [caption(), caption()] for image in range(images)}


@pytest.mark.parametrize("metric", parse_list(f"{SUMMED},{AVERAGED}"), ids=str)
def test_weights_give_the_corpus_score_of_the_resample_itself(metric: Metric) -> None:
    """Each resample written down, caption by caption, and aggregated anew: BLEU's sums and CIDEr's means alike."""
    candidates, references = captions(1, 20, each=2)
    result = evaluate(candidates, references, metrics=[metric], repeated="keep")
    statistics, image = result[metric.key].statistics, result.corpus.image
    counts = draw(20, 15, 3)
    found = replicates(metric, statistics, image, counts)
    expected = [metric.aggregate(statistics[np.repeat(np.arange(40), row[image])]) for row in counts]
    assert found == pytest.approx(expected, abs=1e-12)


def test_captions_of_one_image_are_drawn_together() -> None:
    """Ten copies of each caption hold no more than one of each: the interval stays as wide."""
    candidates, references = captions(2, 60)
    once = evaluate(candidates, references, metrics="rouge-l", bootstrap=400)
    tenfold = [row for row in candidates for _ in range(10)]
    copies = evaluate(tenfold, references, metrics="rouge-l", repeated="keep", bootstrap=400)
    assert copies["rouge-l"].interval == pytest.approx(once["rouge-l"].interval)


def test_the_same_seed_gives_the_same_interval() -> None:
    candidates, references = captions(3, 30)
    first, again, other = (
        evaluate(candidates, references, metrics="bleu-4", bootstrap=100, seed=seed)["bleu-4"].interval
        for seed in (1, 1, 2)
    )
    assert first == again != other


def test_four_times_the_images_halve_the_interval() -> None:
    widths = []
    for images in (200, 800):
        low, high = evaluate(*captions(4, images), metrics="bleu-2", bootstrap=600)["bleu-2"].interval or (0, 0)
        widths.append(high - low)
    assert widths[0] / widths[1] == pytest.approx(2, rel=0.2)


def test_the_interval_of_a_mean_is_that_of_the_central_limit() -> None:
    result = evaluate(*captions(5, 500), metrics="rouge-l", bootstrap=2000)["rouge-l"]
    error = 1.96 * result.captions.std() / np.sqrt(500)
    assert result.interval == pytest.approx((result.score - error, result.score + error), abs=0.15 * error)


@dataclass(frozen=True)
class Sometimes(Metric):
    """Undefined for every other caption."""

    name: ClassVar[str] = "sometimes"
    question: ClassVar = "adequacy"
    citation: ClassVar[str] = ""

    def statistics(self, views: Views) -> Floats:
        values = np.arange(len(views.corpus), dtype=float)
        return np.where(values % 2 == 0, values, np.nan)[:, None]

    def score(self, statistics: Floats) -> Floats:
        return statistics[:, 0]

    def explain(self, views: Views, i: int) -> Explanation:
        raise NotImplementedError


def test_captions_without_a_score_are_left_out_of_mean_and_interval() -> None:
    metric = Sometimes()
    statistics = np.array([[1.0], [np.nan], [3.0], [np.nan]])
    assert metric.aggregate(statistics) == 2
    low, high = interval(metric, statistics, resamples=200, seed=0) or (0, 0)
    assert 1 <= low < high <= 3
    assert interval(metric, np.array([[np.nan]]), resamples=20, seed=0) is None


def test_an_interval_stands_beside_every_number() -> None:
    candidates, references = captions(6, 12)
    for row in candidates:
        row["source"] = "first" if int(str(row["image_id"])) % 2 else "second"
    result = evaluate(candidates, references, metrics="bleu-1,ter", bootstrap=50, group_by="source")
    for format, sign in {"plain": "±", "markdown": "±", "rich": "±", "latex": r"$\pm$"}.items():
        assert len(re.findall(re.escape(sign) + r"\s*0\.\d", result.table(format))) == 6, format
    rows = list(csv.DictReader(io.StringIO(result.table("csv"))))
    for row in rows:
        assert float(row["ter low"]) <= float(row["ter"]) <= float(row["ter high"])
    data = result.to_dict()
    low, high = data["metrics"]["bleu-1"]["interval"]
    assert low <= data["metrics"]["bleu-1"]["score"] <= high
    assert all(len(group["intervals"]["ter"]) == 2 for group in data["groups"].values())
