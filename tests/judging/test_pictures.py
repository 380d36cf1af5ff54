"""Objects of a benchmark's pictures reach the captions of every item that shows them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from scipy.stats import pearsonr
from typer.testing import CliRunner

from tests.encoders.clip.tiny import models
from tests.judging import benchmark_folders as folders
from tests.judging.fixed_scores import ObjectCount
from tests.vision.adapters.made_models import constant_network
from tests.vision.photos import load_picture
from vericap import evaluate
from vericap.cli import app
from vericap.errors import InputError
from vericap.judging import judge, load
from vericap.vision.detectors import Detection

HALLUCINATED = "chair-s(truth=labels)"


def test_objects_reach_every_item_of_their_image(tmp_path):
    folder = folders.nebula(tmp_path / "f")
    objects = {"dog.jpg": ["dog", "grass"], "cat.jpg": ["cat"]}
    judged, _ = load("nebula", folder)
    verdict = judge("nebula", folder, metrics=[ObjectCount()], objects=objects, bootstrap=0)
    assert verdict.rows[0].value("pearson") == pytest.approx(pearsonr([2, 2, 1], judged.human.ravel()).statistic)
    with pytest.raises(InputError, match=r"cat\.jpg"):
        judge("nebula", folder, metrics=[ObjectCount()], objects={"dog.jpg": ["dog"]}, bootstrap=0)
    dropped = judge(
        "nebula", folder, metrics=[ObjectCount()], objects={"dog.jpg": ["dog"]}, missing="drop", bootstrap=0
    )
    assert dropped.n == 2
    assert "1 of 3 items left out: nothing is known of their pictures" in dropped.notes


class ByColour:
    """Sees a dog in a dark picture and a cat in a bright one, and remembers which pictures it saw."""

    name = "by-colour 1"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, picture: Path) -> Detection:
        self.seen.append(picture.name)
        bright = load_picture(picture).mean() > 127
        return Detection(["cat" if bright else "dog"], np.array([[0, 0, 4, 4]]), np.array([0.9]))


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """What the two images of the small benchmarks look like."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    Image.new("RGB", (8, 6), "black").save(folder / "dog.png")
    Image.new("RGB", (8, 6), "white").save(folder / "cat.jpg")
    return folder


def test_a_detector_looks_at_each_picture_of_a_benchmark_once(tmp_path: Path, pictures: Path) -> None:
    folder, detector = folders.nebula(tmp_path / "f"), ByColour()
    found = judge("nebula", folder, metrics=HALLUCINATED, images=pictures, detector=detector, bootstrap=0)
    assert detector.seen == ["dog.png", "cat.jpg"]
    # A dog of a dog, a cat of a dog, a cat and a dog of a cat: 0, 1 and 1 of the captions name what is not there.
    judged, _ = load("nebula", folder)
    expected = pearsonr([0, 1, 1], judged.human.ravel()).statistic
    assert found.rows[0].value("pearson") == pytest.approx(expected)
    assert "by-colour 1 at 0.5" in found.rows[0].signature


def test_curves_do_not_look_again(tmp_path: Path, pictures: Path) -> None:
    folder, detector = folders.nebula(tmp_path / "f"), ByColour()
    judge("nebula", folder, metrics=HALLUCINATED, images=pictures, detector=detector, bootstrap=0, curves=True)
    assert detector.seen == ["dog.png", "cat.jpg"]


@pytest.mark.parametrize("with_detector", [True, False])
def test_missing_pictures_are_named_and_treated(tmp_path: Path, pictures: Path, with_detector: bool) -> None:
    folder = folders.nebula(tmp_path / "f")
    (pictures / "cat.jpg").unlink()
    how = {"images": pictures, "bootstrap": 0, "metrics": HALLUCINATED if with_detector else "bleu-1"}
    how |= {"detector": ByColour()} if with_detector else {}
    with pytest.raises(InputError, match=r"image 'cat\.jpg' has no file in the folder.*--missing drop"):
        judge("nebula", folder, **how)
    dropped = judge("nebula", folder, missing="drop", **how)
    assert dropped.n == 2
    assert f"{pictures}: image 'cat.jpg' has no file in the folder" in dropped.notes
    assert "1 of 3 items left out: nothing is known of their pictures" in dropped.notes
    kept = judge("nebula", folder, missing="zero", **how)
    assert kept.n == 3
    assert f"{pictures}: image 'cat.jpg' has no file in the folder" in kept.notes


def test_from_the_command_line_with_an_onnx_file(tmp_path: Path, pictures: Path) -> None:
    folder = folders.nebula(tmp_path / "f")
    made = {
        "boxes": np.array([[0, 0, 64, 64]], np.float32),
        "scores": np.array([0.8], np.float32),
        "labels": np.array([1], np.int64),
    }
    model = constant_network(tmp_path / "dogs.onnx", made)
    (tmp_path / "classes.txt").write_text("cat\ndog\n")
    detector = f"onnx(model={model},classes={tmp_path / 'classes.txt'})"
    words = ["judge", "nebula", "--data", folder, "--images", pictures, "--detector", detector, "-m", HALLUCINATED]
    done = CliRunner().invoke(app, [*map(str, words), "--json", str(tmp_path / "out.json")])
    assert done.exit_code == 0, done.output
    [row] = json.loads((tmp_path / "out.json").read_text())["rows"]
    # It sees a dog everywhere: of three captions the second and the third name a cat.
    judged, _ = load("nebula", folder)
    assert row["pearson"] == pytest.approx(pearsonr([0, 1, 1], judged.human.ravel()).statistic)


@pytest.mark.torch
def test_clipscore_sees_the_pictures_of_a_benchmark(tmp_path: Path, pictures: Path) -> None:
    folder = folders.nebula(tmp_path / "f")
    key = f"clipscore(model={models().paths['hugging-face']})"
    verdict = judge("nebula", folder, metrics=key, images=pictures, bootstrap=0)
    judged, _ = load("nebula", folder)
    captions = dict(enumerate(judged.candidates))
    copies = tmp_path / "copies"
    copies.mkdir()
    for number, image in enumerate(judged.image_ids):
        [file] = pictures.glob(f"{Path(image).stem}.*")
        (copies / f"{number}{file.suffix}").write_bytes(file.read_bytes())
    alone = evaluate(captions, images=copies, metrics=key)[key].captions
    assert verdict.rows[0].value("pearson") == pytest.approx(pearsonr(alone, judged.human.ravel()).statistic)
    (pictures / "cat.jpg").unlink()
    assert judge("nebula", folder, metrics=key, images=pictures, missing="drop", bootstrap=0).n == 2
