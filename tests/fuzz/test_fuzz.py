"""Whatever is changed in a file, its reader gives a result or an error that names it, in little time and memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.mutations import mutated
from tests.fuzz.targets import targets
from vericap.errors import InputError

EXAMPLES = 30  # changed files for each reader; `make fuzz` takes more
# Changed files that once broke a reader: they are read again on every run.
KEPT = [
    ("captions results.json", 4),
    ("objects names.csv", 1),
    ("objects coco.json", 124),
    ("vectors npy", 4),
    ("paraphrases", 1),
    ("regions npz-packed", 23),
    ("judge abstract-50s", 4),
]

every_reader = pytest.mark.parametrize("only", ["", pytest.param("checkpoint", marks=pytest.mark.torch)])


@pytest.mark.slow_when_pure
@every_reader
def test_every_reader_keeps_the_rule(only: str) -> None:
    found = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.fuzzer", "--examples", str(EXAMPLES), "--only", only],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout[-4000:] + found.stderr[-4000:]


@pytest.mark.parametrize(("name", "example"), KEPT)
def test_what_once_broke_a_reader_is_named(name: str, example: int, tmp_path: Path) -> None:
    target = targets()[name]
    path = tmp_path / target.name
    target.write(path)
    random = Random(f"{name} {example}")
    changed = random.choice(sorted(each for each in path.rglob("*") if each.is_file())) if path.is_dir() else path
    changed.write_bytes(mutated(changed.read_bytes(), random))
    with pytest.raises(InputError) as caught:
        target.read(path)
    assert str(tmp_path) in str(caught.value)


@every_reader
def test_every_valid_file_is_read(only: str, tmp_path: Path) -> None:
    """A file that is refused before it is changed would try nothing."""
    refused = {}
    tried = {name: target for name, target in targets().items() if only in name}
    assert tried
    for number, (name, target) in enumerate(tried.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        target.write(folder / target.name)
        try:
            target.read(folder / target.name)
        except InputError as error:
            refused[name] = str(error)
    # Names of categories alone are no objects; the captions of some data sets are of other images than the references.
    known = ("objects names.csv", "captions")
    assert {name: why for name, why in refused.items() if not name.startswith(known)} == {}


def test_changes_are_the_same_for_the_same_seed() -> None:
    data = b'[{"image_id": 1, "caption": "a dog"}, {"image_id": 2, "caption": "a cat"}]'
    several = [mutated(data, Random(seed)) for seed in range(50)]
    assert several == [mutated(data, Random(seed)) for seed in range(50)]
    assert len(set(several)) > 30
