"""Options of the command line, declared once: a parameter of a verb whose type is a dataclass becomes one option for
each field, and the verb gets the dataclass filled in."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import cache, wraps
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from vericap.errors import InputError
from vericap.written import check_writable

Metrics = Annotated[
    str, typer.Option("--metrics", "-m", help="Metrics such as bleu-4,cider-r(k_r=0.5), or default, or all.")
]
Tokenizer = Annotated[str, typer.Option(help="ptb (COCO's), unicode (any language), whitespace, rouge or none.")]
Language = Annotated[str, typer.Option(help="Language of the captions.")]
Workers = Annotated[int, typer.Option(help="Cores to use; 0 means all of them.")]
Seed = Annotated[int, typer.Option(help="Seed of everything random.")]
Format = Annotated[str | None, typer.Option(help="rich, plain, markdown, latex, csv or html.")]


def files(paths: list[str] | None) -> list[Path] | None:
    """Paths as the readers take several of them; none as None."""
    return [Path(path) for path in paths] if paths else None


QUIET = ("--quiet", "-q")
SIGNATURES = ("--signatures",)


@dataclass(frozen=True)
class Without:
    """The fields of a dataclass that a verb does not offer: `Annotated[Settings, Without("seed")]`. They keep their
    defaults; a field without a default is None, and the verb fills it in."""

    names: tuple[str, ...]

    def __init__(self, *names: str) -> None:
        object.__setattr__(self, "names", names)


@dataclass(frozen=True)
class Output:
    """What a verb prints and which files it writes. A verb leaves out what its result cannot be drawn as."""

    format: str | None = field(default=None, metadata={"help": "rich, plain, markdown, latex, csv or html."})
    scale: float = field(default=1.0, metadata={"help": "Multiply the numbers in tables, for example by 100."})
    json: Path | None = field(default=None, metadata={"help": "Write everything to this file as JSON; - is stdout."})
    csv: Path | None = field(default=None, metadata={"help": "Write one row per caption to this file as CSV."})
    html: Path | None = field(default=None, metadata={"help": "Write a self-contained page to this file."})
    png: Path | None = field(
        default=None, metadata={"help": "Draw the heat maps of metrics that have them into this file."}
    )
    explain: str = field(
        default="20",
        metadata={"help": "Captions explained in --html: this many of the worst, best and most disputed, or all."},
    )
    embed_images: bool = field(
        default=False, metadata={"help": "Put small copies of --images into --html.", "flags": ("--embed-images",)}
    )
    quiet: bool = field(
        default=False, metadata={"help": "Print the result alone: no progress, notes or signatures.", "flags": QUIET}
    )
    signatures: bool = field(
        default=False, metadata={"help": "Print the signature of each metric on its own line.", "flags": SIGNATURES}
    )

    def __post_init__(self) -> None:
        if not 0 < self.scale <= 1e9:  # NaN neither
            fix = "use a number above 0, up to 1e9, such as 100"
            raise InputError(f"scale={self.scale:g} is not a factor for tables", field="scale", fix=fix)
        for kind, path in self.files():
            check_writable(path, kind)

    def files(self) -> list[tuple[str, Path]]:
        """The files to write: what kind, and where."""
        wanted = {"json": self.json, "csv": self.csv, "html": self.html, "png": self.png}
        return [(kind, path) for kind, path in wanted.items() if path is not None]


PERCENT = Output(scale=100.0)


def grouped_options(verb: Callable[..., None]) -> Callable[..., None]:
    """The verb as typer calls it: every parameter that is a dataclass is replaced by one option for each field.

    A field is an option if its metadata has a `help` text. Further metadata: `flags`, `type` (where the field takes
    more types than the command line does), `argument` (a positional argument), `command_line` (its default here). The
    default of the parameter, if it has one, holds the defaults of the options.

    >>> @dataclass
    ... class Picture:
    ...     width: int = field(default=640, metadata={"help": "Width in pixels."})
    >>> @grouped_options
    ... def draw(name: str, picture: Picture) -> None:
    ...     print(f"{name} {picture}")
    >>> list(inspect.signature(draw).parameters)
    ['name', 'width']
    >>> draw(name="dog", width=320)
    dog Picture(width=320)
    """
    hints = get_type_hints(verb, include_extras=True)
    groups: dict[str, _Group] = {}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(verb).parameters.items():
        kind, *details = get_args(hints[name]) if get_origin(hints[name]) is Annotated else (hints[name],)
        if is_dataclass(kind):
            without = {left_out for each in details if isinstance(each, Without) for left_out in each.names}
            default = None if parameter.default is parameter.empty else parameter.default
            groups[name] = _Group(kind, frozenset(without), default)
            parameters += groups[name].parameters()
        else:
            parameters.append(parameter.replace(annotation=hints[name], kind=parameter.KEYWORD_ONLY))

    @wraps(verb)
    def called(**given: Any) -> None:
        filled = {name: group.fill(given) for name, group in groups.items()}
        used = {name for group in groups.values() for name in group.fields}
        verb(**filled, **{name: value for name, value in given.items() if name not in used})

    # typer reads both.
    called.__dict__["__signature__"] = inspect.Signature(parameters)
    called.__annotations__ = {each.name: each.annotation for each in parameters}
    return called


_types_of = cache(get_type_hints)  # evaluates the types of all fields, of which each option takes one


@dataclass(frozen=True)
class _Group:
    """A dataclass as options."""

    kind: Any
    without: frozenset[str] = frozenset()
    default: Any = None

    @property
    def fields(self) -> dict[str, Field[Any]]:
        """The fields that are options."""
        given = {each.name: each for each in fields(self.kind)}
        return {name: each for name, each in given.items() if "help" in each.metadata and name not in self.without}

    def parameters(self) -> list[inspect.Parameter]:
        """The options as parameters of a function."""
        return [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
            for name, each in self.fields.items()
            for default, annotation in [self._declared(each)]
        ]

    def _declared(self, each: Field[Any]) -> tuple[Any, Any]:
        """The default of an option, and its type with what typer has to know."""
        about: Mapping[str, Any] = each.metadata
        kind = about["type"] if "type" in about else _types_of(self.kind)[each.name]
        if about.get("argument"):
            return inspect.Parameter.empty, Annotated[kind, typer.Argument(help=about["help"])]
        default = about.get("command_line", each.default if self.default is None else getattr(self.default, each.name))
        shown: bool | str = default is not None
        if get_origin(kind) is list:  # an option that may be repeated: not given, it leaves the field as it is
            default, shown = None, str(default) if shown else False
        panel = re.sub("(?<=[a-z])(?=[A-Z])", " ", self.kind.__name__.removesuffix("Options")).capitalize()
        declared = typer.Option(*about.get("flags", ()), help=about["help"], show_default=shown, rich_help_panel=panel)
        return default, Annotated[kind | None if default is None else kind, declared]

    def fill(self, given: Mapping[str, Any]) -> Any:
        """The dataclass with the options as they were given."""
        values = {} if self.default is None else dict(vars(self.default))
        values |= {each.name: None for each in fields(self.kind) if each.default is MISSING}
        values |= {name: given[name] for name in self.fields if given[name] is not None}
        return self.kind(**values)
