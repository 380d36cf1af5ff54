"""`vericap graph` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

from typer.testing import CliRunner

from vericap.cli import app
from vericap.readers.storage.graph_files import propositions

CAPTION = "A young girl is standing on top of a tennis court."


def graph(*words: str) -> str:
    result = CliRunner().invoke(app, ["graph", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_tree_of_objects_attributes_and_relations() -> None:
    lines = graph(CAPTION).splitlines()
    assert lines[0] == "girl"
    assert "├── young" in lines
    assert "└── stand on top of → court" in lines


def test_the_drawing_is_svg_with_three_colours(tmp_path: Path) -> None:
    graph(CAPTION, "--svg", str(tmp_path / "graph.svg"))
    drawing = ElementTree.parse(tmp_path / "graph.svg").getroot()
    assert len({e.get("fill") for e in drawing.iter("{http://www.w3.org/2000/svg}rect")}) == 4  # and white


def test_markup_in_a_caption_stays_text(tmp_path: Path) -> None:
    graph("a <script> & a dog", "--svg", str(tmp_path / "graph.svg"))
    drawing = ElementTree.parse(tmp_path / "graph.svg").getroot()
    assert [each.tag for each in drawing.iter() if each.tag.lower().endswith("script")] == []
    assert any("dog" in text for text in drawing.itertext())


def test_json_reads_back_as_graphs_of_your_own(tmp_path: Path) -> None:
    (tmp_path / "graphs.json").write_text(graph(CAPTION, "--json"), "utf-8")
    (found,) = propositions([CAPTION], str(tmp_path / "graphs.json"))
    assert ("girl", "court", "stand on top of") in found
    assert json.loads(graph("", "--json")) == [{"caption": "", "graph": []}]


def test_the_tree_of_phrases_is_above_the_graph(grammar: None, tmp_path: Path) -> None:
    lines = graph("A dog sleeps. A cat with two kittens.", "--tree", "--svg", str(tmp_path / "tree.svg")).splitlines()
    assert lines.count("ROOT") == 2 and "    │   └── NN dog" in lines and lines[-2:] == ["kitten", "└── two"]
    drawing = "".join(ElementTree.parse(tmp_path / "tree.svg").getroot().itertext())
    assert all(word in drawing for word in ("VP", "VBZ", "sleeps", "dog", "objects"))


def test_only_its_own_parser_makes_trees_of_phrases(grammar: None) -> None:
    for words, fault in [
        (["--tree", "--parser", "vericap"], "makes no tree of phrases"),
        (["--parser", "spacy"], "no parser of trees is called 'spacy'"),
    ]:
        result = CliRunner().invoke(app, ["graph", "a dog", *words])
        assert result.exit_code and fault in str(result.exception or result.output)
