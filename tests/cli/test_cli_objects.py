"""`--objects` and `--confidence` of score and explain."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vericap.cli import app
from vericap.data import FOLDER
from vericap.errors import InputError

DEMO = FOLDER / "demo"
OBJECTS = str(DEMO / "objects.json")


def test_score_with_objects_and_no_references(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    call = ["score", str(DEMO / "strong.json"), "--objects", OBJECTS, "-m", "vifidel", "--json", str(out)]
    assert CliRunner().invoke(app, call).exit_code == 0
    strong = json.loads(out.read_text())["metrics"]["vifidel"]
    call[1] = str(DEMO / "weak.json")
    assert CliRunner().invoke(app, call).exit_code == 0
    assert 1 > strong["score"] > json.loads(out.read_text())["metrics"]["vifidel"]["score"] > 0
    assert strong["range"] == [0.0, 1.0] and strong["interval"] is None


def test_several_files_and_their_confidence(tmp_path: Path) -> None:
    (tmp_path / "captions.json").write_text('[{"image_id": 1, "caption": "a dog"}]')
    for name, label in (("one", "dog"), ("two", "toaster")):
        found = [{"image_id": 1, "label": label, "score": 0.5}]
        (tmp_path / f"{name}.json").write_text(json.dumps(found))
    call = ["score", str(tmp_path / "captions.json"), "-m", "vifidel", "--format", "csv"]
    for name in ("one", "two"):
        call += ["--objects", str(tmp_path / f"{name}.json")]
    strict = CliRunner().invoke(app, [*call, "--confidence", "0.4", "--confidence", "0.6"])
    assert "1.0" in strict.output and "1 object of" in strict.output
    assert CliRunner().invoke(app, call).output != strict.output
    with pytest.raises(InputError, match="for 2 object files"):
        CliRunner().invoke(app, [*call, "--confidence", "2"], catch_exceptions=False)


def test_explain_draws_links() -> None:
    call = ["explain", str(DEMO / "strong.json"), "--objects", OBJECTS, "--id", "13", "-m", "vifidel"]
    drawn = CliRunner().invoke(app, call).output
    assert "──▶" in drawn and "objects that no word mentions" in drawn
