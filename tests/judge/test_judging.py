"""What judging computes: every choice of a protocol moves what it should, and nothing else."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr, spearmanr

from tests.judge import benchmark_folders as folders
from vericap.errors import InputError
from vericap.judge import benchmark, judge, load
from vericap.judge.levels import image_taus
from vericap.judge.published import tables, unmatched
from vericap.judge.scoring import draws, score
from vericap.metrics import Explanation, Metric, parse, registry
from vericap.stats.wilson import wilson


@dataclass(frozen=True)
class Fixed(Metric):
    """Scores of the benchmark's rows as given, to know what must come out."""

    numbers: tuple[float, ...] = ()
    name: ClassVar[str] = "fixed"
    question: ClassVar = "adequacy"
    needs: ClassVar[tuple[str, ...]] = ()
    citation: ClassVar[str] = "None."

    def statistics(self, views):
        return np.array(self.numbers)[:, None]

    def score(self, statistics):
        return statistics[:, 0]

    def explain(self, views, i):
        return Explanation(self.key, 0.0, "", [])


@dataclass(frozen=True)
class ObjectCount(Fixed):
    """How many objects the picture of a caption shows."""

    name: ClassVar[str] = "objects"

    def statistics(self, views):
        return np.array([[len(views.corpus.objects_of(row))] for row in range(len(views.corpus))], float)


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
    alone = judge("ratings", table, metrics=[Fixed(tuple(scores.tolist()))], over="image", bootstrap=0).rows[0]
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


def test_pairs_that_divide_people_are_counted_over_several_draws_too(tmp_path):
    path = tmp_path / "pairs.json"
    rows = [
        {"a": "a dog", "b": "a cat", "references": ["dogs", "a dog", "the dog"], "preferred": said}
        for said in ("a", "b", "tie")
    ]
    path.write_text(json.dumps(rows))
    choices = {"references_used": 1, "drawn": "random", "draws": 12}
    verdict = judge("pairs", path, metrics="bleu-1", bootstrap=0, **choices)
    assert "1 of 3 pairs left out: people were divided" in verdict.notes
    folder = folders.abstract(tmp_path / "f")
    judged, protocol = load("abstract-50s", folder, **{**choices, "references_used": 2})
    divided = [int((each.preferred() == 0).sum()) for each in draws(judged, protocol)]
    assert min(divided) < max(divided)
    verdict = judge("abstract-50s", folder, metrics="bleu-1", bootstrap=0, **{**choices, "references_used": 2})
    said = f"by draw of references {min(divided)} to {max(divided)} of 2 pairs left out: people were divided"
    assert said in verdict.notes


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


def test_draws_of_references_follow_the_seed_and_are_nested(tmp_path):
    judged, protocol = load("pascal-50s", folders.pascal(tmp_path / "f"))

    def used(n, seed):
        at = protocol.changed(references_used=n, seed=seed, draws=3)
        return [[places.tolist() for places in draw.used] for draw in draws(judged, at)]

    assert used(2, 1) == used(2, 1) != used(2, 2)
    for two, three in zip(used(2, 1), used(3, 1), strict=True):
        assert all(more[:2] == fewer for fewer, more in zip(two, three, strict=True))
    assert len(used(5, 1)) == 1  # all of them: nothing to draw
    with pytest.raises(InputError, match="no item has more than 5"):
        used(6, 1)


def test_without_references_metrics_that_need_them_are_left_out_by_name(tmp_path):
    folder = folders.pascal(tmp_path / "f")
    verdict = judge("pascal-50s", folder, metrics="all", references_used=0, bootstrap=0)
    assert "bleu-4" not in [row.metric for row in verdict.rows]
    [note] = [note for note in verdict.notes if note.startswith("no references were given")]
    assert "bleu-3, bleu-4, " in note
    with pytest.raises(InputError, match="bleu-4 compares with reference captions"):
        judge("pascal-50s", folder, metrics="bleu-4", references_used=0, bootstrap=0)


