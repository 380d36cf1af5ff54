"""Names of captioners from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.program import REFERENCES, STRONG, WEAK, vericap
from vericap.cli.options import named_files, short_name
from vericap.errors import InputError


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("runs/llava-1.5-7b.json", "llava-1.5-7b"),
        ("blip2.opt.jsonl.gz", "blip2.opt"),
        ("M2.PARQUET", "M2"),
        ("v1.2", "v1.2"),
        (".json", ".json"),
        ("-", "stdin"),
    ],
)
def test_only_a_known_ending_is_cut(path: str, name: str) -> None:
    assert short_name(path) == name


def test_a_name_may_be_given_before_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert named_files(["BLIP-2=a.json", "b.json"]) == {"BLIP-2": "a.json", "b": "b.json"}
    monkeypatch.chdir(tmp_path)
    Path("k=5.json").write_text("[]")
    assert named_files(["k=5.json", "b.json"]) == {"k=5": "k=5.json", "b": "b.json"}


def test_one_name_for_two_files_is_an_error() -> None:
    with pytest.raises(InputError, match="M: the name is given twice"):
        named_files(["M=a.json", "M=b.json"])
    with pytest.raises(InputError, match=r"a\.json: the file is given twice"):
        named_files(["a.json", "x=a.json"])


def test_rows_have_the_names_of_their_captioners(tmp_path: Path) -> None:
    llava = tmp_path / "llava-1.5-7b.json"
    llava.write_bytes(STRONG.read_bytes())
    done = vericap("compare", llava, f"M²={WEAK}", "-r", REFERENCES, "-m", "bleu-1", "--bootstrap", 50)
    assert [line.split()[1] for line in done.stdout.splitlines()[1:3]] == ["llava-1.5-7b", "M²"]
    done = vericap("score", llava, "-r", REFERENCES, "-m", "bleu-1")
    assert done.stdout.splitlines()[1].startswith("llava-1.5-7b ")
