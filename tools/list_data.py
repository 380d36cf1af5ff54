"""Writes src/vericap/data/README.md: every file that ships, with its source, licence, size and hash.

python tools/list_data.py            writes it
python tools/list_data.py --check    exit code 1 when it is out of date or the data are too large
"""

from __future__ import annotations

import hashlib
import sys
import tomllib
import zlib
from pathlib import Path

DATA = Path(__file__).parent.parent / "src" / "vericap" / "data"
LIMIT = 90_000_000  # bytes of the data in a wheel, which stays below 95 MB: package indexes take 100

HEADER = """\
# What ships with Vericap

Made by `python tools/list_data.py` from SOURCES.toml and the files; a test keeps it up to date.

| file | what | source | licence | made by | bytes | SHA-256 |
|---|---|---|---|---|---:|---|
"""


def shipped(data: Path = DATA) -> list[Path]:
    """Return the files that ship, by name."""
    return sorted(path for path in data.glob("[!_]*/**/*") if path.is_file())


def listing(data: Path = DATA) -> str:
    """Return the text of README.md."""
    sources = tomllib.loads((data / "SOURCES.toml").read_text("utf-8"))
    described = {f"{name}/{file}" for name, folder in sources.items() for file in folder["files"]}
    present = {path.relative_to(data).as_posix(): path for path in shipped(data)}
    if unknown := present.keys() - described:
        raise SystemExit(f"not in SOURCES.toml: {', '.join(sorted(unknown))}")
    if gone := described - present.keys():
        raise SystemExit(f"in SOURCES.toml, but no such file: {', '.join(sorted(gone))}")
    total, lines = 0, []
    for name, path in present.items():
        top, _, file = name.partition("/")
        folder, content = sources[top], path.read_bytes()
        script = f"`{folder['script']}`" if folder["script"] else "hand"
        size, digest = f"{len(content):,}", f"`{hashlib.sha256(content).hexdigest()}`"
        cells = [name, folder["files"][file], folder["source"], folder["licence"], script, size, digest]
        lines.append(f"| {' | '.join(cells)} |\n")
        total += len(content)
    return f"{HEADER}{''.join(lines)}\n{total:,} bytes in all. Compressed, as in a wheel, at most {LIMIT:,}.\n"


def compressed(data: Path = DATA) -> int:
    """Bytes of the data in a wheel, which is a zip file."""
    return sum(len(zlib.compress(path.read_bytes())) for path in shipped(data))


def main() -> None:
    readme, text = DATA / "README.md", listing()
    if compressed() > LIMIT:
        raise SystemExit(f"more than {LIMIT:,} bytes would ship")
    if sys.argv[1:] != ["--check"]:
        readme.write_text(text, "utf-8")
    elif not readme.exists() or readme.read_text("utf-8") != text:
        raise SystemExit("src/vericap/data/README.md is out of date: run python tools/list_data.py")


if __name__ == "__main__":
    main()
