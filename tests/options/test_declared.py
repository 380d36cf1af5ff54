"""One way from texts and plain data to the fields of a dataclass."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import pytest

from vericap.errors import InputError
from vericap.options.declared import Between, check_fields, checked, field_types, fill, read_toml, value_of


@dataclass
class Model:
    kind: Literal["small", "large", "4"] = "small"
    units: int = 8
    share: float = 0.5
    name: str | None = None
    weights: tuple[float, ...] = ()
    files: tuple[str, ...] = ()
    fixed: int = field(default=1, init=False)
    family: ClassVar[str] = "toy"


@dataclass
class Run:
    model: Model = field(default_factory=Model)
    seed: int = 0


@pytest.mark.parametrize(
    ("text", "declared", "value"),
    [
        ("3", int, 3),
        ("-0.5", float, -0.5),
        ("on", bool, True),
        ("No", bool, False),
        ("a text", str, "a text"),
        ("r", Literal["r", 4], "r"),
        ("4", Literal["r", 4], 4),
        ("1:2.5", tuple[float, ...], (1.0, 2.5)),
        ("1:2", tuple[int, ...], (1, 2)),
        ("3", int | None, 3),
        ("none", int | None, None),
        ("half", float | Literal["half"], "half"),
    ],
)
def test_a_text_has_the_value_of_its_type(text: str, declared: Any, value: Any) -> None:
    found = value_of(text, declared)
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "declared", "problem"),
    [
        ("much", float, "'much' is not a number"),
        ("0.5", int, "'0.5' is not a whole number"),
        ("maybe", bool, "'maybe' is not yes or no"),
        ("x", Literal["a", "b"], "'x' is not one of a, b"),
        ("1:x", tuple[float, ...], "'1:x' is not numbers separated by colons"),
        ("x", int | None, "'x' is not a whole number"),
        ("x", float | Literal["half"], "'x' is not a number or one of half"),
        ("x", list[int], "'x' is not a value of type list"),
    ],
)
def test_an_error_says_what_a_text_may_be(text: str, declared: Any, problem: str) -> None:
    with pytest.raises(InputError) as error:
        value_of(text, declared)
    assert str(error.value) == problem


@pytest.mark.parametrize(
    ("value", "declared", "problem"),
    [
        (True, int, "True is not a whole number"),
        (1.0, int, "1.0 is not a whole number"),
        ("1", float, "'1' is not a number"),
        (1, bool, "1 is not true or false"),
        (3, str, "3 is not a string"),
        ([1], tuple[str, ...], "[1] is not strings in a list"),
        (True, Literal["1"], "True is not one of 1"),
        (3, Model, "3 is not a table"),
    ],
)
def test_plain_data_of_another_type_are_refused(value: Any, declared: Any, problem: str) -> None:
    with pytest.raises(InputError) as error:
        checked(value, declared)
    assert str(error.value) == problem


def test_tables_fill_a_dataclass() -> None:
    given = {"model": {"kind": 4, "share": 1, "weights": [1, 2], "files": ["a"]}, "seed": 3}
    assert fill(Run, given, "x.toml") == Run(Model("4", 8, 1.0, None, (1.0, 2.0), ("a",)), 3)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"modle": {}}, 'x.toml, field "modle": there is no such setting; use one of model, seed'),
        ({"model": {"unit": 3}}, 'x.toml, field "model.unit": there is no such setting; use one of kind, units, '),
        ({"model": {"fixed": 3}}, 'x.toml, field "model.fixed": there is no such setting'),
        ({"model": {"kind": "huge"}}, "x.toml, field \"model.kind\": 'huge' is not one of small, large, 4"),
    ],
)
def test_an_error_names_file_and_field(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        fill(Run, given, "x.toml")
    assert str(error.value).startswith(message)


def test_fields_of_the_constructor_alone_have_types() -> None:
    assert list(field_types(Model)) == ["kind", "units", "share", "name", "weights", "files"]


def test_a_file_that_is_not_toml_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text("seed = three")
    with pytest.raises(InputError, match=r"x\.toml: this file is not valid TOML"):
        read_toml(tmp_path / "x.toml")
    with pytest.raises(InputError, match=r"y\.toml: the file cannot be read"):
        read_toml(tmp_path / "y.toml")


@dataclass
class Bounded:
    share: Annotated[float, Between(0, 1)] | None = None
    order: Annotated[int, Between(1, 4)] = 1


@pytest.mark.parametrize("given", [Bounded(), Bounded(0, 4), Bounded(np.float64(1.0), np.int64(2))])
def test_numbers_on_their_bounds_are_within(given: Bounded) -> None:
    before = replace(given)
    check_fields(given, "a test")
    assert given == before


@pytest.mark.parametrize(
    ("given", "field_name"),
    [
        *((Bounded(value), "share") for value in (float("nan"), float("inf"), -0.1, 1.1, "0.5", [0.5], True)),
        *((Bounded(order=value), "order") for value in (0, 5, 2.5, float("nan"), None, "2", True)),
    ],
)
def test_nan_other_types_and_what_is_outside_are_not(given: Bounded, field_name: str) -> None:
    with pytest.raises(InputError, match=r"out of bounds for a test; use a (whole )?number from") as error:
        check_fields(given, "a test")
    assert error.value.field == field_name
