"""Keyword arguments of Python from the fields of dataclasses, and words that options had before."""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any, TypeVar

from vericap.errors import FormerWord
from vericap.options.declared import field_types, offered

Declared = TypeVar("Declared")
Function = TypeVar("Function", bound=Callable[..., Any])


def say_former(former: str, present: str) -> None:
    """Warn, at the line that called Vericap, that a word goes in 0.4."""
    level = 1
    while sys._getframe(level).f_globals.get("__name__", "").startswith("vericap."):
        level += 1
    warnings.warn(f"{former} is called {present} now; {former} goes in 0.4", FormerWord, stacklevel=level + 1)


def former_words(kind: Any) -> dict[str, str]:
    """Return the former words of a dataclass's fields, each with the field's name."""
    return {word: each.name for each in fields(kind) for word in each.metadata.get("former", ())}


def with_former_words(kind: type[Declared]) -> type[Declared]:
    """Return the dataclass, whose fields can be given and read by their former words too.

    >>> from dataclasses import dataclass
    >>> from vericap.options.declared import option
    >>> @with_former_words
    ... @dataclass
    ... class Drawing:
    ...     sampling: str = option("all", "Which ones.", former=("drawn",))
    >>> with warnings.catch_warnings(action="ignore"):
    ...     Drawing(drawn="first"), Drawing("last").drawn
    (Drawing(sampling='first'), 'last')
    """
    former, make = former_words(kind), kind.__init__

    def __init__(self: Any, *given: Any, **named: Any) -> None:
        make(self, *given, **present_words(named, former))

    def reader(word: str, name: str) -> property:
        def read(self: Any) -> Any:
            say_former(word, name)
            return getattr(self, name)

        return property(read)

    __init__.__wrapped__ = make  # type: ignore[attr-defined]  # for `inspect.signature`
    kind.__init__ = __init__  # type: ignore[method-assign]
    for word, name in former.items():
        setattr(kind, word, reader(word, name))
    return kind


def present_words(given: Mapping[str, Any], former: Mapping[str, str]) -> dict[str, Any]:
    """Return what was given, by the names that hold now."""
    found: dict[str, Any] = {}
    for word, value in given.items():
        name = former.get(word, word)
        if name != word:
            say_former(word, name)
        if name in found:
            raise TypeError(f"{word!r} and {name!r} are the same argument")
        found[name] = value
    return found


class Keywords:
    """The keyword arguments that the fields of some dataclasses declare.

    >>> from vericap.options.settings import Settings, Tests
    >>> Keywords(Settings, Tests).read({"seed": 3})
    {<class 'vericap.options.settings.Settings'>: {'seed': 3}, <class 'vericap.options.settings.Tests'>: {}}
    """

    def __init__(self, *kinds: Any) -> None:
        found = [offered(kind) for kind in kinds]
        self.kinds = [kind for kind, _ in found]
        self.fields = {name: (kind, each) for kind, own in found for name, each in own.items()}
        self.types = {name: field_types(kind)[name] for name, (kind, _) in self.fields.items()}
        self.former = {
            word: name for name, (_, each) in self.fields.items() for word in each.metadata.get("former", ())
        }

    def read(self, options: Mapping[str, Any]) -> dict[Any, dict[str, Any]]:
        """Return keyword arguments by the class that each belongs to; an unknown one is a TypeError with the nearest
        name."""
        found: dict[Any, dict[str, Any]] = {kind: {} for kind in self.kinds}
        for name, value in present_words(options, self.former).items():
            if name not in self.fields:
                near = get_close_matches(name, self.fields, n=1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                raise TypeError(f"unexpected keyword argument {name!r}{hint}")
            found[self.fields[name][0]][name] = value
        return found

    def __call__(self, function: Function) -> Function:
        """Return a function that takes `**options`, with the options in its signature and documentation."""
        signature = inspect.signature(function)
        own = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
        options = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=each.default, annotation=self.types[name])
            for name, (_, each) in self.fields.items()
        ]
        function.__signature__ = signature.replace(parameters=[*own, *options])  # type: ignore[attr-defined]
        if function.__doc__:  # which python -OO leaves out
            lines = [function.__doc__.rstrip(), "", "    Other Parameters", "    ----------------"]
            for name, (_, each) in self.fields.items():
                text = " ".join(filter(None, (each.metadata["help"], each.metadata.get("python"))))
                annotation = inspect.formatannotation(self.types[name])
                lines += [f"    {name} : {annotation}, default {each.default!r}", f"        {text}"]
            function.__doc__ = "\n".join([*lines, "    "])
        return function
