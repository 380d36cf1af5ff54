"""Sentences about a comparison."""

from __future__ import annotations

import vericap
from vericap.show.report.claims import better_first, claims, unsupported

REFERENCES = {
    i: [f"a {animal} runs"] for i, animal in enumerate(["dog", "cat", "cow", "pig", "hen", "fox", "owl", "bat"])
}
EXACT = {i: given[0] for i, given in REFERENCES.items()}
VAGUE = dict.fromkeys(REFERENCES, "an animal")


def test_the_better_one_is_named_first_whatever_the_direction_of_the_metric() -> None:
    for metric, name in (("rouge-l", "ROUGE-L"), ("ter", "TER")):
        headline = claims(vericap.compare({"vague": VAGUE, "exact": EXACT}, REFERENCES, metrics=metric))[0]
        assert headline.startswith(f"exact is better than vague in {name} by 1.0000")
        assert headline.endswith("its caption is the better one on 8 of 8 images.")


def test_what_may_be_chance_is_not_claimed() -> None:
    other = {**EXACT, 0: "a dog sleeps"}
    found = vericap.compare({"a": EXACT, "b": other}, REFERENCES, metrics="rouge-l")
    assert "not significantly better than" in claims(found)[0]
    assert claims(found)[1] == "b against a: no significant difference in ROUGE-L."
    assert unsupported(found)[0].startswith("b and a do not differ significantly in ROUGE-L")


def test_captioners_that_were_not_tested_are_named() -> None:
    found = vericap.compare({"a": EXACT, "b": VAGUE, "c": VAGUE}, REFERENCES, metrics="rouge-l")
    assert unsupported(found) == ["b and c were not tested against each other; use --against all."]


def test_the_better_one_is_read_against_the_other_and_nothing_else_changes() -> None:
    vague = {**VAGUE, 0: "a dog"}  # or else all differences are the same, and there is no effect size
    found = vericap.compare({"exact": EXACT, "vague": vague}, REFERENCES, metrics="rouge-l,ter", resamples=99)
    turned = better_first(found)
    for key in found:
        assert turned[key] is found[key]
    for key, [each] in turned.contrasts.items():
        [before] = found.contrasts[key]
        assert (before.system, each.system, each.p, each.corrected) == ("vague", "exact", before.p, before.corrected)
        assert (each.wins, each.losses, each.effect) == (before.losses, before.wins, -before.effect)
    assert better_first(turned).contrasts == turned.contrasts
    assert claims(turned)[0] == claims(found)[0]
