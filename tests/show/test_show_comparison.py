"""Captioners side by side in each medium."""

from __future__ import annotations

from dataclasses import replace
from html import escape

import pytest

import vericap
from tests.show.report.reading import report_of
from vericap.show import as_page, as_text, remarks
from vericap.show.claims import contrast_sentences
from vericap.show.comparison import contrast_grid, examples_grid, examples_title
from vericap.show.numbers import in_one_line

REFERENCES = {i: [f"a {animal} runs"] for i, animal in enumerate(["dog", "cat", "cow", "pig"])}
VAGUE = {**dict.fromkeys(REFERENCES, "an animal"), 3: "a pig"}
SYSTEMS = {"exact": {i: given[0] for i, given in REFERENCES.items()}, "<vague>": VAGUE}


@pytest.fixture(scope="module")
def found() -> vericap.Comparison:
    return vericap.compare(SYSTEMS, REFERENCES, metrics="rouge-l,ter", bootstrap=99, examples=1)


def test_contrasts_are_signed_and_count_images(found: vericap.Comparison) -> None:
    first, second = contrast_grid(found, 100).rows
    assert first[:2] == ["rouge-l", "<vague> − exact"] and first[2].startswith("-") and first[-3:] == ["0", "0", "4"]
    assert second[0] == "ter" and second[2].startswith("+")
    assert found.contrast_table("plain", 100) == contrast_grid(found, 100).draw("plain")


def test_text_has_scores_contrasts_and_examples(found: vericap.Comparison) -> None:
    scores, contrasts, said, title, example = as_text(found, "plain").split("\n\n")
    assert said.splitlines() == contrast_sentences(found)
    assert scores == found.table() and contrasts == found.contrast_table()
    assert title == examples_title(found) and title.endswith("mean over rouge-l, ter")
    assert example.splitlines()[0].startswith("image ") and "<vague> worse than exact by" in example
    assert example.splitlines()[1:] == ["  <vague>: an animal", "  exact: a dog runs", "  reference: a dog runs"]


def test_a_table_for_a_paper_is_alone(found: vericap.Comparison) -> None:
    for format in ("latex", "csv", "html"):
        assert as_text(found, format) == found.table(format)


def test_remarks_say_how_it_was_tested(found: vericap.Comparison) -> None:
    legend, scale, *rest = remarks(found, 10)
    assert "paired bootstrap with 99 resamples of 4 images" in legend and scale == "(scores × 10)"
    signatures = [each.signature for each in found["exact"].values()]
    assert rest[-1] == f"signatures: {in_one_line(signatures)}"
    assert remarks(found, 10, True)[-2:] == signatures


def test_the_page_escapes_names_and_shows_the_examples(found: vericap.Comparison) -> None:
    text = as_page(found)
    assert text.count("<table>") == 3 and "<vague>" not in text and escape("<vague>") in text
    captions = [["<vague>", "an animal"], ["exact", "a dog runs"], ["(reference)", "a dog runs"]]
    assert [row[1:3] for row in examples_grid(found).rows] == captions
    assert as_page(replace(found, examples=[])).count("<table>") == 2


PAGE_SYSTEMS = {
    "exact": {i: given[0] for i, given in REFERENCES.items()},
    "<vague>": dict.fromkeys(REFERENCES, "an animal"),
}


def test_the_page_holds_the_numbers_of_the_json_and_escapes_names() -> None:
    found = vericap.compare(PAGE_SYSTEMS, REFERENCES, metrics="rouge-l", bootstrap=99)
    text = found.to_html()
    report, data = report_of(text), found.to_dict()
    [metric] = report["metrics"]
    assert [each["score"] for each in metric["systems"]] == [1.0, 0.0]
    # The page names the better one first; the command line tested the second against the first.
    [pair], [of] = metric["pairs"], data["metrics"]["rouge-l"]["pairs"]
    assert (pair["system"], of["system"]) == ("exact", "<vague>")
    assert (pair["difference"], pair["corrected"]) == (-of["difference"], of["corrected"])
    assert (pair["wins"], pair["ties"], pair["losses"]) == (of["losses"], of["ties"], of["wins"])
    assert pair["interval"] == [-end for end in of["interval"][::-1]]
    assert "<vague>" not in text


def test_a_notebook_shows_the_sentence_and_the_tables() -> None:
    shown = vericap.compare(PAGE_SYSTEMS, REFERENCES, metrics="rouge-l", bootstrap=99)._repr_html_()
    assert "exact is better than &lt;vague&gt; in ROUGE-L by 1.0000" in shown
    assert "<table>" in shown and "<script" not in shown
