"""What every metric is: its contract with weights, keys and signatures, and the facts that all of them keep."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.metrics.images import CAPTION, IMAGES, Image, scores, statistics, views_of
from vericap import evaluate
from vericap.arrays import Floats
from vericap.corpus import Corpus
from vericap.errors import InputError, MetricError
from vericap.metrics import parse
from vericap.metrics.base import Metric, Statistics, checked_scores, checked_statistics, mean, means, package_of, total
from vericap.metrics.rouge_l import RougeL
from vericap.metrics.ter import Ter
from vericap.results.explanation import Explanation
from vericap.version import __version__
from vericap.views import Views

CONSENSUS = ["cider", "cider-d", "cider-r"]
BY_CAPTION = ["bleu-1", "bleu-4", "bleu-unigram", "bleu-smoothed", "bleu-smoothed(smoothing=halving)", "rouge-l"]
KEYS = [*BY_CAPTION, *CONSENSUS]


@pytest.mark.parametrize("key", KEYS)
@settings(max_examples=15)
@given(images=IMAGES, random=st.randoms())
def test_the_order_of_references_does_not_matter(key: str, images: list[Image], random: Any) -> None:
    shuffled = [(c, random.sample(r, len(r))) for c, r in images]
    np.testing.assert_allclose(statistics(key, images), statistics(key, shuffled), atol=1e-12)


@pytest.mark.parametrize("key", KEYS)
@settings(max_examples=15)
@given(images=IMAGES, random=st.randoms())
def test_images_in_another_order_have_the_same_scores(key: str, images: list[Image], random: Any) -> None:
    order = random.sample(range(len(images)), len(images))
    found = statistics(key, [images[row] for row in order])
    np.testing.assert_allclose(found, statistics(key, images)[order], atol=1e-12)


@pytest.mark.parametrize("key", KEYS)
@settings(max_examples=15)
@given(images=IMAGES)
def test_scores_stay_in_the_stated_range(key: str, images: list[Image]) -> None:
    low, high = parse(key).range
    assert low is not None and high is not None
    assert all(low <= score <= high + 1e-9 for score in scores(key, images))


@pytest.mark.parametrize("key", [key for key in KEYS if "halving" not in key])
@settings(max_examples=15)
@given(images=IMAGES)
def test_no_caption_scores_above_the_reference_itself(key: str, images: list[Image]) -> None:
    """With one reference, the reference is the best caption there can be. (Halving credits what matches nothing.)"""
    images = [(c, r[:1]) for c, r in images]
    ideal = np.array(scores(key, [(r[0], r) for _, r in images]))
    assert np.all(scores(key, images) <= ideal + 1e-8)


@pytest.mark.parametrize("key", [key for key in BY_CAPTION if key != "bleu-4"])
@settings(max_examples=15)
@given(references=st.lists(CAPTION, min_size=1, max_size=4))
def test_the_reference_itself_scores_1(key: str, references: list[str]) -> None:
    """But for BLEU-4 of three words, which have no 4-gram. An empty caption matches nothing; ROUGE-L's original makes
    it one empty word, which does."""
    expected = [1 if reference or key == "rouge-l" else 0 for reference in references]
    assert scores(key, [(reference, [reference]) for reference in references]) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("key", BY_CAPTION)
@settings(max_examples=15)
@given(images=IMAGES)
def test_sharded_is_whole(key: str, images: list[Image]) -> None:
    whole = statistics(key, images)
    np.testing.assert_allclose(whole, np.concatenate([statistics(key, [image]) for image in images]), atol=1e-12)


@pytest.mark.parametrize("key", KEYS)
def test_any_number_of_workers_gives_the_same_bytes(key: str, tokenized: Callable[[str], Corpus]) -> None:
    views = [Views(tokenized("fakecap1000"), tokenizer="none", workers=workers) for workers in (1, 2, 5)]
    one, *more = [parse(key).statistics(each).tobytes() for each in views]
    assert all(other == one for other in more)


@pytest.mark.parametrize("key", KEYS)
def test_an_image_without_references_scores_0(key: str) -> None:
    images = [("a dog runs", ["a dog runs"]), ("a cat", ["a cat sits"]), ("a bird", []), ("", [])]
    assert scores(key, images)[2:] == pytest.approx([0, 0], abs=1e-6)
    whole, without = (parse(key).aggregate(statistics(key, some)) for some in (images[:2], images))
    assert without < whole


@pytest.mark.parametrize("key", KEYS)
@settings(max_examples=15)
@given(images=IMAGES, data=st.data())
def test_a_weight_counts_a_caption_that_often(key: str, images: list[Image], data: st.DataObject) -> None:
    metric, rows = parse(key), statistics(key, images)
    drawn = st.lists(st.integers(0, 3), min_size=len(images), max_size=len(images)).filter(any)
    weights = np.array(data.draw(st.lists(drawn, min_size=1, max_size=3)), float)
    expected = [metric.aggregate(np.repeat(rows, row.astype(int), axis=0)) for row in weights]
    assert metric.aggregates(rows, weights) == pytest.approx(expected, abs=1e-12)


def test_metrics_that_compare_say_so_when_there_is_nothing_to_compare_with() -> None:
    with pytest.raises(InputError, match=r"bleu-1 compares with reference captions.*--references") as error:
        evaluate({1: "a dog"}, metrics="bleu-1")
    assert error.value.field == "references"
    views = Views(Corpus.from_lists(["a dog"]))
    assert RougeL().lacks(views) == ["references"]
    assert parse("vifidel").lacks(views) == ["objects"]
    assert parse("fluency").lacks(views) == []


@dataclass(frozen=True)
class Length(Metric):
    """A metric as a package of its own would write it: words over the number of references."""

    k: float = 0.5
    exact: bool = True

    name: ClassVar[str] = "length"
    question: ClassVar = "adequacy"
    range: ClassVar = (0.0, None)
    citation: ClassVar[str] = "Nobody. 2026."

    def statistics(self, views: Views) -> Floats:
        return np.array([[len(caption.split())] for caption in views.corpus.candidates], float)

    def score(self, statistics: Floats) -> Floats:
        return statistics[:, 0] * self.k

    def explain(self, views: Views, i: int) -> Explanation:
        return self.explanation(views, i, self.score(self.statistics(views))[i], {"words": 3})


VIEWS = views_of([("a dog runs", ["a dog", "dogs"]), ("a cat", ["a cat"])])


def test_the_key_names_what_differs_from_the_defaults() -> None:
    assert [str(metric) for metric in (Length(), Length(k=0.25), Length(k=1.0, exact=False))] == [
        "length",
        "length(k=0.25)",
        "length(k=1,exact=no)",
    ]
    assert Length(k=0.1 + 0.2).parameters() == {"k": 0.1 + 0.2}
    assert str(Length(k=0.1 + 0.2)) == "length(k=0.30000000000000004)"


def test_the_signature_has_all_that_changes_the_number() -> None:
    parts = dict(part.split(":", 1) for part in Length(k=0.25).signature(VIEWS).split("|"))
    assert parts["metric"] == "length(k=0.25)" and parts["k"] == "0.25" and parts["exact"] == "yes"
    assert parts["version"] == __version__
    assert (parts["tokenizer"], parts["language"]) == ("whitespace", "en")
    assert parts["references"] == "1-2"
    assert parts["package"]  # it is not Vericap's
    assert "package" not in RougeL().signature(VIEWS)
    assert "|references:2|" in RougeL().signature(views_of([("a", ["b", "c"])]))


def test_a_package_is_named_with_its_version() -> None:
    assert package_of(RougeL) is None
    foreign = type("Foreign", (Length,), {"__module__": "numpy.somewhere"})
    assert package_of(foreign) == f"numpy {np.__version__}"
    assert "not installed" in str(package_of(Length))


def test_the_corpus_score_leaves_out_captions_without_a_score() -> None:
    rows = np.array([[1.0], [np.nan], [3.0]])
    assert Length(k=1.0).aggregate(rows) == 2
    assert np.isnan(Length().aggregate(rows[1:2]))
    assert mean(np.array([1.0, np.nan, 4.0]), np.array([2.0, 5.0, 1.0])) == 2
    assert total(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([2.0, 1.0])).tolist() == [5, 8]
    assert np.isnan(means(np.array([1.0, np.nan]), np.array([[0.0, 1.0]]))).all()


class Largest(Length):
    """A corpus score of its own."""

    def aggregate(self, statistics: Floats, weights: Floats | None = None) -> float:
        return float(statistics.max() if weights is None else (statistics[:, 0] * (weights > 0)).max())


def test_a_corpus_score_of_ones_own_is_asked_resample_by_resample() -> None:
    rows = np.array([[1.0], [7.0], [3.0]])
    assert Largest().aggregates(rows, np.array([[1.0, 1, 1], [1, 0, 2], [2, 0, 0]])).tolist() == [7, 3, 1]


def test_an_explanation_knows_the_caption_and_its_references() -> None:
    why = Length().explain(VIEWS, 0)
    assert (why.metric, why.score, why.caption) == ("length", 1.5, "a dog runs")
    assert list(why.references) == ["a dog", "dogs"]


@pytest.mark.parametrize("wrong", [np.zeros(2), np.zeros((3, 1)), [["many"], ["few"]], [[1.0], [1.0, 2.0]]])
def test_statistics_of_another_shape_are_the_metrics_fault_and_name_it(wrong: Any) -> None:
    with pytest.raises(MetricError, match=r"^length: statistics .*\[captions, k\]"):
        checked_statistics(Length(), wrong, 2)


@pytest.mark.parametrize("wrong", [np.zeros((2, 1)), np.zeros(3), ["high", "low"]])
def test_scores_of_another_shape_are_the_metrics_fault_and_name_it(wrong: Any) -> None:
    with pytest.raises(MetricError, match=r"^length: scores .*\[captions\]"):
        checked_scores(Length(), wrong, 2)


def test_infinity_is_a_score_where_the_range_is_open() -> None:
    assert checked_scores(Length(), [1, np.inf], 2).tolist() == [1, np.inf]
    assert np.isnan(checked_scores(RougeL(), [np.nan], 1)).all()
    with pytest.raises(MetricError, match="caption 1 is -inf, outside its range 0 to infinity"):
        checked_scores(Length(), [1, -np.inf], 2)
    with pytest.raises(MetricError, match="caption 0 is inf, outside its range 0 to 1"):
        checked_scores(RougeL(), [np.inf], 1)


def test_statistics_are_computed_once_for_all_who_ask() -> None:
    views = views_of([("a dog", ["a dog"])])
    assert views.get(Statistics(Ter())) is views.get(Statistics(Ter()))
    assert views.get(Statistics(Length())).tolist() == [[2]]


CAPTIONS = {1: "a dog and a cat on a couch", 2: "two cats sleep near a laptop"}
OBJECTS = {1: ["dog", "couch"], 2: ["cat"]}
ONE = {1: ["a dog lies on a sofa"], 2: ["cats asleep"]}
MORE = {1: ["a cat beside a dog", "pets on furniture"], 2: ["a laptop", "two kittens in a room"]}


def run(key: str, references: dict[int, list[str]] | None) -> Any:
    return evaluate(CAPTIONS, references, objects=OBJECTS, metrics=key)[str(parse(key))]


@pytest.mark.parametrize(
    "key",
    [
        "fluency",
        "fluency(scale=slor)",
        "chair-i(truth=labels)",
        "chair-s(truth=labels)",
        "vifidel(references=no)",
        "vifidel(references=no,variant=released)",
        "mean(fluency,vifidel(references=no))",
    ],
)
def test_references_that_are_not_read_change_neither_score_nor_signature(key: str) -> None:
    alone, one, more = run(key, None), run(key, ONE), run(key, MORE)
    assert alone.captions.tolist() == one.captions.tolist() == more.captions.tolist()
    assert alone.signature == one.signature == more.signature


@pytest.mark.parametrize("key", ["chair-s", "chair-i(truth=references)", "vifidel", "wmd", "mean(fluency,vifidel)"])
def test_references_that_are_read_are_counted_in_the_signature(key: str) -> None:
    one, more = run(key, ONE), run(key, MORE)
    assert one.captions.tolist() != more.captions.tolist()
    assert "|references:1|" in one.signature and "|references:2|" in more.signature
