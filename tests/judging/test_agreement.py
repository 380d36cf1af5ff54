"""What judging computes from scores and judgements: SciPy's coefficients, the credit of ties, means of systems."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr, spearmanr

from tests.judging import benchmark_folders as folders
from tests.judging.fixed_scores import Fixed
from vericap.judging import judge, load
from vericap.judging.agreement import image_taus
from vericap.stats.forced_choice import wilson


@pytest.fixture
def pairs(tmp_path):
    rows = [
        {"image_id": k // 2, "a": "a dog", "b": "a cat", "references": ["dogs"], "preferred": said, "group": group}
        for k, (said, group) in enumerate([("a", "x"), ("b", "x"), ("a", "y"), ("tie", "y")])
    ]
    path = tmp_path / "pairs.json"
    path.write_text(json.dumps(rows))
    return path


def test_each_judge_is_a_row_or_their_mean_is(tmp_path):
    folder = folders.flickr8k(tmp_path / "f")
    scores = (0.1, 0.5, 0.2, 0.9, 0.3, 0.4)
    apart = judge("flickr8k-expert", folder, metrics=[Fixed(scores)], bootstrap=0)
    averaged = judge("flickr8k-expert", folder, metrics=[Fixed(scores)], protocol="judges-averaged", bootstrap=0)
    assert (apart.n, averaged.n) == (18, 6)
    human = load("flickr8k-expert", folder)[0].human.copy()
    human[0] = [4, 3, 1]
    column = np.repeat(scores, 3)
    assert apart["fixed(numbers=0.1:0.5:0.2:0.9:0.3:0.4)"].value("kendall_b") == pytest.approx(
        kendalltau(column, load("flickr8k-expert", folder)[0].human.ravel()).statistic, abs=1e-12, nan_ok=True
    )


def test_correlations_are_scipys(tmp_path):
    table = tmp_path / "mine.csv"
    random = np.random.default_rng(3)
    human, scores = random.integers(1, 6, 40), random.normal(size=40).round(1)
    with table.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["image_id", "caption", "references", "score"])
        writer.writerows([k // 4, "a dog", "dogs", rating] for k, rating in enumerate(human))
    row = judge("ratings", table, metrics=[Fixed(tuple(scores.tolist()))], bootstrap=200).rows[0]
    for name, wanted in {
        "kendall_b": kendalltau(scores, human).statistic,
        "kendall_c": kendalltau(scores, human, variant="c").statistic,
        "spearman": spearmanr(scores, human).statistic,
        "pearson": pearsonr(scores, human).statistic,
    }.items():
        assert row.value(name) == pytest.approx(wanted, abs=1e-12)
        low, high = row.estimates[name].interval
        assert low < row.value(name) < high
    alone = judge("ratings", table, metrics=[Fixed(tuple(scores.tolist()))], correlation="image", bootstrap=0).rows[0]
    images = [kendalltau(scores[k : k + 4], human[k : k + 4]).statistic for k in range(0, 40, 4)]
    assert alone.value("kendall_b") == pytest.approx(np.nanmean(images), abs=1e-12)
    taus = image_taus(scores, human.astype(float), np.arange(40) // 4)
    np.testing.assert_allclose(taus, images, atol=1e-12)


@pytest.mark.parametrize("ties, wanted", [("half", (0.5 + 1 + 0) / 3), ("lose", 1 / 3), ("win", 2 / 3)])
def test_what_equal_scores_earn(ties, wanted, pairs):
    scores = (0.5, 0.5, 0.1, 0.9, 0.2, 0.3, 1.0, 0.0)  # equal, right, wrong, divided people
    verdict = judge("pairs", pairs, metrics=[Fixed(scores)], ties=ties, bootstrap=0)
    row = verdict.rows[0]
    assert verdict.n == 3
    assert row.value("accuracy.all") == pytest.approx(wanted)
    assert row.value("accuracy.y") == 0
    assert row.ties == 0.25
    assert "1 of 4 pairs left out: people were divided" in verdict.notes
    assert row.wilson["accuracy.y"] == wilson(0, 1)  # the pair that divided people is no trial


def test_ties_by_a_coin_follow_the_seed(tmp_path):
    path = tmp_path / "pairs.json"
    rows = [{"a": "a dog", "b": "a cat", "references": ["dogs"], "preferred": "a"} for _ in range(200)]
    path.write_text(json.dumps(rows))
    found = [
        judge("pairs", path, metrics=[Fixed((0.0,) * 400)], ties="random", seed=seed, bootstrap=0)
        .rows[0]
        .value("accuracy.all")
        for seed in (1, 1, 2)
    ]
    assert found[0] == found[1] != found[2]
    assert 0.35 < found[0] < 0.65


def test_lower_is_better_turns_the_choice_and_not_the_correlation(pairs, tmp_path):
    same = judge("pairs", pairs, metrics="ter,bleu-1", bootstrap=0)
    assert not same["ter"].higher_is_better
    rated = judge("flickr8k-expert", folders.flickr8k(tmp_path / "f"), metrics="ter", protocol="own-kept", bootstrap=20)
    assert rated["ter"].value("spearman") < 0


def test_systems_means_and_questions(tmp_path):
    verdict = judge("coco-2015", folders.coco_2015(tmp_path / "f"), bootstrap=0)
    assert verdict["spice"].value("M3.pearson") == pytest.approx(1)
    assert verdict["meteor"].value("pearson") == pytest.approx(-1)
    by_system = judge(
        "thumb",
        folders.thumb(tmp_path / "t"),
        metrics=[Fixed((1.0, 0.5, 1.0, 0.0))],
        protocol="system-level",
        bootstrap=0,
    )
    assert (by_system.n, by_system.rows[0].value("kendall_b")) == (2, 1.0)
