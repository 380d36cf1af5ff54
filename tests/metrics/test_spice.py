"""Facts about SPICE that hold whatever the parser."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from vericap import compare, evaluate, explain
from vericap.errors import InputError
from vericap.metrics import parse, spice

CANDIDATES = {1: "a girl rides a brown horse", 2: "two dogs"}
REFERENCES = {1: ["a young woman is on a brown horse", "a horse with a rider"], 2: ["two dogs play", "a dog"]}
GRAPHS = {
    "a girl rides a brown horse": [["girl", "ride", "horse"], ["horse", "brown"]],
    "a young woman is on a brown horse": [["woman", "on", "horse"], ["horse", "brown"], ["woman", "young"]],
    "a horse with a rider": [["horse", "with", "rider"]],
    "two dogs": [["dog", "two"]],
    "two dogs play": [["dog", "two"], ["dog", "play"]],
    "a dog": "( dog )",
}


@pytest.fixture
def graphs(tmp_path: Path) -> Path:
    path = tmp_path / "graphs.json"
    path.write_text(json.dumps(GRAPHS), "utf-8")
    return path


def score(graphs: Path, name: str = "spice"):
    key = f"{name}(parser=graphs,source={graphs})"
    return evaluate(CANDIDATES, REFERENCES, metrics=key, tokenizer="whitespace")[key]


def test_matched_tuples_count_in_precision_and_in_recall(graphs: Path) -> None:
    # girl, horse, brown horse, girl rides horse; of the references' 7 tuples horse and brown horse are met.
    result = score(graphs, "spice-exact")
    np.testing.assert_allclose(result.captions, [2 * 2 / (4 + 7), 2 * 2 / (2 + 3)])
    assert result.score == pytest.approx(result.captions.mean())


def test_a_sub_score_without_reference_tuples_is_undefined_and_said_so(graphs: Path) -> None:
    key = f"spice.color(parser=graphs,source={graphs})"
    result = evaluate(CANDIDATES, REFERENCES, metrics=key, tokenizer="whitespace")
    assert np.isnan(result[key].captions[1]) and result[key].score == 1.0
    assert any("undefined for 1 of 2 captions" in note for note in result.notes)
    assert result.to_dict()["captions"][1]["scores"][key] is None


def test_the_explanation_names_what_each_tuple_matched(graphs: Path) -> None:
    (why,) = explain(
        CANDIDATES,
        REFERENCES,
        image_id=1,
        metrics=f"spice(parser=graphs,source={graphs})",
        tokenizer="whitespace",
    )
    said = {part.text: part.values for part in why.sections["the caption says"]}
    assert said["horse – brown"] == {"true": "yes", "matches": "horse – brown"}
    assert said["girl – ride – horse"] == {"true": "no"}


def test_the_reference_itself_is_perfect() -> None:
    captions = {1: "a young girl is standing on a tennis court", 2: "two men and a dog near a red car"}
    result = evaluate(captions, {k: [v] for k, v in captions.items()}, metrics="spice", tokenizer="whitespace")
    assert result["spice"].captions.tolist() == [1.0, 1.0]


def test_a_caption_without_a_graph_is_named(tmp_path: Path) -> None:
    (tmp_path / "g.json").write_text("{}")
    with pytest.raises(InputError, match="no graph for the caption 'a girl rides a brown horse'"):
        score(tmp_path / "g.json")


@pytest.mark.parametrize(
    ("key", "fault"),
    [("spice(parser=spacy)", "no parser is called"), ("spice(parser=factual)", "needs a source")],
)
def test_a_parser_that_is_not_there_is_named_before_any_work(key: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        evaluate(CANDIDATES, REFERENCES, metrics=key, tokenizer="whitespace")


def test_keys_parse_back() -> None:
    for key in ("spice", "spice-exact", "spice.color", "spice(parser=graphs,source=a.json)"):
        assert str(parse(key)) == key


def test_processes_that_share_the_images_change_no_number(graphs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = f"spice(parser=graphs,source={graphs})"
    captions = {"first": CANDIDATES, "second": {1: "two dogs", 2: "a girl rides a brown horse"}}
    alone = {name: evaluate(given, REFERENCES, metrics=key, tokenizer="whitespace")[key].score
             for name, given in captions.items()}  # fmt: skip
    monkeypatch.setattr(spice, "_IMAGES", 1)
    shared = compare(captions, references=REFERENCES, metrics=key, tokenizer="whitespace", workers=2).to_dict()
    assert {name: told["score"] for name, told in shared["metrics"][key]["systems"].items()} == alone
    assert alone["first"] != alone["second"]
