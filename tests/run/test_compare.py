"""Captioners beside each other: the numbers of `score`, tests that hold their level, errors that name the images."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

import vericap
from vericap.errors import InputError
from vericap.metrics.bleu import Bleu
from vericap.show.comparison import comparison_table
from vericap.stats.contrast import effect_size
from vericap.stats.paired import exchange_test

DEMO = files("vericap") / "data" / "demo"
SYSTEMS = {name: str(DEMO / f"{name}.json") for name in ("strong", "middling", "weak")}
REFERENCES = str(DEMO / "references.json")
METRICS = "bleu-4,rouge-l,cider-d,ter,meteor"


@pytest.fixture(scope="module")
def found() -> vericap.Comparison:
    return vericap.compare(SYSTEMS, references=REFERENCES, metrics=METRICS, against="all", bootstrap=300)


def test_scores_are_those_of_score(found: vericap.Comparison) -> None:
    """With references tokenized and document frequencies counted once, each captioner has the number it has alone."""
    for name, path in SYSTEMS.items():
        alone = vericap.evaluate(path, REFERENCES, metrics=METRICS, bootstrap=300)
        for key, result in alone.items():
            together = found[name][key]
            assert together.score == pytest.approx(result.score, abs=1e-12)
            assert together.captions == pytest.approx(result.captions, abs=1e-12)
            assert together.interval == pytest.approx(result.interval, abs=1e-12)
            assert together.signature == result.signature


def test_the_next_captioner_does_not_change_the_last_caption_of_one() -> None:
    """PTB takes "K." for the end of a sentence before a capital letter, and for an abbreviation otherwise."""
    references = {1: ["a sign that reads K"], 2: ["a sign that reads K"]}
    last = {1: "two men", 2: "a sign that reads K."}
    systems = {"first": last, "second": {1: "A man", 2: "a sign"}, "third": {1: "two men", 2: "a sign"}}
    for order in (["first", "second"], ["first", "third"], ["second", "first"]):
        found = vericap.compare({name: systems[name] for name in order}, references, metrics="bleu-1", bootstrap=9)
        for name in order:
            alone = vericap.evaluate(systems[name], references, metrics="bleu-1")["bleu-1"]
            assert found[name]["bleu-1"].captions.tolist() == alone.captions.tolist(), (name, order)


def test_every_metric_tells_strong_from_weak(found: vericap.Comparison) -> None:
    for key, contrasts in found.contrasts.items():
        [each] = [c for c in contrasts if (c.system, c.against) == ("weak", "strong")]
        assert each.corrected < 0.05
        assert each.effect < -0.5, "negative is worse, for an error rate too"
        assert each.losses > each.wins, key
        assert each.wins + each.ties + each.losses == 30
        low, high = each.interval or (0, 0)
        assert low < each.difference < high
        assert (high < 0) if key != "ter" else (low > 0)


def test_superscripts_name_the_captioners_beaten(found: vericap.Comparison) -> None:
    rows = {f"{row.letter} {row.label}": row.marks for row in comparison_table(found).rows}
    assert rows["a strong"][2] == "bc"
    assert rows["b middling"][2] == "c"
    assert set(rows["c weak"]) == {""}
    assert "ᵇᶜ" in found.table("plain")
    assert "$^{bc}$" in found.table("latex")
    assert "ᵇᶜ" in found.table("markdown")
    assert "ᵇ" not in found.table("csv")


def test_tests_against_the_first_leave_the_other_pairs_out() -> None:
    found = vericap.compare(SYSTEMS, REFERENCES, metrics="rouge-l", bootstrap=200)
    assert [(c.system, c.against) for c in found.contrasts["rouge-l"]] == [("middling", "strong"), ("weak", "strong")]
    assert [row.marks for row in comparison_table(found).rows] == [["bc"], [""], [""]]
    found = vericap.compare(SYSTEMS, REFERENCES, metrics="rouge-l", bootstrap=20, against="middling")
    assert [(c.system, c.against) for c in found.contrasts["rouge-l"]] == [("strong", "middling"), ("weak", "middling")]


def test_holm_corrects_over_the_pairs_of_a_metric(found: vericap.Comparison) -> None:
    contrasts = found.contrasts["ter"]
    assert all(each.corrected >= each.p for each in contrasts)
    assert min(each.corrected for each in contrasts) == pytest.approx(3 * min(each.p for each in contrasts))


def test_a_captioner_does_not_differ_from_itself() -> None:
    twins = {"one": SYSTEMS["strong"], "two": SYSTEMS["strong"]}
    for test in ("bootstrap", "permutation"):
        found = vericap.compare(twins, REFERENCES, metrics="bleu-4,cider-d", bootstrap=99, test=test)
        for [each] in found.contrasts.values():
            assert (each.difference, each.p, each.effect, each.ties) == (0, 1, 0, 30)
        assert not found.examples


def test_both_tests_say_the_same_of_clear_and_of_doubtful_differences() -> None:
    p = {
        test: [
            each.p
            for key in ("ter", "meteor")
            for each in vericap.compare(SYSTEMS, REFERENCES, metrics=key, test=test, bootstrap=500).contrasts[key]
        ]
        for test in ("bootstrap", "permutation")
    }
    assert p["bootstrap"] == pytest.approx(p["permutation"], abs=0.1)
    assert p["permutation"][0] > 0.2 > p["permutation"][1]


def test_exchanging_captions_exchanges_what_bleu_sums() -> None:
    """BLEU sums over the corpus: an exchange is two new corpora, scored by their sums."""
    random = np.random.default_rng(0)
    first, second = random.integers(1, 9, (2, 12, 6)).astype(float)
    images = np.arange(12)
    bleu = Bleu(2)
    observed = abs(bleu.aggregate(first) - bleu.aggregate(second))
    swaps = np.random.default_rng(3).random((200, 12)) < 0.5
    as_far = sum(
        abs(bleu.aggregate(np.where(s[:, None], second, first)) - bleu.aggregate(np.where(s[:, None], first, second)))
        >= observed * (1 - 1e-12)
        for s in swaps
    )
    assert exchange_test(bleu, first, second, images, images, resamples=200, seed=3) == (1 + as_far) / 201


def test_captions_that_differ_most_are_the_ones_a_reader_would_pick(found: vericap.Comparison) -> None:
    of_pair = [each for each in found.examples if (each.system, each.against) == ("weak", "strong")]
    assert len(of_pair) == 10
    distances = [abs(each.difference) for each in of_pair]
    assert distances == sorted(distances, reverse=True)
    ids = list(found["weak"].corpus.image_ids)
    for each in of_pair:
        row = ids.index(each.image_id)
        assert each.captions["weak"] == found["weak"].corpus.candidates[row]
        assert each.scores["weak"]["cider-d"] == pytest.approx(found["weak"]["cider-d"].captions[row])


def test_one_changed_caption_is_the_example() -> None:
    references = {i: [f"a {animal} runs"] for i, animal in enumerate(["dog", "cat", "cow", "pig"])}
    good = {i: given[0] for i, given in references.items()}
    found = vericap.compare({"good": good, "slip": {**good, 2: "a bus"}}, references, metrics="rouge-l", bootstrap=20)
    [example] = found.examples
    assert (example.image_id, example.difference < 0, example.captions["slip"]) == (2, True, "a bus")


def test_images_with_several_captions_count_once() -> None:
    references = {1: ["a dog runs"], 2: ["a cat sits"]}
    one = [{"image_id": 1, "caption": "a dog runs"}, {"image_id": 2, "caption": "a cat sits"}]
    two = [*one, {"image_id": 2, "caption": "a bus"}]
    found = vericap.compare({"one": one, "two": two}, references, metrics="rouge-l", repeated="keep", bootstrap=20)
    [each] = found.contrasts["rouge-l"]
    assert (each.wins, each.ties, each.losses) == (0, 1, 1)
    assert len(found["two"].corpus) == 3


def test_ids_may_be_spelled_and_ordered_in_other_ways() -> None:
    references = {"COCO_val2014_000000000007.jpg": ["a dog"], "COCO_val2014_000000000008.jpg": ["a cat"]}
    found = vericap.compare(
        {"a": {7: "a dog", 8: "a cat"}, "b": {"8.jpg": "a cat", "7.jpg": "a dog"}},
        references,
        metrics="bleu-1",
        bootstrap=9,
    )
    assert found.contrasts["bleu-1"][0].difference == 0


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        ({"a": {1: "x", 2: "y"}, "b": {1: "x"}}, "b: it has no caption for 1 of the images that a has: 2; compare"),
        ({"a": {1: "x"}, "b": {1: "x", 2: "y", 3: "z"}}, "a: it has no caption for 2 of the images that b has: 2, 3"),
        ({"a": {1: "x", 2: "y"}}, "captioners to compare: 1; give at least two"),
    ],
)
def test_captioners_over_other_images_are_refused_by_id(systems: dict[str, dict[int, str]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        vericap.compare(systems, {1: ["x"], 2: ["y"], 3: ["z"]}, metrics="bleu-1")


def test_unknown_tests_are_refused() -> None:
    with pytest.raises(InputError, match="use one of bootstrap, permutation"):
        vericap.compare(SYSTEMS, REFERENCES, metrics="bleu-1", test="t")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="use first, all, or one of strong, middling, weak"):
        vericap.compare(SYSTEMS, REFERENCES, metrics="bleu-1", against="second")


def test_json_has_no_numbers_that_do_not_exist() -> None:
    references = {i: ["a dog"] for i in range(3)}
    found = vericap.compare(
        {"all": dict.fromkeys(range(3), "a dog"), "none": dict.fromkeys(range(3), "cat")},
        references,
        metrics="bleu-1",
        bootstrap=20,
    ).to_dict()
    [pair] = found["metrics"]["bleu-1"]["pairs"]
    assert pair["effect"] is None, "every image differs by the same: no deviation to measure in"
    assert pair["wins"] == 0 and pair["losses"] == 3


def test_effect_is_cohens_d_of_the_images(found: vericap.Comparison) -> None:
    difference = found["weak"]["rouge-l"].captions - found["strong"]["rouge-l"].captions
    [each] = [c for c in found.contrasts["rouge-l"] if (c.system, c.against) == ("weak", "strong")]
    assert each.effect == pytest.approx(difference.mean() / difference.std(ddof=1))
    assert np.isnan(effect_size(np.zeros(0)))


def test_false_alarms_of_exchanging_captions_are_rare() -> None:
    """Captioners that are equally good differ at the level of 5 % in about 5 % of the samples, by BLEU's sums too."""
    random = np.random.default_rng(7)
    bleu = Bleu(1)
    images = np.arange(50)
    alarms = 0
    for number in range(400):
        lengths = random.integers(6, 14, (2, 50)).astype(float)
        matches = np.floor(lengths * random.beta(5, 4, (2, 50)))
        first, second = (np.column_stack([n, np.full(50, 9.0), m, n]) for n, m in zip(lengths, matches, strict=True))
        alarms += exchange_test(bleu, first, second, images, images, resamples=99, seed=number) <= 0.05
    assert 0.03 <= alarms / 400 <= 0.07
