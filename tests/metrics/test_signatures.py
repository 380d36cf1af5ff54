"""A signature counts references where they change the number, and only there."""

from __future__ import annotations

import pytest

from vericap import evaluate
from vericap.metrics import parse

CAPTIONS = {1: "a dog and a cat on a couch", 2: "two cats sleep near a laptop"}
OBJECTS = {1: ["dog", "couch"], 2: ["cat"]}
ONE = {1: ["a dog lies on a sofa"], 2: ["cats asleep"]}
MORE = {1: ["a cat beside a dog", "pets on furniture"], 2: ["a laptop", "two kittens in a room"]}


def run(key: str, references: dict[int, list[str]] | None):
    return evaluate(CAPTIONS, references, objects=OBJECTS, metrics=key)[str(parse(key))]


@pytest.mark.parametrize(
    "key",
    [
        "fluency",
        "fluency(scale=slor)",
        "chair-i(truth=labels)",
        "chair-s(truth=labels)",
        "vifidel(references=no)",
        "vifidel(references=no,variant=released)",
        "mean(fluency,vifidel(references=no))",
    ],
)
def test_references_that_are_not_read_change_neither_score_nor_signature(key):
    alone, one, more = run(key, None), run(key, ONE), run(key, MORE)
    assert alone.captions.tolist() == one.captions.tolist() == more.captions.tolist()
    assert alone.signature == one.signature == more.signature


@pytest.mark.parametrize("key", ["chair-s", "chair-i(truth=references)", "vifidel", "wmd", "mean(fluency,vifidel)"])
def test_references_that_are_read_are_counted(key):
    one, more = run(key, ONE), run(key, MORE)
    assert one.captions.tolist() != more.captions.tolist()
    assert "|references:1|" in one.signature and "|references:2|" in more.signature
