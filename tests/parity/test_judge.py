"""Agreement with people as the originals and the papers have it, from the raw judgements."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from vericap.judging import judge
from vericap.judging.curves import over_references
from vericap.results.curve import Curve
from vericap.results.verdict import Verdict

pytestmark = pytest.mark.slow_when_pure
NGRAMS = "bleu-1,bleu-4,rouge-l,cider-d"


@pytest.fixture(scope="module")
def verdict(data: Path) -> Callable[..., Verdict]:
    known: dict[str, Verdict] = {}

    def run(name: str, metrics: str, protocol: str | None = None, scores: Path | None = None, **choices) -> Verdict:
        key = f"{name} {protocol} {metrics} {scores} {choices}"
        if key not in known:
            given = [scores] if scores else []
            known[key] = judge(
                name, data, metrics=metrics, protocol=protocol, scores=given, bootstrap=0, workers=2, **choices
            )
        return known[key]

    return run


# What the original programs give on these judgements, × 100.
EXPERT = {"bleu-1": 32.32, "bleu-4": 30.78, "rouge-l": 32.31, "meteor": 41.82, "cider-d": 43.89}
CROWD = {"bleu-1": 18.19, "bleu-4": 17.03, "rouge-l": 19.95, "cider-d": 24.49}
COMPOSITE = {
    "human-removed": {"bleu-1": 31.32, "bleu-4": 30.57, "rouge-l": 32.45, "cider-d": 37.69},
    "own-removed": {"bleu-1": 29.4, "bleu-4": 29.3, "rouge-l": 31.8, "cider-d": 39.1},
    "own-kept": {"bleu-1": 48.7, "bleu-4": 49.5, "rouge-l": 49.0, "cider-d": 51.9},
}


@pytest.mark.parametrize("metric, wanted", EXPERT.items())
def test_flickr8k_expert_is_the_originals(metric, wanted, verdict):
    found = verdict("flickr8k-expert", f"{NGRAMS},meteor,spice")
    assert found.n == 16_992
    assert 100 * found[metric].value("kendall_c") == pytest.approx(wanted, abs=0.05)


def test_spice_on_flickr8k_expert_is_near_the_original(verdict):
    row = verdict("flickr8k-expert", f"{NGRAMS},meteor,spice")["spice"]
    assert 100 * row.value("kendall_c") == pytest.approx(44.89, abs=0.7)
    assert 100 * row.value("kendall_b") == pytest.approx(51.66, abs=0.7)


@pytest.mark.parametrize("metric, wanted", CROWD.items())
def test_flickr8k_cf_is_the_originals(metric, wanted, verdict):
    found = verdict("flickr8k-cf", NGRAMS)
    assert found.n == 47_830
    assert 100 * found[metric].value("kendall_b") == pytest.approx(wanted, abs=0.05)


def test_flickr8k_cf_with_an_equal_text_removed(verdict):
    found = verdict("flickr8k-cf", NGRAMS, "own-removed")
    for metric, wanted in {"bleu-1": 18.76, "bleu-4": 17.29, "rouge-l": 20.42, "cider-d": 25.46}.items():
        assert 100 * found[metric].value("kendall_b") == pytest.approx(wanted, abs=0.05)


@pytest.mark.parametrize("protocol, metric", [(p, m) for p, values in COMPOSITE.items() for m in values])
def test_composite_under_its_three_protocols(protocol, metric, verdict):
    found = verdict("composite", f"{NGRAMS},meteor,spice" if protocol == "human-removed" else NGRAMS, protocol)
    assert found.n == 11_985
    assert 100 * found[metric].value("kendall_c") == pytest.approx(COMPOSITE[protocol][metric], abs=0.1)


def test_meteor_and_spice_on_composite(verdict):
    found = verdict("composite", f"{NGRAMS},meteor,spice", "human-removed")
    assert 100 * found["meteor"].value("kendall_c") == pytest.approx(38.9, abs=0.3)
    assert 100 * found["spice"].value("kendall_c") == pytest.approx(40.35, abs=1.0)
    assert 100 * found["spice"].value("kendall_b") == pytest.approx(38.76, abs=1.0)


# CLIPScore's Table 4: HC, HI, HM, MM.
PASCAL = {
    "meteor": (63.8, 97.7, 93.7, 65.4),
    "cider-d": (65.1, 98.1, 90.5, 64.8),
    "spice": (63.6, 96.3, 86.7, 68.3),
}


@pytest.mark.parametrize("metric", PASCAL)
def test_pascal_50s_with_five_references(metric, verdict):
    # Two draws of SPICE, whose references take the longest to parse: they differ by half a point.
    row = (
        verdict("pascal-50s", "spice", draws=2)[metric]
        if metric == "spice"
        else verdict("pascal-50s", "meteor,cider-d")[metric]
    )
    for group, wanted in zip(("HC", "HI", "HM", "MM"), PASCAL[metric], strict=True):
        assert 100 * row.value(f"accuracy.{group}") == pytest.approx(wanted, abs=3 if group == "MM" else 1.5), group


def test_elliott_and_kellers_table(verdict):
    metrics = "bleu-smoothed,rouge-su4,ter,meteor(text=given)"
    found = verdict("elliott-keller", metrics)
    assert found.n == 17_466
    assert {each.metric for each in found.published} == set(metrics.split(","))
    for each in found.published:
        assert each.difference == pytest.approx(0, abs=0.02), each.metric


def test_spices_table_1_to_the_printed_digit(verdict):
    found = verdict("coco-2015", "spice")
    assert len(found.published) == 40
    for each in found.published:
        if each.measure.endswith("pearson"):
            assert round(each.ours, 2) == each.published, each
        else:  # they correlated more digits than their figures show
            assert each.difference == pytest.approx(0, abs=0.006), each


def test_people_among_themselves_as_published(verdict):
    found = verdict("flickr8k-expert", f"{NGRAMS},meteor,spice")
    assert found.ceiling["pairs.kendall_b"] == pytest.approx(0.73, abs=0.01)


def original_spice(path: Path, kept: list[int] | None, target: Path) -> Path:
    """The original's scores in the form of `--scores`."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        scores = [json.loads(line)["all"][3] for line in file]
    if kept is not None:
        scores = [scores[k] for k in kept]
    target.write_text("id,score\n" + "".join(f"{k},{score}\n" for k, score in enumerate(scores)))
    return target


