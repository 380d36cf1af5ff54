"""`evaluate` as a user reads about it."""

from __future__ import annotations

import inspect
import re

from vericap import evaluate


def test_the_docstring_explains_every_argument() -> None:
    explained = set(re.findall(r"^(\w+)(?: : .*)?\n    \S", inspect.getdoc(evaluate) or "", re.M))
    assert sorted(inspect.signature(evaluate).parameters.keys() - explained) == []


def test_a_field_of_the_captions_is_kept_if_asked_for() -> None:
    rows = [{"image_id": 1, "caption": "a dog", "kind": "x"}, {"image_id": 2, "caption": "a cat", "kind": "y"}]
    result = evaluate(rows, {1: ["a dog"], 2: ["a cat"]}, metrics="rouge-l", group_by="kind")
    assert {name: group.scores["rouge-l"] for name, group in result.groups.items()} == {"x": 1.0, "y": 1.0}