def test_a_set_with_more_metrics_behind_it(tmp_path):
    folder = folders.nebula(tmp_path / "f")
    for metrics in (
        "default,ter,bleu-smoothed(smoothing=halving)",
        ["default", "ter", "bleu-smoothed(smoothing=halving)"],
    ):
        names = [row.metric for row in judge("nebula", folder, metrics=metrics, bootstrap=0).rows]
        assert {"bleu-4", "ter", "bleu-smoothed(smoothing=halving)"} <= set(names)


def test_the_label_is_the_majority_of_the_votes_used(tmp_path):
    judged, protocol = load("abstract-50s", folders.abstract(tmp_path / "f"))
    for draw in draws(judged, protocol.changed(references_used=1, drawn="random", draws=4)):
        votes = [judged.votes[i, places].item() for i, places in enumerate(draw.used)]
        assert draw.preferred().tolist() == votes


def test_document_frequencies_count_rows_or_images(tmp_path):
    folder = folders.nebula(tmp_path / "f")  # the dog is shown twice, the cat once
    found = {df: judge("nebula", folder, metrics="cider-d", df=df, bootstrap=0)["cider-d"] for df in ("rows", "images")}
    judged, protocol = load("nebula", folder)
    _, rows, _ = score(judged, protocol, "cider-d")
    _, images, _ = score(judged, protocol.changed(df="images"), "cider-d")
    assert not np.allclose(rows["cider-d"].scores[0], images["cider-d"].scores[0])
    assert "documents:3" in found["rows"].signature
    assert "documents:2" in found["images"].signature


def test_objects_reach_every_item_of_their_image(tmp_path):
    folder = folders.nebula(tmp_path / "f")
    objects = {"dog.jpg": ["dog", "grass"], "cat.jpg": ["cat"]}
    judged, _ = load("nebula", folder)
    verdict = judge("nebula", folder, metrics=[ObjectCount()], objects=objects, bootstrap=0)
    assert verdict.rows[0].value("pearson") == pytest.approx(pearsonr([2, 2, 1], judged.human.ravel()).statistic)
    with pytest.raises(InputError, match=r"cat\.jpg"):
        judge("nebula", folder, metrics=[ObjectCount()], objects={"dog.jpg": ["dog"]}, bootstrap=0)
    dropped = judge(
        "nebula", folder, metrics=[ObjectCount()], objects={"dog.jpg": ["dog"]}, missing="drop", bootstrap=0
    )
    assert dropped.n == 2
    assert "1 of 3 items left out: nothing is known of their pictures" in dropped.notes


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


def test_scores_from_elsewhere_are_rows_of_the_table(tmp_path):
    folder = folders.nebula(tmp_path / "f")
    (tmp_path / "clip.csv").write_text("id,score\n2,0.7\n0,0.9\n1,0.1\n")
    (tmp_path / "both.jsonl").write_text("\n".join(json.dumps({"id": k, "x": k, "y": -k}) for k in range(3)))
    verdict = judge(
        "nebula", folder, metrics="bleu-1", scores=[tmp_path / "clip.csv", tmp_path / "both.jsonl"], bootstrap=0
    )
    assert [row.metric for row in verdict.rows] == ["bleu-1", "clip", "x", "y"]
    assert verdict["clip"].value("kendall_b") == 1.0
    assert verdict["x"].value("pearson") == -verdict["y"].value("pearson")
    systems = tmp_path / "mine.csv"
    systems.write_text("id,score\nHuman,3\nA,2\nB,1\nC,1.5\n")
    judged = judge("coco-2015", folders.coco_2015(tmp_path / "s"), scores=[systems], bootstrap=0)
    assert judged["mine"].value("M1.kendall_b") == pytest.approx(1)


