"""The page of a captioner's scores, and what a notebook shows."""

from __future__ import annotations

import re

import vericap
from tests.show.report.reading import report_of

CAPTIONS = {1: "a dog", 2: "a <b>car</b>, red"}
REFERENCES = {1: ["a dog runs"], 2: ["a red car"]}


def test_the_page_holds_every_caption_and_number_of_the_json() -> None:
    result = vericap.evaluate(CAPTIONS, REFERENCES, metrics="bleu-1,rouge-l", label="mine", bootstrap=50)
    report, data = report_of(result.to_html()), result.to_dict()
    assert report["captions"]["text"] == [row["caption"] for row in data["captions"]]
    for fact in report["metrics"]:
        of = data["metrics"][fact["key"]]
        assert (fact["score"], fact["interval"], fact["signature"]) == (of["score"], of["interval"], of["signature"])


def test_a_reader_without_scripts_sees_the_table_notes_and_signatures() -> None:
    result = vericap.evaluate(CAPTIONS, REFERENCES, metrics="bleu-1", label="mine")
    body = result.to_html().partition('<main id="page">')[2].partition("</main>")[0]
    assert "<table>" in body and "metric:bleu-1|" in body and "<script" not in body


def test_a_notebook_shows_the_table_without_scripts() -> None:
    shown = vericap.evaluate(CAPTIONS, REFERENCES, metrics="bleu-1", label="<i>mine</i>")._repr_html_()
    assert "&lt;i&gt;mine&lt;/i&gt;" in shown and not re.search(r"<script|<style|https?:", shown)
