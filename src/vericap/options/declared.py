"""Options and parameters as fields of dataclasses, and values for them: from texts, such as the parameters of a metric,
and from plain data, such as the tables of a TOML file. An error says which value is wrong, where it is, and what it may
be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import Field, dataclass, field, fields, is_dataclass
from functools import cache
from numbers import Integral, Real
from os import PathLike, fspath
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from vericap.errors import InputError

Declared = TypeVar("Declared")

_WORDS = {"yes": True, "no": False, "true": True, "false": False, "on": True, "off": False}


def option(default: Any, help: str, **more: Any) -> Any:
    """Return a field of a dataclass that is an option, or a metric's parameter, with one line of help. `more` may have

    - `flags`: its words on the command line, where these are others than its name; None where it has none
    - `type`: its type on the command line, where Python takes more
    - `argument`: True where it is positional on the command line
    - `command_line`: its default on the command line, where that is another than in Python
    - `python`: what Python takes besides what the help says
    - `former`: words that it was called by, which go in 0.4

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Picture:
    ...     width: int = option(640, "Width in pixels.")
    >>> Picture().width
    640
    """
    return field(default=default, metadata={"help": help, **more})


class Without(frozenset[str]):
    """The fields of a dataclass that a verb does not offer: `Annotated[Settings, Without({"seed"})]`. They keep their
    defaults; a field without a default is None, and the verb fills it in."""


def offered(kind: Any) -> tuple[Any, dict[str, Field[Any]]]:
    """Return a dataclass, which may be annotated by what it is `Without`, and its fields that are options.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Picture:
    ...     width: int = option(640, "Width in pixels.")
    ...     height: int = option(480, "Height in pixels.")
    >>> list(offered(Annotated[Picture, Without({"width"})])[1])
    ['height']
    """
    kind, *details = get_args(kind) if get_origin(kind) is Annotated else (kind,)
    without = {name for each in details if isinstance(each, Without) for name in each}
    return kind, {one.name: one for one in fields(kind) if "help" in one.metadata and one.name not in without}


@cache
def field_types(kind: Any, *, bounds: bool = False) -> dict[str, Any]:
    """The types of the fields that the constructor of a dataclass takes, by name.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Settings:
    ...     steps: "int" = 3
    ...     order: "Literal['up', 'down']" = "up"
    >>> field_types(Settings)
    {'steps': <class 'int'>, 'order': typing.Literal['up', 'down']}
    """
    types = get_type_hints(kind, include_extras=bounds)
    return {field.name: types[field.name] for field in fields(kind) if field.init}


def value_of(text: str, declared: Any) -> Any:
    """The value that a text spells, of a declared type: int, float, bool, str, a Literal, a tuple of these with colons
    between, or any of these `| None`.

    >>> value_of("0.5", float), value_of("no", bool), value_of("1:2", tuple[float, ...]), value_of("3", int | None)
    (0.5, False, (1.0, 2.0), 3)
    >>> value_of("sideways", Literal["up", "down"])
    Traceback (most recent call last):
    vericap.errors.InputError: 'sideways' is not one of up, down
    """
    return _first_of(text, declared, _read, _AS_TEXT)


def checked(value: Any, declared: Any) -> Any:
    """A value of plain data as a declared type: a list becomes a tuple, a whole number a float; nothing else changes.

    >>> checked([1, 2], tuple[float, ...]), checked(4, Literal["4", "r"])
    ((1.0, 2.0), '4')
    >>> checked("many", int)
    Traceback (most recent call last):
    vericap.errors.InputError: 'many' is not a whole number
    """
    return _first_of(value, declared, _convert, _AS_DATA)


def fill(kind: type[Declared], values: Mapping[str, Any], source: str, table: str = "") -> Declared:
    """A dataclass from plain data; what this leaves out has its default. A field that is a dataclass is a table.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Settings:
    ...     steps: int = 3
    >>> fill(Settings, {"steps": 5}, "my.toml")
    Settings(steps=5)
    >>> fill(Settings, {"step": 5}, "my.toml", "training")
    Traceback (most recent call last):
    vericap.errors.InputError: my.toml, field "training.step": there is no such setting; use one of steps
    """
    types = field_types(cast(Any, kind))
    given: dict[str, Any] = {}
    for name, value in values.items():
        where = f"{table}.{name}" if table else name
        if name not in types:
            fix = f"use one of {', '.join(types)}"
            raise InputError("there is no such setting", source=source, field=where, fix=fix)
        if is_dataclass(types[name]) and isinstance(value, Mapping):
            given[name] = fill(types[name], value, source, where)
            continue
        try:
            given[name] = checked(value, types[name])
        except InputError as error:
            raise InputError(error.problem, source=source, field=where) from None
    return kind(**given)


def read_toml(path: str | PathLike[str]) -> dict[str, Any]:
    """The content of a TOML file."""
    import tomllib

    try:
        return tomllib.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise InputError(f"the file cannot be read ({error.strerror})", source=fspath(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"this file is not valid TOML: {error}", source=fspath(path)) from None


def _alternatives(declared: Any) -> tuple[Any, ...]:
    return get_args(declared) if get_origin(declared) in (Union, UnionType) else (declared,)


def _first_of(value: Any, declared: Any, convert: Callable[[Any, Any], Any], words: Mapping[Any, str]) -> Any:
    """Return the value as the first of the declared types that it can be."""
    for alternative in _alternatives(declared):
        with suppress(KeyError, ValueError):
            return convert(value, alternative)
    raise InputError(f"{value!r} is not {_in_words(declared, words)}")


def _read(text: str, declared: Any) -> Any:
    if declared is bool:
        return _WORDS[text.lower()]
    if declared is NoneType:
        return {"none": None}[text.lower()]
    if declared in (int, float, str):
        return declared(text)
    if get_origin(declared) is Literal:
        return {str(choice): choice for choice in get_args(declared)}[text]
    if get_origin(declared) is tuple:
        return tuple(_read(part, get_args(declared)[0]) for part in text.split(":"))
    raise ValueError


def _convert(value: Any, declared: Any) -> Any:
    if declared is float and type(value) is int:
        return float(value)
    if get_origin(declared) is tuple and isinstance(value, list | tuple):
        return tuple(_convert(one, get_args(declared)[0]) for one in value)
    if get_origin(declared) is Literal:
        choices = get_args(declared)
        spelled = str(value) if type(value) is int else value  # references = 4 is as good as references = "4"
        for choice in (value, spelled):
            if any(choice == one and type(choice) is type(one) for one in choices):
                return choice
    elif type(value) is declared:
        return value
    raise ValueError


_PLAIN = {int: "a whole number", float: "a number", NoneType: "none"}
_AS_TEXT = {**_PLAIN, str: "a text", bool: "yes or no", tuple: "separated by colons"}
_AS_DATA = {**_PLAIN, str: "a string", bool: "true or false", tuple: "in a list"}
_MANY = {int: "whole numbers", float: "numbers", str: "strings"}


def _in_words(declared: Any, words: Mapping[Any, str]) -> str:
    if is_dataclass(declared):
        return "a table"
    if get_origin(declared) is Literal:
        return f"one of {', '.join(map(str, get_args(declared)))}"
    if get_origin(declared) is tuple:
        return f"{_MANY.get(get_args(declared)[0], 'values')} {words[tuple]}"
    alternatives = [one for one in _alternatives(declared) if one is not NoneType]
    if alternatives != [declared]:
        return " or ".join(_in_words(one, words) for one in alternatives)
    return words.get(declared, f"a value of type {getattr(declared, '__name__', declared)}")


@dataclass(frozen=True)
class Between:
    """The bounds of a number, both included: `Annotated[float, Between(0, 1)]`, or the same `| None`."""

    low: float
    high: float


def _spelled(bound: float) -> str:
    """A bound as people write it: 10,000,000 rather than 1e+07."""
    return f"{bound:,.0f}" if bound == int(bound) and abs(bound) < 1e15 else f"{bound:g}"


def check_fields(instance: Any, name: str) -> None:
    """Raise an error where a field of a dataclass is not one of its choices or outside its bounds.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Settings:
    ...     order: Literal["up", "down"] = "up"
    >>> check_fields(Settings("sideways"), "a table")
    Traceback (most recent call last):
    vericap.errors.InputError: field "order": order=sideways is not a choice of a table; use one of up, down
    """
    kind: Any = type(instance)
    for field_name, hint in field_types(kind, bounds=True).items():
        value, alternatives = getattr(instance, field_name), _alternatives(hint)
        if value is None and NoneType in alternatives:
            continue
        for declared in alternatives:
            if get_origin(declared) is Literal:
                choices = get_args(declared)
                if not any(value == one and type(value) is type(one) for one in choices):
                    fix = f"use one of {', '.join(map(str, choices))}"
                    raise InputError(f"{field_name}={value} is not a choice of {name}", field=field_name, fix=fix)
            for bounds in getattr(declared, "__metadata__", ()):
                number, words = (Integral, "whole number") if get_args(declared)[0] is int else (Real, "number")
                is_number = isinstance(value, number) and not isinstance(value, bool)
                # NaN is within no bounds.
                if isinstance(bounds, Between) and not (is_number and bounds.low <= value <= bounds.high):
                    fix = f"use a {words} from {_spelled(bounds.low)} to {_spelled(bounds.high)}"
                    raise InputError(f"{field_name}={value} is out of bounds for {name}", field=field_name, fix=fix)


class Checked:
    """A dataclass whose fields are checked when it is made; errors call it by `called`."""

    called: ClassVar[str]

    def __post_init__(self) -> None:
        check_fields(self, self.called)
