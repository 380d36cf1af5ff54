"""A wrong setting is named, with what it may be."""

from __future__ import annotations

import pytest

from vericap.errors import InputError
from vericap.metrics.faier.config import config_of


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"model": {"variant": "fair"}}, "model.variant.*'fair' is not one of faier, fier, aier, fier\\+aier"),
        ({"model": {"dimension": 7}}, "even number"),
        ({"training": {"references": 9}}, "training.references.*9 is not one of 1, 2, 3, 4, r"),
        ({"training": {"batch": "many"}}, "training.batch.*'many' is not a whole number"),
        ({"training": {"learning_rate": 0}}, "learning_rate.*0.0 is out of range; use a finite number above 0"),
        ({"training": {"dropout": 1}}, "dropout.*1.0 is out of range; use a number from 0 to below 1"),
        ({"training": {"classes": 0}}, "classes.*0.0 is out of range; use a number above 0"),
        ({"training": {"classes": 0.5}, "data": {"regions": "regions.npz"}}, "no classes to leave out"),
        ({"training": {"validations": 0}}, "training.validations.*out of range"),
        ({"training": {"patience": 0}}, "training.patience.*out of range"),
        ({"training": {"learning_rate": float("inf")}}, "inf is out of range"),
        ({"training": {"average": 1}}, "training.average.*from 0 to below 1"),
        ({"data": {"validation": -1}}, "data.validation.*-1 is out of range; use a finite number of 0 or more"),
        ({"data": {"objects": "labels.json", "regions": "regions.npz"}}, "both objects and regions"),
        ({"optimizer": {}}, "optimizer.*no such setting; use one of model, training, data"),
        ({"model": 3}, "model.*3 is not a table"),
    ],
)
def test_a_wrong_setting_is_named(given: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        config_of(given, "faier.toml")
