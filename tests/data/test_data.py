"""What ships is what SOURCES.toml lists, each file with its licence, the script that makes it and its hash."""

from __future__ import annotations

import hashlib
from pathlib import Path

from vericap.data import FOLDER, listing

ROOT = Path(__file__).parents[2]


def test_every_file_that_ships_is_listed_once_with_its_size_and_hash() -> None:
    listed = {resource.path: resource for resource in listing()}
    about = {"SOURCES.toml", "README.md", "__init__.py"}
    there = {
        path.relative_to(FOLDER).as_posix()
        for path in FOLDER.rglob("*")
        if path.is_file() and path.name not in about and path.suffix != ".pyc" and path.parent != FOLDER
    }
    assert {path for path in there if not path.split("/")[-1].startswith("LICENSE")} <= set(listed)
    assert len(listed) == len(listing())
    for path in list(listed)[:5]:
        content = (FOLDER / path).read_bytes()
        assert (listed[path].size, listed[path].sha256) == (len(content), hashlib.sha256(content).hexdigest())


def test_every_file_has_a_licence_a_source_and_a_script_that_is_there() -> None:
    for resource in listing():
        assert resource.licence and resource.source and resource.what, resource.path
        for script in filter(None, resource.script.split(", ")):
            assert (ROOT / script).exists(), f"{resource.path}: {script}"


def test_a_folder_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "SOURCES.toml").write_text(
        '[toys]\nsource = "us"\nlicence = "CC0-1.0"\nscript = "make.py"\nfiles = { "a.txt" = "a letter" }'
    )
    (tmp_path / "toys").mkdir()
    (tmp_path / "toys" / "a.txt").write_text("a")
    [found] = listing(tmp_path)
    assert (found.path, found.what, found.source, found.licence, found.script, found.size) == (
        "toys/a.txt",
        "a letter",
        "us",
        "CC0-1.0",
        "make.py",
        1,
    )
    assert found.sha256.startswith("ca978112ca1bbdca")  # sha256sum of the letter a
