"""The result of one captioner in each medium."""

from __future__ import annotations

import csv
import io

import orjson
import pytest

import vericap
from vericap.show import as_csv, as_json, as_table, as_text, remarks
from vericap.show.scores import score_table

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


def test_every_caption_and_id_is_written_as_orjson_writes_it() -> None:
    """Quotes, commas at the end of a text, escapes, ids of both types, a score that does not exist: one by one or in
    a block, the bytes are the same."""
    texts = ["a dog", 'a "dog",', '","', "back\\slash", "line\nbreak", "", "café 🐕"]
    given = [{"image_id": f'"{row}%b' if row % 2 else row, "caption": text} for row, text in enumerate(texts)]
    found = vericap.evaluate(given, {each["image_id"]: ["a dog"] for each in given}, metrics="bleu-1,ter")
    lines = b"".join(as_json(found)).split(b'"captions": [\n')[1].split(b"\n  ]")[0].split(b",\n")
    assert lines == [orjson.dumps(row) for row in found.caption_rows()]


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
    assert first[:2] == ["'@x", "'=HYPERLINK(\"x\")"] and second[:2] == ["-5", "'- a dog"]
    assert [row["caption"] for row in found.to_dict()["captions"]] == [row["caption"] for row in given]
