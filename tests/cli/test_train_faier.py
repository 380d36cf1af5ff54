"""`vericap train faier`: from files to a checkpoint that scores, and on from where it stopped."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

pytest.importorskip("torch")
pytest.importorskip("safetensors")

from vericap.cli import app
from vericap.errors import InputError

THINGS = "dog cat horse bird sheep cow elephant bear zebra giraffe".split()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pairs = [(first, second) for first in THINGS for second in THINGS if first < second][:40]
    texts = ["a {} next to a {}", "the {} looks at the {}", "a {} and a {}"]
    annotations = [
        {"image_id": i, "id": 10 * i + k, "caption": text.format(*pair)}
        for i, pair in enumerate(pairs)
        for k, text in enumerate(texts)
    ]
    (tmp_path / "captions.json").write_text(json.dumps({"images": [], "annotations": annotations}), "utf-8")
    (tmp_path / "labels.tsv").write_text("".join(f"{i}\t{a},{b}\n" for i, (a, b) in enumerate(pairs[:-1])), "utf-8")
    (tmp_path / "unseen.txt").write_text("0\nCOCO_val2014_000000000001.jpg\n", "utf-8")
    (tmp_path / "faier.toml").write_text(
        """
        [model]
        dimension = 16
        boxes = false
        [training]
        batch = 8
        epochs = 2
        [data]
        captions = "captions.json"
        objects = "labels.tsv"
        leave_out = ["unseen.txt"]
        validation = 5
        held_out = 3
        """,
        "utf-8",
    )
    return tmp_path


def run(folder: Path, *more: str) -> str:
    words = ["train", "faier", "--config", str(folder / "faier.toml"), "-o", str(folder / "out"), *more]
    result = CliRunner().invoke(app, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_checkpoint_comes_out_that_scores(folder: Path) -> None:
    assert "validation R@1" in run(folder)
    about = json.loads((folder / "out" / "model.json").read_text("utf-8"))
    assert about["config"]["training"]["batch"] == 8
    # 40 images with captions, 2 to be left out, one without labels.
    facts = {"captioned_images": 40, "left_out": 2, "without_regions": 1, "train": 29, "validation": 5, "held_out": 3}
    assert about["data"].items() >= facts.items()
    assert set(about["calibration"]["n"]) == {"0", "1", "4"}
    with (folder / "out" / "log.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["epoch"]) for row in rows] == [1, 2]
    from vericap.neural.faier.captions import Caption
    from vericap.neural.faier.scorer import Scorer

    scorer = Scorer.load(folder / "out")
    found = scorer.score([Caption(("a", "dog"))], np.array([0]), scorer.symbolic([["dog"]]), np.array([0]), [[]])
    assert found.total.shape == (1,)
    # It was finished: to go on changes nothing.
    before = (folder / "out" / "model.safetensors").read_bytes()
    run(folder, "--resume")
    assert (folder / "out" / "model.safetensors").read_bytes() == before


def test_too_few_images_are_refused(folder: Path) -> None:
    text = (folder / "faier.toml").read_text("utf-8").replace("held_out = 3", "held_out = 30")
    (folder / "faier.toml").write_text(text, "utf-8")
    with pytest.raises(InputError, match="37 images remain, too few"):
        run(folder)


def test_boxes_are_asked_for_where_there_are_none(folder: Path) -> None:
    text = (folder / "faier.toml").read_text("utf-8").replace("boxes = false", "boxes = true")
    (folder / "faier.toml").write_text(text, "utf-8")
    with pytest.raises(InputError, match=r"model\.boxes.*boxes = false"):
        run(folder)


def test_nothing_to_go_on_from(folder: Path) -> None:
    with pytest.raises(InputError, match="no state to go on from"):
        run(folder, "--resume")
