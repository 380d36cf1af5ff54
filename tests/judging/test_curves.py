"""Curves of agreement: at each point what judging gives there."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from tests.judging import benchmark_folders as folders
from vericap.judging import judge
from vericap.judging.curves import over_lengths, over_references
from vericap.show.curve import curve_grid, sentences


def test_a_curve_at_a_point_is_the_judgement_there(tmp_path):
    folder = folders.pascal(tmp_path / "f")
    curve = over_references("pascal-50s", folder, "meteor,rouge-l", points=[1, 3, 5], draws=4)
    for k, n in enumerate([1, 3, 5]):
        verdict = judge("pascal-50s", folder, metrics="meteor,rouge-l", references_used=n, draws=4, bootstrap=0)
        for key in ("meteor", "rouge-l"):
            assert curve.values[key][k] == pytest.approx(verdict[key].value("accuracy.all"))
    assert curve.table("csv").splitlines()[0].startswith("references,meteor,rouge-l,meteor spread")


def test_a_figure_that_does_not_exist_is_a_dash_and_the_reason_stands_below(tmp_path):
    table = tmp_path / "mine.json"
    rows = [
        {"image_id": k, "caption": "dog" if k < 10 else f"{'dog' if k % 2 else 'cat'} cow ox", "references": ["dog"]}
        for k in range(20)
    ]
    table.write_text(json.dumps([{**row, "score": k % 4} for k, row in enumerate(rows)]))
    curve = over_lengths("ratings", table, "bleu-1", bins=2, bootstrap=0)
    short, long = curve_grid(curve).rows
    assert short == ["1", "–"] and float(long[1]) > 0
    assert sentences(curve)[1].endswith("the same or missing: bleu-1 at 1 words")
    assert len(sentences(replace(curve, values={"bleu-1": np.ones(2)}))) == 1
    beside = replace(curve, published={"bleu-1": np.array([0.5, np.nan])})
    assert curve_grid(beside).rows[1][2] == "–" and "none was published" in sentences(beside)[2]


def test_lengths_are_cut_into_groups_of_captions(tmp_path):
    table = tmp_path / "mine.json"
    rows = [
        {"image_id": k, "caption": " ".join(["dog"] * (1 + k % 4)), "references": ["dog dog"], "score": k % 5}
        for k in range(40)
    ]
    table.write_text(json.dumps(rows))
    curve = over_lengths("ratings", table, "bleu-1", bins=2, bootstrap=20)
    assert sum(curve.counts) == 40
    assert list(curve.points) == sorted(curve.points)


def test_a_page_has_curves_over_lengths_and_over_the_references_that_there_are(tmp_path):
    folder = folders.pascal(tmp_path / "f")
    verdict = judge("pascal-50s", folder, metrics="rouge-l", bootstrap=0, curves=True)
    lengths, references = verdict.curves
    assert lengths.across == "words" and references.across == "references"
    alone = over_references("pascal-50s", folder, "rouge-l", points=list(references.points))
    assert references.values["rouge-l"].tolist() == alone.values["rouge-l"].tolist()
    assert judge("pascal-50s", folder, metrics="rouge-l", bootstrap=0).curves == ()
