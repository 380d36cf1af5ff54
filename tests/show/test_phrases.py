"""Trees of phrases, drawn."""

from __future__ import annotations

from xml.etree import ElementTree

from vericap.scene.graph import SceneGraph
from vericap.scene.stanford.tree import Tree
from vericap.show.graphs import draw_svg
from vericap.show.phrases import draw_phrases, draw_phrases_svg, side_by_side

TREE = Tree.read("(ROOT (S (NP (DT a) (NN <b>)) (VP (VBZ runs))))")


def test_every_node_is_a_line_below_its_phrase() -> None:
    lines = draw_phrases(TREE)
    assert lines[0] == "ROOT" and len(lines) == 7 and lines[-1] == "        └── VBZ runs"


def test_the_drawing_has_words_in_order_and_no_markup_of_theirs() -> None:
    drawing = ElementTree.fromstring(draw_phrases_svg([TREE, TREE], "<title>"))
    texts = list(drawing.iter("{http://www.w3.org/2000/svg}text"))
    words = [(int(each.get("x", "")), each.text) for each in texts if each.text in ("a", "<b>", "runs")]
    assert [word for _, word in words[:3]] == ["a", "<b>", "runs"] and words[:3] == sorted(words[:3])
    assert texts[0].text == "<title>" and len(texts) == 1 + 2 * 10


def test_tree_and_graph_are_side_by_side() -> None:
    both = ElementTree.fromstring(side_by_side(draw_phrases_svg([TREE]), draw_svg(SceneGraph.of([("dog", "red")]))))
    left, right = list(both)
    assert right.get("x") == left.get("width")
