"""`vericap explain`: why a caption has its score."""

from __future__ import annotations

import numpy as np
from PIL import Image

from tests.cli.program import REFERENCES, STRONG, vericap
from tests.show.report.reading import report_of
from tests.vision.adapters.made_models import constant_network


def test_explain_shows_the_parts_of_each_formula():
    done = vericap("explain", STRONG, "-r", REFERENCES, "--id", 1, "-m", "bleu-2,rouge-l,cider-d,cider-r,ter")
    assert done.returncode == 0
    for part in ("brevity penalty", "best recall", "idf", "length penalty", "repetition penalty"):
        assert part in done.stdout


def test_pictures_are_looked_at_and_drawn_with_their_boxes(tmp_path):
    """A detector that sees a dog in every picture: listed with its confidence, and in the page with the picture."""
    made = {
        "boxes": np.array([[0, 0, 32, 64]], np.float32),
        "scores": np.array([0.8], np.float32),
        "labels": np.array([0], np.int64),
    }
    model = constant_network(tmp_path / "dogs.onnx", made)
    (tmp_path / "classes.txt").write_text("dog\n")
    (tmp_path / "pictures").mkdir()
    Image.new("RGB", (40, 20), "white").save(tmp_path / "pictures" / "1.png")
    (tmp_path / "captions.json").write_text('{"1": "a puppy", "2": "no picture of this one"}')
    page = tmp_path / "page.html"
    done = vericap(
        *("explain", tmp_path / "captions.json", "--id", 1, "-m", "vifidel", "--images", tmp_path / "pictures"),
        *("--detector", f"onnx(model={model},classes={tmp_path / 'classes.txt'})", "--html", page),
    )
    assert done.returncode == 0, done.stderr
    assert "dog  0.80  (0, 0)–(20, 20)  puppy" in done.stdout
    captions = report_of(page.read_text())["captions"]
    assert captions["pictures"][0].startswith("data:image/jpeg;base64,")
    assert captions["sizes"] == [[40, 20]]
    [dog] = captions["objects"][0]
    assert (dog["box"], round(dog["confidence"], 6), dog["hue"]) == ([0, 0, 20, 20], 0.8, 0)
    assert captions["mentions"] == [[[2, 7, 0]]]
