"""Captions with their references and scores."""

from __future__ import annotations

import vericap
from vericap.show.caption_list import caption_list


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
