"""Options and arguments that several verbs have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from vericap.errors import InputError
from vericap.options.declared import Without, option
from vericap.options.settings import Settings
from vericap.written import check_writable

Metrics = Annotated[
    str, typer.Option("--metrics", "-m", help="Metrics such as bleu-4,cider-r(k_r=0.5), or default, or all.")
]
# How captions are read, where nothing is scored.
Reading: TypeAlias = Annotated[Settings, Without({"df", "missing", "repeated", "uncaptioned", "workers", "seed"})]
_COMPRESSED = (".gz", ".gzip", ".zst", ".zstd", ".bz2", ".xz")
_KNOWN = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".tab", ".txt", ".parquet", ".pq", ".arrow", ".xlsx")


def files(paths: list[str] | None) -> list[Path] | None:
    """Return paths as the readers take several of them; none as None."""
    return [Path(path) for path in paths] if paths else None


@dataclass(frozen=True)
class Output:
    """Options of what a verb prints and which files it writes. A verb leaves out what its result cannot be drawn as."""

    format: str | None = option(None, "rich, plain, markdown, latex, csv or html.")
    scale: float = option(1.0, "Multiply the numbers in tables, for example by 100.")
    json: Path | None = option(None, "Write everything to this file as JSON; - is stdout.")
    csv: Path | None = option(None, "Write one row per caption to this file as CSV.")
    html: Path | None = option(None, "Write a self-contained page to this file.")
    png: Path | None = option(None, "Draw the heat maps of metrics that have them into this file.")
    explain: str = option("20", "Captions explained in --html: this many of the worst, best and most disputed, or all.")
    embed_images: bool = option(False, "Put small copies of --images into --html.", flags=("--embed-images",))
    quiet: bool = option(False, "Print the result alone: no progress, notes or signatures.", flags=("--quiet", "-q"))
    signatures: bool = option(False, "Print the signature of each metric on its own line.", flags=("--signatures",))

    def __post_init__(self) -> None:
        if not 0 < self.scale <= 1e9:  # NaN neither
            fix = "use a number above 0, up to 1e9, such as 100"
            raise InputError(f"scale={self.scale:g} is not a factor for tables", field="scale", fix=fix)
        for kind, path in self.files():
            check_writable(path, kind)

    def files(self) -> list[tuple[str, Path]]:
        """Return the files to write: what kind, and where."""
        wanted = {"json": self.json, "csv": self.csv, "html": self.html, "png": self.png}
        return [(kind, path) for kind, path in wanted.items() if path is not None]


PERCENT = Output(scale=100.0)


def short_name(path: str) -> str:
    """Return the name of a file without its folder and its ending: one of captions, and one of compression, are cut.

    >>> [short_name(path) for path in ("runs/llava-1.5-7b.json", "a.jsonl.gz", "v1.2", "-")]
    ['llava-1.5-7b', 'a', 'v1.2', 'stdin']
    """
    if path == "-":
        return "stdin"
    name = Path(path).name
    for endings in (_COMPRESSED, _KNOWN):
        ending = next((each for each in endings if name.lower().endswith(each)), "")
        name = name[: len(name) - len(ending)] or name
    return name or path


def named_files(given: Sequence[str]) -> dict[str, str]:
    """Return files by name, from `FILE` and `NAME=FILE`. Files whose short names are the same go by their paths.

    >>> named_files(["M2=runs/m2.json", "runs/b.json"]), named_files(["one/a.json", "two/a.json"])
    ({'M2': 'runs/m2.json', 'b': 'runs/b.json'}, {'one/a.json': 'one/a.json', 'two/a.json': 'two/a.json'})
    """
    pairs = [_named(text) for text in given]
    paths = [path for _, path in pairs]
    _refuse_repeated(paths, "the file is given twice", "compare different captioners")
    names = [name or short_name(path) for name, path in pairs]
    if len(set(names)) < len(names):
        names = [name or path for name, path in pairs]
        _refuse_repeated(names, "the name is given twice", "give each captioner its own name, as in NAME=FILE")
    return dict(zip(names, paths, strict=True))


def _named(text: str) -> tuple[str | None, str]:
    name, sign, path = text.partition("=")
    # A file may have an equals sign in its own name.
    return (name, path) if sign and name and path and not Path(text).exists() else (None, text)


def _refuse_repeated(names: Sequence[str], problem: str, fix: str) -> None:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(problem, source=twice, fix=fix)