def test_the_originals_spice_as_scores_from_elsewhere(data, verdict, tmp_path):
    rows = (data / "flickr8k" / "ExpertAnnotations.txt").read_text().splitlines()
    others = [k for k, row in enumerate(rows) if row.split("\t")[0] != row.split("\t")[1].partition("#")[0]]
    spice = data / "oracle" / "spice"
    expert = original_spice(spice / "flickr8k_expert.jsonl.xz", others, tmp_path / "original.csv")
    row = verdict("flickr8k-expert", "bleu-1", scores=expert)["original"]
    assert [round(100 * row.value(name), 2) for name in ("kendall_c", "kendall_b")] == [44.89, 51.73]  # 44.9, 51.7
    composite = original_spice(spice / "composite_c0.jsonl.xz", None, tmp_path / "original2.csv")
    row = verdict("composite", "bleu-1", scores=composite)["original2"]
    assert 100 * row.value("kendall_c") == pytest.approx(40.35, abs=0.01)
    assert 100 * row.value("kendall_b") == pytest.approx(38.76, abs=0.1)


CURVES = "bleu-4,meteor,rouge-l,cider-d,cider-r"


@pytest.fixture(scope="module")
def abstract(data: Path) -> Curve:
    points = range(1, 49)
    return over_references(
        "abstract-50s", data, CURVES, points=points, protocol="cider-r", draws=1, published=data / "ciderr", workers=2
    )


@pytest.mark.parametrize("metric", CURVES.split(","))
def test_abstract_50s_with_all_references_is_the_authors_to_the_last_digit(metric, abstract):
    assert abstract.counts[-1] == 390  # distinct votes, pairs with as many votes for either left out
    assert abstract.values[metric][-1] == pytest.approx(abstract.published[metric][-1], abs=1e-12)


def test_abstract_50s_follows_the_authors_curve(abstract):
    """Theirs is one draw without a seed: its deviation is .024 with one reference and falls to 0 with 48."""
    points = np.asarray(abstract.points, float)
    deviation = 0.024 * np.sqrt(np.maximum(1 - points / 48, 0)) + 0.004
    for metric, column in abstract.values.items():
        away = np.abs(column - abstract.published[metric]) / deviation
        assert away.max() < 4 and np.mean(away < 2) > 0.7, metric


@pytest.mark.xfail(strict=True, reason="the authors' points below 40 references are one unseeded draw, .02 wide")
def test_abstract_50s_is_within_15_thousandths_at_every_point(abstract):
    for metric, column in abstract.values.items():
        np.testing.assert_allclose(column, abstract.published[metric], atol=0.015, err_msg=metric)


@pytest.mark.parametrize("group", ["all", "MM"])
def test_pascal_50s_with_forty_references_and_more_is_within_15_thousandths_of_the_authors(group, data):
    curve = over_references(
        "pascal-50s",
        data,
        "bleu-4,rouge-l,cider-d,cider-r",
        points=[40, 48],
        protocol="cider-r",
        group=group,
        draws=1,
        published=data / "ciderr",
        workers=2,
    )
    for metric, column in curve.values.items():
        np.testing.assert_allclose(column, curve.published[metric], atol=0.015, err_msg=metric)


def test_more_references_agree_better(abstract):
    """CIDEr-R's figure: every metric gains from one reference to ten, and from ten to forty."""
    at = {point: k for k, point in enumerate(abstract.points)}
    for metric, column in abstract.values.items():
        assert column[at[1]] < column[at[9]] < column[at[40]] + 0.02, metric


def test_faiers_table_3_is_of_the_label_of_eleven_votes(verdict):
    """Its HC column is about 10 points below the other papers': so far apart are the two labels."""
    votes, consensus = (verdict("pascal-50s", NGRAMS, protocol) for protocol in ("faier-votes11", "faier"))
    assert len(votes.published) == len(consensus.published) == 16
    for eleven, other in zip(votes.published, consensus.published, strict=True):
        if eleven.measure == "accuracy.HC":
            assert abs(eleven.difference) < 4 < 7 < other.difference, eleven
        else:
            assert abs(eleven.difference) < 1.5, eleven
