"""A metric's key is its word everywhere, and parses back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap import evaluate
from vericap.errors import InputError
from vericap.metrics import BUILT_IN, DEFAULT, asked, parse, parse_list, registry
from vericap.metrics.cider_r import CiderR


@pytest.mark.parametrize("key", registry())
def test_every_key_parses_to_a_metric_with_that_key(key):
    metric = parse(key)
    assert str(metric) == key
    assert metric.citation and metric.question in ("fidelity", "adequacy", "fluency")


@given(st.floats(0, 1), st.integers(1, 6))
def test_parameters_survive_the_way_through_the_key(k_r, n):
    metric = parse(f"cider-r(k_r={k_r!r},n={n})")
    assert parse(str(metric)) == metric


@pytest.mark.parametrize(
    "key, hint",
    [
        ("blue-4", "no metric is called 'blue-4'"),
        ("cider-r(k=1)", "no parameter 'k'; it has n, k_r, repetition"),
        ("cider-r(k_r=much)", "'much' is not a number"),
        ("cider-r(repetition=no)", "repetition"),
        ("cider-d(", "never closed"),
        ("bleu-4(n=2)", "bleu-4"),
    ],
)
def test_a_wrong_key_says_what_is_wrong(key, hint):
    with pytest.raises(InputError, match=hint.replace("(", r"\(")):
        parse(key)


def test_a_wrong_key_points_at_the_place():
    with pytest.raises(InputError) as error:
        parse_list("bleu-4,cider-r(k_r=much)")
    assert "much" in str(error.value) and "cider-r(k_r=" in str(error.value)


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("bleu-4,cider", "2 metrics where one is asked for"),
        ("", "metric"),
        ("cider(spice)", "cider does not take 'spice'; it has the parameters n; combine metrics by mean"),
        ("bleu-unigram(spice)", "it has no parameters"),
        ("sider-d", "did you mean cider-d"),
    ],
)
def test_a_key_that_is_no_metric_says_what_would_be_one(key, hint):
    with pytest.raises(InputError, match=hint):
        parse(key)


def test_parameters_reach_the_metric_with_their_types():
    metric = parse("cider-r(k_r=0.5,n=2,repetition=length)")
    assert metric == CiderR(n=2, k_r=0.5, repetition="length")
    assert registry()["bleu-2"].make() == parse("bleu-2")
    assert "n" not in registry()["bleu-2"].parameters() and "n" in registry()["cider"].parameters()


def test_default_is_the_table_of_a_captioning_paper():
    assert [str(metric) for metric in parse_list("default")] == list(DEFAULT)
    assert {str(metric) for metric in parse_list("all")} >= set(BUILT_IN)


def test_what_was_asked_for_by_name_is_known_though_a_set_has_it_too():
    by_name = {str(metric): named for metric, named in asked("default,cider-d,ter")}
    assert by_name["cider-d"] and by_name["ter"] and not by_name["spice"]
    assert [str(metric) for metric, _ in asked(["ter", CiderR(k_r=0.5)])] == ["ter", "cider-r(k_r=0.5)"]


def test_a_set_leaves_out_what_is_undefined_and_says_which():
    result = evaluate({1: "a dog"}, {1: ["a dog"]}, metrics="default")
    assert "bleu-4" in result and "cider-d" not in result
    assert any("cider-d left out" in note for note in result.notes)


def test_that_no_references_were_given_is_said_once_for_all_metrics_left_out():
    left_out = f"no references were given, so these were left out: {', '.join(DEFAULT)}; add --references FILE"
    with pytest.raises(InputError, match=left_out):
        evaluate({1: "a dog"}, metrics="default")
    result = evaluate({1: "a dog"}, metrics="default,fluency")
    [note] = result.notes
    assert list(result) == ["fluency"] and note.startswith(left_out)


def test_a_list_keeps_order_and_drops_repeats():
    assert [str(m) for m in parse_list("rouge-l,cider-r(k_r=0.5,n=2),rouge-l")] == ["rouge-l", "cider-r(n=2,k_r=0.5)"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("CIDEr", ["cider"]),
        ("CIDEr-D", ["cider-d"]),
        ("METEOR", ["meteor"]),
        ("ROUGE_L", ["rouge-l"]),
        ("Bleu_4", ["bleu-4"]),
        ("bleu4", ["bleu-4"]),
        ("BLEU", ["bleu-1", "bleu-2", "bleu-3", "bleu-4"]),
        ("Mean(SPICE,CIDEr_D)", ["mean(spice,cider-d)"]),
        ("CIDErR(k_r=0.5)", ["cider-r(k_r=0.5)"]),
    ],
)
def test_names_are_found_as_people_write_them(typed: str, meant: list[str]) -> None:
    assert [str(metric) for metric in parse_list(typed)] == meant


def test_a_family_is_several_metrics_and_no_part_of_a_mean() -> None:
    with pytest.raises(InputError, match="bleu is several metrics where one is asked for; use one of bleu-1"):
        parse("mean(bleu,spice)")


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "-1", "1e300", "1000000"])
@pytest.mark.parametrize(
    "key",
    [
        "bleu-smoothed(n={})",
        "cider(n={})",
        "cider-d(sigma={})",
        "cider-r(k_r={})",
        "rouge-l(beta={})",
        *(f"meteor({name}={{}})" for name in "alpha beta gamma delta exact stem synonym paraphrase".split()),
        "wmd(p={})",
        "vifidel(p={})",
        "aier(references={})",
    ],
)
def test_every_number_has_bounds_that_nan_and_infinity_are_not_in(key, value):
    if value == "1000000" and ("sigma" in key or "beta" in key):
        value = "1e7"
    with pytest.raises(InputError, match=r"out of bounds|not a whole number|is not (a choice|one) of|use one of"):
        parse(key.format(value))


@pytest.mark.parametrize("skip", ["nan", "-2", "1000001"])
def test_a_gap_has_bounds(skip):
    with pytest.raises(InputError, match=r"out of bounds|not a whole number"):
        parse(f"rouge-su4(skip={skip})")


def test_every_metric_says_what_it_looks_at_in_one_line_of_its_own() -> None:
    lines = {key: entry.make().summarised() for key, entry in registry().items()}
    assert all(5 < len(line) <= 100 and "\n" not in line for line in lines.values())
    assert len(set(lines.values())) == len(lines)


def test_unigram_bleu_has_no_penalty_for_short_captions_and_bleu_1_has() -> None:
    assert "short captions not penalised" in parse("bleu-unigram").summarised()
    assert "short captions penalised" in parse("bleu-1").summarised()
    assert parse("mean(spice,cider-d)").summarised().startswith("The weighted mean of its parts'")


def test_a_metric_made_from_another_has_a_name_and_a_summary_of_its_own() -> None:
    class Mine(type(parse("cider-d"))):  # type: ignore[misc]
        """What mine is. And more."""

        name = "mine"

    assert (Mine().named(), Mine().summarised()) == ("mine", "What mine is")


@pytest.mark.parametrize(
    ("key", "english"),
    [
        ("verity", True),
        ("verity(model=folder)", False),
        ("spice.object", True),
        ("spice(parser=graphs,source=file)", False),
        ("sbert", True),
        ("soft-spice", True),
        ("bertscore(model=folder)", False),
        ("mean(bleu-1,spice)", True),
        ("mean(bleu-1,cider-d)", False),
        ("cider-r", False),
    ],
)
def test_metrics_say_whether_they_know_english_words(key: str, english: bool) -> None:
    assert parse(key).knows("en") == english


def test_document_frequencies_are_asked_for_up_to_the_order_of_the_metric() -> None:
    found = {key: parse(key).frequency_order() for key in ("bleu-4", "mean(spice,cider-d(n=3))", "cider-r", "spider")}
    assert found == {"bleu-4": 0, "mean(spice,cider-d(n=3))": 3, "cider-r": 4, "spider": 4}
