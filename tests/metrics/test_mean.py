"""Combinations: statistics side by side, so that whatever works for the parts works for their mean."""

from __future__ import annotations

import numpy as np
import pytest

from vericap import evaluate
from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.views import Views

CANDIDATES = ["a dog runs on grass", "two red cars", "a man with a hat", "the cat", "a dog runs on grass on grass"]
REFERENCES = [
    ["a brown dog runs on the grass", "the dog is running"],
    ["two cars in a street", "red cars"],
    ["a man wears a hat", "man in a hat", "someone"],
    ["a bird on a tree"],
    ["a dog runs", "a dog on grass"],
]


@pytest.fixture
def views() -> Views:
    return Views(Corpus.from_lists(CANDIDATES, REFERENCES), tokenizer="whitespace")


def both(views: Views, *keys: str) -> list[np.ndarray]:
    return [(metric := parse(key)).score(metric.statistics(views)) for key in keys]


def test_a_caption_scores_the_weighted_mean_of_its_scores(views):
    cider, rouge, plain, weighted = both(
        views, "cider-d", "rouge-l", "mean(cider-d,rouge-l)", "mean(cider-d,rouge-l,weights=.6:1.4)"
    )
    np.testing.assert_allclose(plain, (cider + rouge) / 2, rtol=1e-15)
    np.testing.assert_allclose(weighted, 0.3 * cider + 0.7 * rouge, rtol=1e-14)


def test_a_nested_mean_is_the_mean_of_means(views):
    a, b, c, nested = both(views, "bleu-1", "rouge-l", "cider-d", "mean(mean(bleu-1,rouge-l),cider-d)")
    np.testing.assert_allclose(nested, ((a + b) / 2 + c) / 2, rtol=1e-14)


def test_the_corpus_score_is_the_mean_of_the_corpus_scores_of_the_table():
    result = evaluate(CANDIDATES, REFERENCES, metrics="bleu-4,cider-d,mean(bleu-4,cider-d)")
    expected = (result["bleu-4"].score + result["cider-d"].score) / 2
    assert result["mean(bleu-4,cider-d)"].score == pytest.approx(expected, rel=1e-14)
    # BLEU's corpus score is no mean over captions, so neither is this one's.
    assert result["mean(bleu-4,cider-d)"].score != pytest.approx(result["mean(bleu-4,cider-d)"].captions.mean())


def test_shards_and_resamples_of_a_combination_are_those_of_its_parts(views):
    mean, bleu, cider = map(parse, ("mean(bleu-2,cider-d)", "bleu-2", "cider-d"))
    of_mean, of_bleu, of_cider = (metric.statistics(views) for metric in (mean, bleu, cider))
    shards = np.concatenate([of_mean[3:], of_mean[:3]])
    assert mean.aggregate(shards) == pytest.approx(mean.aggregate(of_mean), rel=1e-14)
    times = np.array([2.0, 0.0, 1.0, 1.0, 1.0])
    expected = (bleu.aggregate(of_bleu, times) + cider.aggregate(of_cider, times)) / 2
    assert mean.aggregate(of_mean, times) == pytest.approx(expected, rel=1e-14)
    drawn = [0, 0, 2, 3, 4]
    assert mean.aggregate(of_mean[drawn]) == pytest.approx(expected, rel=1e-14)


def test_range_maps_each_part_onto_0_to_1(views):
    cider, rouge, scaled = both(views, "cider-d", "rouge-l", "mean(cider-d,rouge-l,normalize=range)")
    np.testing.assert_allclose(scaled, (cider / 10 + rouge) / 2, rtol=1e-14)
    assert parse("mean(cider-d,rouge-l,normalize=range)").range == (0.0, 1.0)


def test_quantiles_are_shares_of_the_corpus_and_turn_error_rates_round(views):
    ter, turned = both(views, "ter", "mean(ter,normalize=quantiles)")
    n = len(ter)
    expected = [(np.sum(ter > t) + np.sum(ter >= t)) / 2 / n for t in ter]
    np.testing.assert_allclose(turned, expected, rtol=1e-14)
    assert parse("mean(ter,normalize=quantiles)").higher_is_better


def test_a_combination_of_error_rates_is_an_error_rate():
    assert not parse("mean(ter,ter)").higher_is_better


def test_facts_come_from_the_parts():
    spider = parse("spider")
    assert spider.range == (0.0, 5.5) and spider.needs == ("references",) and "SPIDEr" in spider.citation
    assert parse("mean(ter)").range == (0.0, None)
    assert "Papineni" in (cited := parse("mean(bleu-4,cider-d)").citation) and "Vedantam" in cited


def test_spider_is_the_mean_of_spice_and_cider_d(views):
    spice, cider, spider, spelled = both(views, "spice", "cider-d", "spider", "mean(spice,cider-d)")
    np.testing.assert_allclose(spider, (spice + cider) / 2, rtol=1e-15)
    np.testing.assert_array_equal(spider, spelled)


def test_needs_of_a_part_are_checked_before_work_starts():
    with pytest.raises(InputError, match="cider-d compares with reference captions"):
        evaluate(CANDIDATES, metrics="mean(cider-d,rouge-l)")


def test_a_part_is_put_into_the_language(views):
    assert parse("mean(meteor,rouge-l)").in_language("de").parts[0] == parse("meteor(language=de)")
    assert parse("spider").in_language("de") == parse("spider")


def test_the_signature_names_parts_weights_and_normalisation(views):
    signature = parse("mean(cider-d,rouge-l,weights=2:1,normalize=quantiles)").signature(views)
    for fact in ("weights:2:1", "normalize:quantiles", "captions:5", "1:cider-d", "1.sigma:6", "2:rouge-l"):
        assert f"|{fact}|" in f"{signature}|"


def test_an_undefined_part_leaves_its_caption_undefined_and_the_corpus_defined():
    for key in ("mean(spice.color,rouge-l)", "mean(spice.color,rouge-l,normalize=quantiles)"):
        result = evaluate(CANDIDATES, REFERENCES, metrics=key)[key]
        assert np.isnan(result.captions).any() and not np.isnan(result.captions).all()
        assert np.isfinite(result.score)


def test_details_give_the_parts_and_explain_shows_both(views):
    metric = parse("mean(rouge-l,cider-d,normalize=quantiles)")
    details = metric.details(metric.statistics(views))
    assert details["rouge-l"]["score"] == pytest.approx(both(views, "rouge-l")[0].mean())
    why = metric.explain(views, 0)
    assert why.values["weight of cider-d"] == 0.5 and why.values["rouge-l, by quantiles"] == pytest.approx(0.7)
    assert why.score == pytest.approx((0.7 + why.values["cider-d, by quantiles"]) / 2)
    assert any(name.startswith("cider-d: ") for name in why.sections)


def test_no_captions_no_score():
    metric = parse("mean(rouge-l,cider-d)")
    assert len(metric.score(np.zeros((0, 4)))) == 0 and np.isnan(metric.aggregate(np.zeros((0, 4))))
