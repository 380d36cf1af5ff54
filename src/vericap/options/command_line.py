"""Options of the command line: a parameter of a verb whose type is a dataclass becomes one option for each field, and
the verb gets the dataclass filled in."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, get_origin, get_type_hints

import typer
from typer.core import TyperCommand

from vericap.options.declared import field_types, offered
from vericap.options.keywords import say_former


def add_verb(program: typer.Typer, name: str, verb: Callable[..., None], **context: Any) -> None:
    """Add a verb to a program, with the options of its dataclasses, and with their former words, which help does not
    show.

    >>> from dataclasses import dataclass
    >>> from vericap.options.declared import option
    >>> @dataclass
    ... class Times:
    ...     count: int = option(1, "How often.", former=("many",))
    >>> def say(times: Times) -> None:
    ...     print(times)
    >>> app = typer.Typer()
    >>> add_verb(app, "say", say)
    >>> app(["--count", "3"], standalone_mode=False)
    Times(count=3)
    """
    called, former = grouped_options(verb)

    class Command(TyperCommand):
        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            words = [word.partition("=") for word in args]
            for word in {name for name, _, _ in words} & former.keys():
                say_former(word, former[word])
            return super().parse_args(ctx, [former.get(name, name) + sign + value for name, sign, value in words])

    program.command(name, cls=Command, context_settings=context)(called)


def grouped_options(verb: Callable[..., None]) -> tuple[Callable[..., None], dict[str, str]]:
    """Return the verb as typer calls it: every parameter that is a dataclass is replaced by one option for each field;
    and the former words of options with those that hold now. The default of the parameter, if it has one, holds the
    defaults of the options.

    >>> from dataclasses import dataclass
    >>> from vericap.options.declared import option
    >>> @dataclass
    ... class Picture:
    ...     width: int = option(640, "Width in pixels.")
    >>> def draw(name: str, picture: Picture) -> None:
    ...     print(f"{name} {picture}")
    >>> called, _ = grouped_options(draw)
    >>> list(inspect.signature(called).parameters)
    ['name', 'width']
    >>> called(name="dog", width=320)
    dog Picture(width=320)
    """
    hints = get_type_hints(verb, include_extras=True)
    groups: list[tuple[str, Any, Any, list[str]]] = []  # a dataclass each: parameter, type, default, names of options
    parameters: list[inspect.Parameter] = []
    former: dict[str, str] = {}
    for name, parameter in inspect.signature(verb).parameters.items():
        kind = getattr(hints[name], "__origin__", hints[name])
        if not is_dataclass(kind):
            parameters.append(parameter.replace(annotation=hints[name], kind=parameter.KEYWORD_ONLY))
            continue
        default = None if parameter.default is parameter.empty else parameter.default
        own = [each for each in offered(hints[name])[1].values() if each.metadata.get("flags", ()) is not None]
        groups.append((name, kind, default, [each.name for each in own]))
        for each in own:
            parameters.append(_option(kind, each, default))
            flag, *_ = each.metadata.get("flags", (f"--{each.name}".replace("_", "-"),))
            former |= {f"--{word}".replace("_", "-"): flag for word in each.metadata.get("former", ())}

    @wraps(verb)
    def called(**given: Any) -> None:
        filled = {}
        for name, kind, default, options in groups:
            values = {} if default is None else dict(vars(default))
            values |= {each.name: None for each in fields(kind) if each.default is MISSING}
            values |= {word: value for word in options if (value := given.pop(word)) is not None}
            filled[name] = kind(**values)
        verb(**filled, **given)

    # typer reads both.
    called.__dict__["__signature__"] = inspect.Signature(parameters)
    called.__annotations__ = {each.name: each.annotation for each in parameters}
    return called, former


def _option(group: Any, each: Field[Any], defaults: Any) -> inspect.Parameter:
    """Return a field of a dataclass as a parameter of a function: its type has what typer has to know."""
    about: Mapping[str, Any] = each.metadata
    kind = about["type"] if "type" in about else field_types(group)[each.name]
    default: Any = inspect.Parameter.empty
    if about.get("argument"):
        declared = typer.Argument(help=about["help"])
    else:
        default = about.get("command_line", each.default if defaults is None else getattr(defaults, each.name))
        shown: bool | str = default is not None
        if get_origin(kind) is list:  # an option that may be repeated: not given, it leaves the field as it is
            default, shown = None, str(default) if default else False
        panel = re.sub("(?<=[a-z])(?=[A-Z])", " ", group.__name__.removesuffix("Options")).capitalize()
        declared = typer.Option(*about.get("flags", ()), help=about["help"], show_default=shown, rich_help_panel=panel)
        kind = kind | None if default is None else kind
    return inspect.Parameter(
        each.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, declared]
    )
