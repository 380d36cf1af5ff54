"""Metric expressions: what parses, and where an error points."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.errors import InputError
from vericap.metrics import parse, parse_list, registry
from vericap.metrics.mean import Mean
from vericap.metrics.spice import Spice


@pytest.mark.parametrize(
    "text, key",
    [
        ("mean(spice,cider-d)", "mean(spice,cider-d)"),
        (" mean ( spice , cider-d , ) ", "mean(spice,cider-d)"),
        ("mean(bleu-1,cider-r,weights=.7:.3)", "mean(bleu-1,cider-r,weights=0.7:0.3)"),
        ("mean(weights=1:2:3,bleu-1,meteor,rouge-l)", "mean(bleu-1,meteor,rouge-l,weights=1:2:3)"),
        ("mean(ter,cider-d,normalize=quantiles)", "mean(ter,cider-d,normalize=quantiles)"),
        (
            "mean(spice(parser=graphs,source=x.json),cider-r(k_r=0.5))",
            "mean(spice(parser=graphs,source=x.json),cider-r(k_r=0.5))",
        ),
        ("mean(mean(bleu-1,bleu-2),cider-d)", "mean(mean(bleu-1,bleu-2),cider-d)"),
        ("spice()", "spice"),
        ("spider", "spider"),
    ],
)
def test_what_people_write_parses_to_its_key_and_back(text, key):
    metric = parse(text)
    assert str(metric) == key
    assert parse(key) == metric


@pytest.mark.parametrize(
    "text, at, problem",
    [
        ("mean(spice,cidr-d)", 12, "no metric is called 'cidr-d'; did you mean cider-d"),
        ("mean(spice,,cider-d)", 12, "a metric or parameter=value is missing here"),
        ("mean(spice cider-d)", 12, "a comma or a closing bracket is missing"),
        ("mean(spice,cider-r(k_r=0.5)", 5, "never closed"),
        ("mean(spice,cider-r(k_r=much))", 24, "'much' is not a number"),
        ("mean(spice,cider-r(k=1))", 20, "no parameter 'k'; it has n, k_r, repetition"),
        ("mean(spice,cider-r(k_r=7))", 20, "k_r=7.0 is out of bounds"),
        ("mean(spice,cider-d,weights=1)", 20, "1 weights for 2 metrics"),
        ("mean(spice,cider-d,weights=1:x)", 28, "'1:x' is not numbers separated by colons"),
        ("mean(spice,cider-d,weights=1:-1)", 20, "not a number above 0"),
        ("mean(spice,cider-d,weights=nan:1)", 20, "not a number above 0"),
        ("mean(spice,cider-d,weights=)", 28, "the value is missing"),
        ("mean(spice,weights=1,weights=2)", 22, "given twice"),
        ("mean(spice,cider-d,normalize=rank)", 30, "'rank' is not one of none, range, quantiles"),
        ("mean()", 1, "no parts"),
        ("mean", 1, "no parts"),
        ("mean(ter,cider-d)", 1, "lower is better for ter"),
        ("mean(ter,cider-d,normalize=range)", 18, "the range of ter is unbounded"),
        ("cider-d(bleu-4)", 9, "cider-d does not take 'bleu-4'"),
        ("spider(normalize=range)", 8, "spider has no parameter 'normalize'; it has parser, source"),
        ("bleu-4;ter", 7, "a comma is missing"),
        ("bleu-4)", 7, "a comma is missing"),
        ("(bleu-4)", 1, "the name of a metric is missing"),
        ('spice(source="x', 14, "this quote is never closed"),
        ("mean(" * 30 + "spice" + ")" * 30, 105, "20 deep"),
        ("", 1, "0 metrics"),
        ("bleu-1,bleu-2", 8, "2 metrics"),
    ],
)
def test_an_error_points_at_the_character(text, at, problem):
    with pytest.raises(InputError) as error:
        parse(text)
    message = str(error.value)
    assert problem in message
    assert f"{text[: at - 1]}▸{text[at - 1 :]}, character {at}" in message
    assert len(message.splitlines()) <= 1  # the command line prints one


def test_in_a_list_the_place_is_counted_from_its_start():
    with pytest.raises(InputError, match=r"bleu-4,mean\(ter,▸oops\), character 17"):
        parse_list("bleu-4,mean(ter,oops)")


@given(st.text(max_size=40))
def test_nothing_but_input_errors_comes_out_of_any_text(text):
    try:
        parse_list(text)
    except InputError as error:
        assert "character" in str(error)


names = st.sampled_from([key for key in registry() if key not in ("ter", "chair-i", "chair-s")])
values = st.text(min_size=1, max_size=12)
leaves = names.map(parse) | values.map(lambda source: Spice(parser="graphs", source=source))
weights = st.floats(0.01, 100)


@given(
    st.recursive(
        leaves,
        lambda parts: st.lists(st.tuples(parts, weights), min_size=1, max_size=3).map(
            lambda chosen: Mean(tuple(p for p, _ in chosen), tuple(w for _, w in chosen))
        ),
        max_leaves=6,
    )
)
def test_every_combination_parses_back_from_its_key(metric):
    assert parse(str(metric)) == metric
    assert parse_list(f"{metric},bleu-1")[0] == metric
