"""`--html` on the command line: how many explanations, which pictures, and where links start."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.show.report.reading import report_of
from vericap.cli import app
from vericap.errors import InputError


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Five captions, their references, and a folder with one picture."""
    (tmp_path / "c.json").write_text(json.dumps([{"image_id": i, "caption": f"a {i} dog"} for i in range(5)]))
    (tmp_path / "r.json").write_text(json.dumps({str(i): ["a dog"] for i in range(5)}))
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "3.jpg").write_bytes(b"")
    return [str(tmp_path / "c.json"), "-r", str(tmp_path / "r.json"), "-m", "bleu-1"]


def score(*words: str) -> None:
    done = CliRunner().invoke(app, ["score", *words])
    if isinstance(done.exception, InputError):
        raise done.exception
    assert done.exit_code == 0, done.output


def test_explain_says_how_many_captions_are_explained(files: list[str], tmp_path: Path) -> None:
    page = tmp_path / "p.html"
    for asked, rows in {"all": 5, "0": 0}.items():
        score(*files, "--html", str(page), "--explain", asked)
        assert len(report_of(page.read_text("utf-8"))["explanations"]) == rows
    with pytest.raises(InputError, match="use a number, or all"):
        score(*files, "--html", str(page), "--explain", "some")


def test_pictures_need_no_detector_and_are_linked_from_the_page(files: list[str], tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    page = tmp_path / "out" / "p.html"
    score(*files, "--html", str(page), "--images", str(tmp_path / "pictures"))
    report = report_of(page.read_text("utf-8"))
    assert report["captions"]["pictures"] == [None, None, None, "../pictures/3.jpg", None]
    assert "4 of 5 images have no picture" in report["notes"][-1]


def test_pictures_may_be_elsewhere(files: list[str], tmp_path: Path) -> None:
    page = tmp_path / "p.html"
    score(*files, "--html", str(page), "--images", "https://example.org/{id:03}.jpg")
    text = page.read_text("utf-8")
    assert report_of(text)["captions"]["pictures"][3] == "https://example.org/003.jpg"
    assert "img-src 'self' data: blob: file: https://example.org;" in text


def test_demo_writes_a_page_that_compares(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["demo", "--html", str(tmp_path / "demo.html")])
    assert done.exit_code == 0 and "strong" in done.stdout
    report = report_of((tmp_path / "demo.html").read_text("utf-8"))
    assert (report["kind"], report["systems"]) == ("compare", ["strong", "middling", "weak"])
    assert report["sentences"][0].startswith("strong is better than middling in CIDEr-D by 65.7")
