"""Names of captioners from the command line: of their files, or as the user gives them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from vericap.errors import InputError

_COMPRESSED = (".gz", ".gzip", ".zst", ".zstd", ".bz2", ".xz")
_KNOWN = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".tab", ".txt", ".parquet", ".pq", ".arrow", ".xlsx")


def short_name(path: str) -> str:
    """The name of a file without its folder and its ending; only an ending of captions, and one of compression, is cut.

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
    """Files by name, from `FILE` and `NAME=FILE`. Files whose short names are the same go by their paths.

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
