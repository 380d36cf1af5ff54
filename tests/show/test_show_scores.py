"""The result of one captioner in each medium."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import numpy as np
import orjson
import pytest

import vericap
from tests.show.report.reading import report_of
from vericap.show import as_csv, as_json, as_table, as_text, remarks, scores
from vericap.show.scores import caption_list, score_table

CAPTIONS = [
    {"image_id": 1, "caption": "a dog", "kind": "animal"},
    {"image_id": 2, "caption": "a <b>car</b>, red", "kind": "thing"},
]
REFERENCES = {1: ["a dog runs"], 2: ["a red car"]}


@pytest.fixture(scope="module")
def result() -> vericap.Result:
    return vericap.evaluate(CAPTIONS, REFERENCES, metrics="bleu-1,rouge-l", group_by="kind", label="mine")


def test_json_is_the_result_as_plain_data_with_one_line_per_caption(result: vericap.Result) -> None:
    text = b"".join(as_json(result))
    assert orjson.loads(text) == orjson.loads(orjson.dumps(result.to_dict()))
    assert sum(line.startswith(b'{"image_id"') for line in text.splitlines()) == 2


TEXTS = ["a dog", 'a "dog",', '","', "back\\slash", "line\nbreak", "], [", "nul\0", "", "café 🐕"]


@pytest.mark.parametrize("kind", ["numbers", "texts", "both"])
def test_every_caption_and_id_is_written_as_orjson_writes_it(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Quotes, commas at the end of a text, escapes, ids of both types, from a file or as objects, in one block or in
    several: the bytes are the same."""
    monkeypatch.setattr(scores, "_LINES", 4)
    ids = [row if kind == "numbers" or (kind == "both" and row % 2) else f'"{row}%b' for row in range(len(TEXTS))]
    given = [{"image_id": image_id, "caption": text} for image_id, text in zip(ids, TEXTS, strict=True)]
    (tmp_path / "given.json").write_bytes(orjson.dumps(given))
    for source in (given, tmp_path / "given.json"):
        found = vericap.evaluate(source, {image_id: ["a dog"] for image_id in ids}, metrics="bleu-1,ter")
        found["ter"].captions[1] = np.nan
        lines = b"".join(as_json(found)).split(b'"captions": [\n')[1].split(b"\n  ]\n")[0].split(b",\n")
        rows = zip(ids, TEXTS, found["bleu-1"].captions, found["ter"].captions, strict=True)
        assert lines == [
            orjson.dumps(
                {"image_id": image_id, "caption": text, "scores": {"bleu-1": bleu, "ter": ter}},
                option=orjson.OPT_SERIALIZE_NUMPY,
            )
            for image_id, text, bleu, ter in rows
        ]


def test_csv_has_one_row_per_caption(result: vericap.Result) -> None:
    rows = list(csv.reader(io.StringIO(as_csv(result))))
    assert rows[0] == ["image_id", "caption", "bleu-1", "rouge-l"]
    assert rows[2][:2] == ["2", "a <b>car</b>, red"]
    assert float(rows[1][3]) == result["rouge-l"].captions[0]


def test_groups_come_before_the_whole(result: vericap.Result) -> None:
    assert [row.label for row in score_table(result).rows] == ["animal", "thing", "all"]
    assert as_text(result, "markdown") == as_table(result, "markdown") == result.table("markdown")


def test_several_results_are_rows_of_one_table(result: vericap.Result) -> None:
    other = vericap.evaluate(CAPTIONS, REFERENCES, metrics="bleu-1,rouge-l", label="yours")
    assert [row.label for row in score_table(other, other).rows] == ["yours", "yours"]


def test_remarks_are_scale_notes_and_signatures() -> None:
    found = vericap.evaluate(
        {1: "a dog", 2: "a cat", 3: "x"}, {1: ["a dog"], 2: ["a cat"]}, metrics="bleu-1", missing="drop"
    )
    scale, *notes, signature = remarks(found, 100)
    assert scale == "(scores × 100)" and signature == found["bleu-1"].signature
    assert notes and all(line.startswith("note: ") for line in notes)


def test_a_spreadsheet_does_not_compute_a_caption() -> None:
    given = [{"image_id": "@x", "caption": '=HYPERLINK("x")'}, {"image_id": -5, "caption": "- a dog"}]
    found = vericap.evaluate(given, {"@x": ["a dog"], -5: ["a dog"]}, metrics="ter")
    _, first, second = csv.reader(io.StringIO(as_csv(found)))
    assert first[:2] == ["'@x", '\'=HYPERLINK("x")'] and second[:2] == ["-5", "'- a dog"]
    assert [row["caption"] for row in found.to_dict()["captions"]] == [row["caption"] for row in given]


PAGE_CAPTIONS = {1: "a dog", 2: "a <b>car</b>, red"}


def test_the_page_holds_every_caption_and_number_of_the_json() -> None:
    result = vericap.evaluate(PAGE_CAPTIONS, REFERENCES, metrics="bleu-1,rouge-l", label="mine", bootstrap=50)
    report, data = report_of(result.to_html()), result.to_dict()
    assert report["captions"]["text"] == [row["caption"] for row in data["captions"]]
    for fact in report["metrics"]:
        of = data["metrics"][fact["key"]]
        assert (fact["score"], fact["interval"], fact["signature"]) == (of["score"], of["interval"], of["signature"])


def test_a_reader_without_scripts_sees_the_table_notes_and_signatures() -> None:
    result = vericap.evaluate(PAGE_CAPTIONS, REFERENCES, metrics="bleu-1", label="mine")
    body = result.to_html().partition('<main id="page">')[2].partition("</main>")[0]
    assert "<table>" in body and "metric:bleu-1|" in body and "<script" not in body


def test_a_notebook_shows_the_table_without_scripts() -> None:
    shown = vericap.evaluate(PAGE_CAPTIONS, REFERENCES, metrics="bleu-1", label="<i>mine</i>")._repr_html_()
    assert "&lt;i&gt;mine&lt;/i&gt;" in shown and not re.search(r"<script|<style|https?:", shown)


def test_each_caption_has_its_references_objects_and_scores() -> None:
    found = vericap.evaluate(
        {7: "a dog", 8: "a \x1bcat"},
        {7: ["a dog runs", "one dog"], 8: ["a cat"]},
        objects={7: ["dog", "cat"], 8: []},
        metrics="rouge-l",
    )
    title, second, first = caption_list(found, [1, 0], "Worst 2", 100).split("\n\n")
    assert title == "Worst 2" and second.splitlines()[1:] == [r"  caption: a \x1bcat", "  reference: a cat"]
    head, *rest = first.splitlines()
    assert head.startswith("image 7: rouge-l ") and rest == [
        "  caption: a dog",
        "  reference: a dog runs",
        "  reference: one dog",
        "  objects: dog, cat",
    ]
