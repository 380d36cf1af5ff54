"""Sentences about a comparison."""

from __future__ import annotations

from dataclasses import replace

import vericap
from vericap.show import remarks
from vericap.show.claims import better_first, claims, contrast_sentence, contrast_sentences, opposite_signs, unsupported
from vericap.stats.contrast import Contrast

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
    found = vericap.compare({"exact": EXACT, "vague": vague}, REFERENCES, metrics="rouge-l,ter", bootstrap=99)
    turned = better_first(found)
    for key in found:
        assert turned[key] is found[key]
    for key, [each] in turned.contrasts.items():
        [before] = found.contrasts[key]
        assert (before.system, each.system, each.p, each.corrected) == ("vague", "exact", before.p, before.corrected)
        assert (each.wins, each.losses, each.effect) == (before.losses, before.wins, -before.effect)
    assert better_first(turned).contrasts == turned.contrasts
    assert claims(turned)[0] == claims(found)[0]


BETTER = Contrast("BLIP-2", "M²", 0.148, (0.129, 0.17), 0.0002, 0.0004, 0.5, 9, 0, 1)


def test_the_better_one_comes_first_and_the_interval_is_its_own() -> None:
    said = "BLIP-2 is better than M² in CIDEr-D by 14.8 [12.9, 17.0], p < 0.001"
    turned = replace(BETTER, system="M²", against="BLIP-2", difference=-0.148, interval=(-0.17, -0.129))
    assert contrast_sentence(BETTER, "CIDEr-D", 100) == contrast_sentence(turned, "CIDEr-D", 100) == said


def test_a_lower_error_rate_is_better() -> None:
    said = contrast_sentence(BETTER, "TER", 100, higher_is_better=False)
    assert said == "M² is better than BLIP-2 in TER by 14.8 [12.9, 17.0], p < 0.001"


def test_what_may_be_chance_is_not_called_better() -> None:
    unsure = replace(BETTER, difference=0.018, interval=(-0.063, 0.092), corrected=0.725)
    said = "BLIP-2 and M² do not differ significantly in TER: +1.8 [-6.3, +9.2], p = 0.725"
    assert contrast_sentence(unsure, "TER", 100) == said
    untested = replace(BETTER, interval=None, corrected=float("nan"))
    assert contrast_sentence(untested, "TER") == "BLIP-2 and M² do not differ significantly in TER: +0.1480, not tested"


def test_a_note_says_why_difference_and_effect_may_disagree() -> None:
    references = {i: [f"a {animal} runs"] for i, animal in enumerate(["dog", "cat", "cow", "pig"])}
    exact = {i: given[0] for i, given in references.items()}
    found = vericap.compare(
        {"a": exact, "b": dict.fromkeys(exact, "an animal")}, references, metrics="rouge-l,ter", bootstrap=19
    )
    assert len(contrast_sentences(found)) == 2 and list(opposite_signs(found)) == []
    odd = replace(found, contrasts={"ter": [replace(found.contrasts["ter"][0], effect=0.3)]})
    [note] = opposite_signs(odd)
    assert note.startswith("ter, b − a: the difference is between corpus scores")
    assert f"note: {note}" in remarks(odd)
