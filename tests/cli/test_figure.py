"""`vericap figure`: curves from the command line, as table and as files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.judging import benchmark_folders as folders
from vericap.cli import app
from vericap.cli.figure import _points
from vericap.errors import InputError
from vericap.judging import judge

run = CliRunner().invoke


def figure(words: str, tmp_path: Path) -> dict:
    done = run(app, [*f"figure {words} -o {tmp_path / 'curve.json'} -o {tmp_path / 'curve.csv'}".split()])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "curve.csv").read_text().count("\n") > 1
    return json.loads((tmp_path / "curve.json").read_text())


@pytest.mark.parametrize(
    ("text", "numbers"), [("1,5,48", [1, 5, 48]), ("1-4", [1, 2, 3, 4]), ("3, 1-2,2", [1, 2, 3]), ("7-", [7])]
)
def test_numbers_of_references_are_lists_and_ranges(text, numbers):
    assert _points(text) == numbers


@pytest.mark.parametrize("text", ["one", "-3", "1-1000000000000", "5-1", ""])
def test_what_is_not_a_number_of_references_is_refused(text):
    with pytest.raises(InputError, match='field "points"'):
        _points(text)


def test_the_curve_over_references_is_that_of_judging_at_each_point(tmp_path):
    folder = folders.pascal(tmp_path / "p")
    curve = figure(f"references pascal-50s -d {folder} -m rouge-l --points 1,5 --draws 3 --seed 2", tmp_path)
    assert (curve["across"], curve["points"]) == ("references", [1, 5])
    wanted = [
        judge(
            "pascal-50s", folder, metrics="rouge-l", references_used=n, sampling="random", draws=3, seed=2, bootstrap=0
        )
        for n in (1, 5)
    ]
    assert curve["values"]["rouge-l"] == pytest.approx([each["rouge-l"].value("accuracy.all") for each in wanted])


def test_one_group_of_pairs(tmp_path):
    folder = folders.pascal(tmp_path / "p")
    curve = figure(f"references pascal-50s -d {folder} -m rouge-l --points 5 --group MM", tmp_path)
    row = judge("pascal-50s", folder, metrics="rouge-l", references_used=5, bootstrap=0)["rouge-l"]
    assert curve["measure"] == "accuracy.MM" and curve["values"]["rouge-l"] == [row.value("accuracy.MM")]
    done = run(app, f"figure references pascal-50s -d {folder} -m rouge-l --points 5 --group XX".split())
    assert isinstance(done.exception, InputError) and "use one of all, HI, MM" in str(done.exception)


def test_the_curve_over_lengths_takes_choices_of_the_protocol(tmp_path):
    folder = folders.flickr8k(tmp_path / "f")
    words = f"length flickr8k-expert -d {folder} -m rouge-l --bins 1 --bootstrap 20 --protocol own-kept"
    apart, averaged = figure(words, tmp_path), figure(f"{words} --judges averaged", tmp_path)
    assert apart["across"] == "words" and apart["counts"] == averaged["counts"] == [9]
    assert "judges apart" in apart["protocol"] and "judges averaged" in averaged["protocol"]


def test_a_file_of_an_unknown_kind_is_refused(tmp_path):
    folder = folders.flickr8k(tmp_path / "f")
    done = run(app, f"figure length flickr8k-expert -d {folder} -m rouge-l -o {tmp_path / 'x.tiff'}".split())
    assert isinstance(done.exception, InputError) and "use one of .json, .csv" in str(done.exception)
    assert not (tmp_path / "x.tiff").exists()
