"""Scene graphs drawn."""

from __future__ import annotations

from xml.etree import ElementTree

import orjson

from vericap.scene.graph import SceneGraph
from vericap.show.graphs import draw_svg, draw_tree, graph_json

GRAPH = SceneGraph.of([("girl", "young"), ("girl", "court", "stand on"), ("court", "girl", "under")])


def test_a_tree_has_attributes_and_relations_below_each_object() -> None:
    assert draw_tree(GRAPH) == ["girl", "├── young", "└── stand on → court", "court", "└── under → girl"]
    assert draw_tree(SceneGraph.of([])) == ["(no objects)"]


def test_svg_is_valid_whatever_the_title() -> None:
    root = ElementTree.fromstring(draw_svg(GRAPH, 'a <b> & "c"'))
    texts = ["".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert 'a <b> & "c"' in texts and {"girl", "court", "young", "stand on ▸", "under ▸"} <= set(texts)
    assert ElementTree.fromstring(draw_svg(SceneGraph.of([]))) is not None


def test_a_relation_to_itself_is_drawn_above() -> None:
    root = ElementTree.fromstring(draw_svg(SceneGraph.of([("dog", "dog", "chase")])))
    assert "chase ▸" in "".join(root.itertext())


def test_json_holds_every_tuple() -> None:
    [row] = orjson.loads(graph_json(GRAPH, "a caption"))
    assert row["caption"] == "a caption" and ["girl", "stand on", "court"] in row["graph"]
