"""Options under their former names: they work as before, and help does not show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typer.core import TyperCommand


def with_former_names(former: Mapping[str, str]) -> type[TyperCommand]:
    """The class of a command whose options had other names: {former: present}.

    >>> import typer
    >>> app = typer.Typer()
    >>> @app.command(cls=with_former_names({"--many": "--count"}))
    ... def say(count: int = 1) -> None:
    ...     print(count)
    >>> app(["--many", "3"], standalone_mode=False), app(["--many=4"], standalone_mode=False)
    3
    4
    (None, None)
    """

    class Renamed(TyperCommand):
        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            words = [word.partition("=") for word in args]
            return super().parse_args(ctx, [former.get(name, name) + sign + value for name, sign, value in words])

    return Renamed
