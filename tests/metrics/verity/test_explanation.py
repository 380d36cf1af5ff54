"""What an explanation of Verity says: which words are supported by which reference, and what was missed."""

from __future__ import annotations

import pytest

import vericap
from vericap.metrics.verity.explanation import words_of
from vericap.metrics.verity.model import load
from vericap.show import as_text

SURFER = ["A man riding a wave on a surfboard.", "A surfer in the ocean.", "a man surfs"]


def explained(caption, references=SURFER):
    return vericap.explain([caption], [references], image_id=0, metrics="verity")[0]


def test_words_are_spelled_as_the_text_does():
    words = words_of(load().encoder, "A Surfboarder's café, outdoors")
    assert words.spelled == ["A", "Surfboarder", "'", "s", "café", ",", "outdoors"]
    assert sorted(set(words.word)) == list(range(7))


def test_a_word_that_nobody_says_has_no_support():
    found = explained("a man riding a giraffe")
    words = {part.text: part.values for part in found.sections["words of the caption"]}
    assert words["man"]["support"] > 0.8 and words["man"]["nearest"] == "man"
    assert words["giraffe"]["support"] < 0.6
    assert "giraffe" in [part.text for part in found.sections["words without support"]]
    missed = [part.text for part in found.sections["words of references that are missed"]]
    assert {"wave", "surfboard"} & set(missed) and "man" not in missed
    assert sum(values["weight"] for values in words.values()) <= 1.01


def test_the_score_is_that_of_the_run_and_z_adds_up():
    found = explained("a man riding a wave")
    assert found.score == vericap.evaluate(["a man riding a wave"], [SURFER], metrics="verity")["verity"].score
    summands = [found.values[f"{name} in z"] for name in ("fidelity", "adequacy", "wholes", "references")]
    assert sum(summands) == pytest.approx(found.values["z"])


def test_references_are_numbered_as_given_also_beside_empty_ones():
    found = explained("a surfer", ["", "a red bus", "a surfer"])
    words = {part.text: part.values for part in found.sections["words of the caption"]}
    assert words["surfer"]["reference"] == 3
    assert found.matrices["support by each reference"].columns == ["reference 2", "reference 3"]


@pytest.mark.parametrize(("caption", "references"), [("", SURFER), ("a man", ["", "."]), ("", [""])])
def test_texts_without_a_word_are_explained_too(caption, references):
    assert explained(caption, references).to_dict()["metric"] == "verity"


def test_every_medium_draws_it(tmp_path):
    found = vericap.explain(["a man riding a giraffe"], [SURFER], image_id=0, metrics="verity")
    assert "giraffe" in as_text(found)
    found.to_html(tmp_path / "page.html")
    assert "giraffe" in (tmp_path / "page.html").read_text("utf-8")
