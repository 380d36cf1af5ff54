"""TER and smoothed BLEU are sacreBLEU's numbers, per caption; TER for the corpus too."""

from __future__ import annotations

import json

import numpy as np
import pytest

from vericap.metrics import parse
from vericap.views import Views


@pytest.mark.parametrize("name", ["fakecap1000", "k5k_nn"])
def test_ter_equals_sacrebleu(name, tokenized, data):
    metric = parse("ter")
    statistics = metric.statistics(Views(tokenized(name), tokenizer="none", workers=2))
    original = data / "oracle" / "coco" / "others" / f"{name}.sb_ter"
    scores = np.load(original.with_suffix(".sb_ter.npz"))["ter"]
    np.testing.assert_allclose(metric.score(statistics), scores / 100, rtol=0, atol=1e-9)
    corpus = json.loads(original.with_suffix(".sb_ter.json").read_text())["corpus"]
    assert metric.aggregate(statistics) == pytest.approx(corpus / 100, abs=1e-9)


@pytest.mark.parametrize("smoothing, column", [("add-one", "addk_eff0"), ("halving", "exp_eff0")])
@pytest.mark.parametrize("name", ["fakecap1000", "k5k_nn"])
def test_smoothed_bleu_equals_sacrebleu(name, smoothing, column, tokenized, data):
    metric = parse(f"bleu-smoothed(smoothing={smoothing})")
    scores = np.load(data / "oracle" / "coco" / "others" / f"{name}.sb_variants.npz")[column]
    got = metric.score(metric.statistics(Views(tokenized(name), tokenizer="none")))
    np.testing.assert_allclose(got, scores / 100, rtol=0, atol=1e-9)
