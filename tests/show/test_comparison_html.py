"""The page of a comparison, and what a notebook shows."""

from __future__ import annotations

import vericap
from tests.show.report.reading import report_of

REFERENCES = {i: [f"a {animal} runs"] for i, animal in enumerate(["dog", "cat", "cow", "pig"])}
SYSTEMS = {"exact": {i: given[0] for i, given in REFERENCES.items()}, "<vague>": dict.fromkeys(REFERENCES, "an animal")}


def test_the_page_holds_the_numbers_of_the_json_and_escapes_names() -> None:
    found = vericap.compare(SYSTEMS, REFERENCES, metrics="rouge-l", resamples=99)
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
    shown = vericap.compare(SYSTEMS, REFERENCES, metrics="rouge-l", resamples=99)._repr_html_()
    assert "exact is better than &lt;vague&gt; in ROUGE-L by 1.0000" in shown
    assert "<table>" in shown and "<script" not in shown
