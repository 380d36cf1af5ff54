"""Which metric agrees better with people: differences, p-values and superscripts."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from tests.judging import benchmark_folders as folders
from vericap.errors import InputError
from vericap.judging import judge
from vericap.judging.contrasts import contrasts, with_beaten
from vericap.judging.protocols import AgreementTests
from vericap.results.verdict import MetricRow
from vericap.stats.resampling import Estimate


def test_better_rows_name_the_rows_they_beat(tmp_path):
    path = tmp_path / "mine.json"
    random = np.random.default_rng(0)
    human = random.normal(size=300)
    rows = [{"image_id": k, "caption": "a", "references": ["b"], "score": rating} for k, rating in enumerate(human)]
    path.write_text(json.dumps(rows))
    (tmp_path / "s.json").write_text(
        json.dumps(
            [{"id": k, "good": h + 0.1 * random.normal(), "noise": random.normal()} for k, h in enumerate(human)]
        )
    )
    verdict = judge("ratings", path, metrics="bleu-1", scores=[tmp_path / "s.json"], bootstrap=300)
    names = [row.metric for row in verdict.rows]
    good = verdict["good"]
    assert "noise" in [names[k] for k in good.beats]
    assert list(verdict["noise"].beats) == [] or "good" not in [names[k] for k in verdict["noise"].beats]


@pytest.fixture
def rated(tmp_path):
    """Ratings of 200 captions, and scores of nine metrics: one close to people, one turned round, seven noise."""
    random = np.random.default_rng(0)
    human = random.normal(size=200)
    rows = [{"image_id": k, "caption": "a", "references": ["b"], "score": rating} for k, rating in enumerate(human)]
    (tmp_path / "mine.json").write_text(json.dumps(rows))
    columns = {"good": human + 0.2 * random.normal(size=200)}
    columns |= {f"noise {k}": random.normal(size=200) for k in range(7)}
    table = [{"id": k, **{name: column[k] for name, column in columns.items()}} for k in range(200)]
    (tmp_path / "s.json").write_text(json.dumps(table))
    return {"name": "ratings", "data": tmp_path / "mine.json", "scores": [tmp_path / "s.json"], "metrics": "bleu-1"}


def test_with_nine_metrics_a_real_difference_is_significant(rated):
    verdict = judge(**rated, bootstrap=200)
    assert len(verdict.contrasts) == 8 * 7 / 2  # bleu-1 gives every caption 0, and has no correlation
    names = [row.metric for row in verdict.rows]
    assert {names[k] for k in verdict["good"].beats} == {f"noise {k}" for k in range(7)}
    assert all(not row.beats for row in verdict.rows if row.metric != "good")


def test_shares_of_resamples_cannot_show_it_and_a_note_says_so(rated):
    verdict = judge(**rated, bootstrap=200, test="bootstrap")
    assert all(not row.beats for row in verdict.rows)
    [note] = [note for note in verdict.notes if "cannot show a difference" in note]
    assert "200 resamples" in note and "28 pairs" in note and "--bootstrap 1120" in note
    assert all(each.bound for each in verdict.contrasts if "good" in (each.metric, each.against))
    assert "≤ 0.279" in verdict.contrast_table()  # 28 pairs × 2 / 201


def test_against_a_baseline_each_other_metric_is_tested_once(rated):
    verdict = judge(**rated, bootstrap=200, against="good")
    assert [(each.metric, each.against) for each in verdict.contrasts] == [(f"noise {k}", "good") for k in range(7)]
    assert all(each.difference < 0 and each.corrected < 0.05 for each in verdict.contrasts)
    difference = verdict["noise 3"].value("kendall_c") - verdict["good"].value("kendall_c")
    assert verdict.contrasts[3].difference == pytest.approx(difference)
    low, high = verdict.contrasts[3].interval
    assert low < difference < high < 0
    with pytest.raises(InputError, match="'spice' is not among the metrics judged; use one of bleu-1, good, noise 0"):
        judge(**rated, bootstrap=200, against="spice")


def test_a_baseline_is_found_by_any_spelling_of_its_key(tmp_path):
    folder = folders.nebula(tmp_path / "f")
    verdict = judge("nebula", folder, metrics="bleu-1,ROUGE_L", bootstrap=20, against="Rouge-L")
    assert [(each.metric, each.against) for each in verdict.contrasts] == [("bleu-1", "rouge-l")]


def test_lower_scores_that_are_better_agree_by_a_negative_correlation():
    values = {"error": (-0.6, False), "good": (0.4, True)}
    rows = [
        MetricRow(
            name,
            {"kendall_b": Estimate(value, None, value + np.random.default_rng(1).normal(0, 0.01, 50))},
            higher_is_better=upwards,
        )
        for name, (value, upwards) in values.items()
    ]
    [found] = contrasts(rows, "kendall_b", AgreementTests(), 50)
    assert (found.metric, found.against) == ("good", "error")
    assert found.difference == pytest.approx(0.4 - 0.6)
    assert [list(row.beats) for row in with_beaten(rows, [found])] == [[1], []]
    [found] = contrasts([replace(rows[0], higher_is_better=True), rows[1]], "kendall_b", AgreementTests(), 50)
    assert found.difference == pytest.approx(1.0)


def test_without_resamples_nothing_is_tested(rated):
    assert judge(**rated, bootstrap=0).contrasts == []
