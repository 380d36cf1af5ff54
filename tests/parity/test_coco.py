"""BLEU, ROUGE-L and CIDEr-D are pycocoevalcap's numbers, per caption and for the corpus; CIDEr is the
number of the self-critical training code bases."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.metrics import parse
from vericap.views import Views

SETS = ("fakecap1000", "k5k_nn", "pascal1000")
ORIGINAL = {
    "bleu-1": "bleu1",
    "bleu-2": "bleu2",
    "bleu-3": "bleu3",
    "bleu-4": "bleu4",
    "rouge-l": "rouge",
    "cider-d": "cider",
}


@pytest.fixture(scope="module", params=SETS)
def named_views(request, tokenized):
    return request.param, Views(tokenized(request.param), tokenizer="none", workers=2)


@pytest.mark.parametrize("key", ORIGINAL)
def test_scores_equal_pycocoevalcap(named_views, key, data, oracle):
    name, views = named_views
    metric = parse(key)
    statistics = metric.statistics(views)
    original = np.load(data / "oracle" / "coco" / f"{name}.npz")[ORIGINAL[key]]
    np.testing.assert_allclose(metric.score(statistics), original, rtol=0, atol=1e-9)
    assert metric.aggregate(statistics) == pytest.approx(oracle(f"{name}.corpus")[ORIGINAL[key]], abs=1e-9)


@pytest.mark.parametrize("key, file", [("cider", "luo_cider"), ("cider-d", "luo_ciderd")])
def test_ciders_equal_the_training_code_bases(named_views, key, file, data):
    name, views = named_views
    path = data / "oracle" / "coco" / "others" / f"{name}.{file}.npz"
    if not path.exists():
        pytest.skip(f"the oracle has no {path.name}")
    (column,) = np.load(path).values()
    metric = parse(key)
    np.testing.assert_allclose(metric.score(metric.statistics(views)), column, rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", SETS)
def test_raw_text_gives_the_same_corpus_scores(name, oracle):
    """The whole way, tokenizer included, from the text people wrote."""
    from vericap import evaluate

    given = oracle(f"{name}.input")
    result = evaluate(
        dict(zip(given["ids"], given["cands"], strict=True)),
        dict(zip(given["ids"], given["refs"], strict=True)),
        metrics=list(ORIGINAL),
    )
    for key, original in ORIGINAL.items():
        assert result[key].score == pytest.approx(oracle(f"{name}.corpus")[original], abs=1e-9)
