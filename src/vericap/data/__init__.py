"""The files that ship: their folder, and the source of each file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Resource:
    """A file that ships."""

    path: str
    what: str
    source: str
    licence: str
    script: str
    size: int
    sha256: str


def listing(folder: Path = FOLDER) -> list[Resource]:
    """Return every file that ships, with what SOURCES.toml says of it.

    >>> [resource.licence for resource in listing() if resource.path == "demo/strong.json"]
    ['CC0-1.0']
    """
    import hashlib
    import tomllib

    sources = tomllib.loads((folder / "SOURCES.toml").read_text("utf-8"))
    resources = []
    for name, about in sources.items():
        for file, what in about["files"].items():
            content = (folder / name / file).read_bytes()
            digest = hashlib.sha256(content).hexdigest()
            resources.append(
                Resource(
                    f"{name}/{file}", what, about["source"], about["licence"], about["script"], len(content), digest
                )
            )
    return resources
