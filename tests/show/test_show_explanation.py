"""An explanation as text and as JSON."""

from __future__ import annotations

import orjson

from tests.show.explained import EXPLANATION
from vericap.results.explanation import Explanation, Explanations
from vericap.show import as_json, as_text, remarks
from vericap.show.explanation import explanation_text

BLEU = Explanation("bleu-1", 0.5, "a puppy $5", ["a <b>dog</b>"], {"brevity penalty": 1.0}, drawing=["a dog", "|"])
OTHER = Explanation("bleu-1", 0.25, "a cat", [])


def test_terminal_shows_every_part() -> None:
    lines = explanation_text(EXPLANATION).splitlines()
    assert lines[:4] == ["faier = 1.5000", "  S  1.5000", "  words", "    puppy  matched dog"]
    heading = lines.index("  before fusion")
    assert lines[heading + 2].split() == ["dog", "0.50", "*3.25", "-1.00"]
    assert lines[-2:] == ["  relations", "    (none)"]
    assert explanation_text(BLEU).splitlines()[2:] == ["  a dog", "  |"]


def test_metrics_are_below_their_caption() -> None:
    text = as_text(Explanations([EXPLANATION, BLEU], [7, 7]))
    assert text.startswith("caption      a puppy $5\nreference 1  a <b>dog</b>\n\nfaier = 1.5000\n")
    assert text.count("caption      ") == 1 and "image" not in text


def test_several_images_are_named() -> None:
    text = as_text(Explanations([EXPLANATION, BLEU, OTHER], [7, 7, 9]))
    assert [line for line in text.splitlines() if line.startswith(("image", "caption"))] == [
        "image        7",
        "caption      a puppy $5",
        "image        9",
        "caption      a cat",
    ]


def test_notes_are_remarks() -> None:
    assert remarks(Explanations([BLEU], [7], ("spice was left out",))) == ["note: spice was left out"]


def test_json_holds_every_number() -> None:
    document = orjson.loads(b"".join(as_json(Explanations([EXPLANATION], [7], ("one note",)))))
    [data] = document["explanations"]
    assert data["image_id"] == 7 and document["notes"] == ["one note"]
    assert data["matrices"]["before fusion"] == {
        "rows": ["dog", "<sofa>"],
        "columns": ["a", "puppy", "$5"],
        "values": [[0.5, 3.25, -1.0], [0.75, 1.0, 2.0]],
    }
    assert data["matrices"]["relations"]["values"] == [[]]