@pytest.mark.parametrize(
    "content, problem",
    [
        ("id,score\n0,1\n1,2\n", "1 of 3 ids have no score, 2 for one"),
        ("id,score\n0,1\n1,2\n9,3\n", "'9' is not a row's number, 0 to 2"),
        ("id,score\n0,1\n0,2\n1,3\n2,4\n", "0 stands there twice"),
        ("id,score\n0,1\n1,nan\n2,3\n", "'nan' is not a number"),
        ("id\n0\n1\n2\n", "no column holds scores"),
    ],
)
def test_scores_that_do_not_fit_say_why(content, problem, tmp_path):
    folder = folders.nebula(tmp_path / "f")
    (tmp_path / "x.csv").write_text(content)
    with pytest.raises(InputError) as error:
        judge("nebula", folder, scores=[tmp_path / "x.csv"], bootstrap=0)
    assert problem in str(error.value)


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


def test_published_tables_are_whole():
    for table in tables():
        for metric, values in table.rows.items():
            assert len(values) <= len(table.columns), (table.where, metric)
        if table.benchmark and not table.unmatched:
            about = benchmark(table.benchmark)
            assert set(table.protocols) <= {protocol.name for protocol in about.protocols}, table.where
    assert {table.paper for table in tables()} == {
        "Elliott and Keller (2014)",
        "Anderson et al. (2016)",
        "Oliveira dos Santos et al. (2021)",
        "Madhyastha et al. (2019)",
        "Wang et al. (2021)",
        "Hessel et al. (2021)",
    }


def test_what_is_not_matched_has_a_reason():
    assert all(reason for *_, reason in unmatched())


def test_a_curve_at_a_point_is_the_judgement_there(tmp_path):
    from vericap.judge.curves import over_references

    folder = folders.pascal(tmp_path / "f")
    curve = over_references("pascal-50s", folder, "meteor,rouge-l", points=[1, 3, 5], draws=4)
    for k, n in enumerate([1, 3, 5]):
        verdict = judge("pascal-50s", folder, metrics="meteor,rouge-l", references_used=n, draws=4, bootstrap=0)
        for key in ("meteor", "rouge-l"):
            assert curve.values[key][k] == pytest.approx(verdict[key].value("accuracy.all"))
    assert curve.table("csv").splitlines()[0].startswith("references,meteor,rouge-l,meteor spread")


def test_a_figure_that_does_not_exist_is_a_dash_and_the_reason_stands_below(tmp_path):
    from vericap.judge.curves import over_lengths
    from vericap.show.curve import curve_grid, sentences

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
    from vericap.judge.curves import over_lengths

    table = tmp_path / "mine.json"
    rows = [
        {"image_id": k, "caption": " ".join(["dog"] * (1 + k % 4)), "references": ["dog dog"], "score": k % 5}
        for k in range(40)
    ]
    table.write_text(json.dumps(rows))
    curve = over_lengths("ratings", table, "bleu-1", bins=2, bootstrap=20)
    assert sum(curve.counts) == 40
    assert list(curve.points) == sorted(curve.points)


def test_every_metric_of_the_published_protocols_parses():
    for table in tables():
        for key in table.rows:
            if key.partition("(")[0] in registry():
                assert str(parse(key)) == key


def test_a_metric_named_alone_must_be_there_and_beside_a_set_is_left_out(tmp_path):
    table = tmp_path / "ratings.json"
    table.write_text(
        '[{"image_id": 1, "caption": "a dog", "references": ["the dog"], "score": 1},'
        ' {"image_id": 2, "caption": "a cat", "references": ["a dog"], "score": 0}]'
    )
    with pytest.raises(InputError, match="vifidel"):
        judge("ratings", table, metrics="bleu-1,vifidel", bootstrap=0)
    verdict = judge("ratings", table, metrics="default,vifidel", bootstrap=0)
    assert any("no objects were given, so these were left out: vifidel" in note for note in verdict.notes)
