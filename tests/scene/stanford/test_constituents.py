"""Lists of labels, and nodes that know their place."""

from __future__ import annotations

from vericap.scene.stanford.constituents import Constituent, labels


def test_a_list_names_labels_by_beginning_group_and_exclusion() -> None:
    assert labels("VB*") == {"VB", "VBD", "VBG", "VBN", "VBP", "VBZ"}
    assert labels("WH+ X") == {"NP", "NP-TMP", "WHNP", "X"}
    assert "NP" in labels("but VB* PP+") and labels("but VB* PP+").isdisjoint({"VBZ", "WHPP"})
    assert labels("but NN") | {"NN"} == labels("*")


def test_joined_children_get_a_node_and_linked_ones_a_place() -> None:
    phrase = Constituent(
        "NP", [Constituent("DT", [], 0, "a"), Constituent("JJ", [], 1, "red"), Constituent("NN", [], 2)]
    )
    phrase.join(1, 3, "NX")
    phrase.link()
    assert [child.label for child in phrase.children] == ["DT", "NX"]
    assert phrase.children[1].parent is phrase and phrase.children[1].children[1].place == 1
