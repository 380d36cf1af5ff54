"""Five captions with references and objects, and how the tests score them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from vericap import evaluate
from vericap.metrics import parse

CAPTIONS = {
    1: "a dog runs on the grass near a ball",
    2: "two cats",
    3: "a man riding a horse on the beach while a woman watches",
    4: "",
    5: "a dog runs on the grass near a ball",
}
REFERENCES = {
    1: ["a brown dog plays with a ball", "dog on grass", "the dog is in a park"],
    2: ["cats on a sofa", "two cats are sleeping on a red couch"],
    3: ["a man on a horse"],
    4: ["an empty street", "street", "a street at night"],
    5: ["a brown dog plays with a ball", "dog on grass", "the dog is in a park"],
}
OBJECTS = {
    1: ["dog", "sports ball"],
    2: ["cat", "cat", "couch"],
    3: ["person", "horse", "person", "boat"],
    4: [],
    5: ["dog", "sports ball"],
}
Make = Callable[..., str]


def key(folder: str, name: str = "faier", **parameters: str) -> str:
    inside = ",".join(f"{name}={value}" for name, value in {**parameters, "checkpoint": folder}.items())
    return str(parse(f"{name}({inside})"))


def model(tiny: Make, variant: str) -> str:
    """A model of a variant, trained with as many references as its key says."""
    return tiny(variant, references="4" if variant == "aier" else "r")


def scores(metric: str, **given: Any) -> np.ndarray:
    return evaluate(CAPTIONS, metrics=[metric], **{"references": REFERENCES, "objects": OBJECTS, **given})[
        metric
    ].captions
