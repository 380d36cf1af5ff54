"""`vericap train faier`: from files to a checkpoint that scores, and on from where it stopped."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from vericap.cli import app
from vericap.errors import InputError

pytestmark = pytest.mark.torch

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
    said = run(folder)
    assert "validation R@1" in said and "held-out images, 4 references, R@1 R@5 R@10" in said
    assert "29 images to train on, 5 to validate, 3 held out; of 40 with captions 2 are left out (unseen.txt 2)" in said
    about = json.loads((folder / "out" / "model.json").read_text("utf-8"))
    assert about["config"]["training"]["batch"] == 8
    # 40 images with captions, 2 to be left out, one without labels.
    facts = {"captioned_images": 40, "left_out": 2, "without_regions": 1, "train": 29, "validation": 5, "held_out": 3}
    assert about["data"].items() >= facts.items()
    assert about["data"]["left_out_by"] == {"unseen.txt": 2}
    assert set(about["retrieval"]) == {"0", "4"} and set(about["retrieval"]["4"]["image_to_text"]) == {"1", "5", "10"}
    assert set(about["calibration"]["n"]) == {"0", "1", "4"}
    with (folder / "out" / "log.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["epoch"]) for row in rows] == [1, 2]
    from vericap.metrics.faier.scenes import Caption, Scenes
    from vericap.metrics.faier.scorer import FaierScorer

    scorer = FaierScorer.load(folder / "out")
    regions = scorer.label_regions([["dog"]])
    found = scorer.score(Scenes([Caption(("a", "dog"))], np.array([0]), [[]], regions, np.array([0])))
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
    with pytest.raises(InputError, match=r"labels\.tsv, .*of image 2 has none; write boxes = false"):
        run(folder)


def test_a_folder_that_is_none_is_refused_before_data_are_read(folder: Path) -> None:
    (folder / "out").write_text("a file")
    (folder / "captions.json").unlink()
    with pytest.raises(InputError, match=r'out, field "output": nothing can be written there'):
        run(folder)


def test_nothing_to_go_on_from(folder: Path) -> None:
    with pytest.raises(InputError, match="no state to continue from"):
        run(folder, "--resume")


def change(folder: Path, *pairs: tuple[str, str]) -> None:
    text = (folder / "faier.toml").read_text("utf-8")
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    (folder / "faier.toml").write_text(text, "utf-8")


def with_boxes(folder: Path) -> None:
    """The same objects as COCO instances, each with its box."""
    lines = [line.split("\t") for line in (folder / "labels.tsv").read_text("utf-8").splitlines()]
    annotations = [
        {"image_id": int(image), "category_id": THINGS.index(label) + 1, "bbox": [10 * place, 5, 30, 20 + place]}
        for image, labels in lines
        for place, label in enumerate(labels.split(","))
    ]
    categories = [{"id": number, "name": name} for number, name in enumerate(THINGS, 1)]
    instances = {"images": [], "annotations": annotations, "categories": categories}
    (folder / "instances.json").write_text(json.dumps(instances), "utf-8")


def test_labels_with_boxes_train_a_model_of_boxes(folder: Path) -> None:
    with_boxes(folder)
    change(folder, ("boxes = false", "boxes = true"), ("labels.tsv", "instances.json"))
    change(folder, ("batch = 8", "batch = 8\nclasses = 0.5"))
    run(folder)
    from vericap import evaluate

    metric = f"faier(checkpoint={folder / 'out'})"
    result = evaluate({2: "a dog and a cat", 3: "a cow"}, objects=folder / "instances.json", metrics=[metric])[metric]
    assert "|weights:boxes|" in result.signature and np.isfinite(result.captions).all()


def test_an_object_without_a_box_is_named(folder: Path) -> None:
    with_boxes(folder)
    instances = json.loads((folder / "instances.json").read_text("utf-8"))
    del instances["annotations"][9]["bbox"]
    (folder / "instances.json").write_text(json.dumps(instances), "utf-8")
    change(folder, ("boxes = false", "boxes = true"), ("labels.tsv", "instances.json"))
    with pytest.raises(InputError, match=r"instances\.json, .*boxes, and '\w+' of image 4 has none"):
        run(folder)


def test_a_model_that_sees_no_image_needs_none(folder: Path) -> None:
    change(folder, ("boxes = false", 'variant = "aier"'), ('objects = "labels.tsv"', ""))
    assert "30 images to train on" in run(folder)


def test_without_validation_the_last_weights_are_kept(folder: Path) -> None:
    change(folder, ("validation = 5", "validation = 0"))
    assert "no validation; the weights at step 8 of 8" in run(folder)
    metric = f"faier(checkpoint={folder / 'out'},scale=calibrated)"
    from vericap import evaluate

    with pytest.raises(InputError, match=r"scale.*has no calibration"):
        evaluate({2: "a dog"}, objects={2: ["dog"]}, metrics=[metric])


def test_images_with_one_caption_are_for_fier_alone(folder: Path) -> None:
    given = json.loads((folder / "captions.json").read_text("utf-8"))
    kept = [row for row in given["annotations"] if row["image_id"] > 9 or row["id"] % 10 == 0]
    (folder / "captions.json").write_text(json.dumps({"images": [], "annotations": kept}), "utf-8")
    assert "of 40 with captions 0 are left out (unseen.txt 0), 1 have no objects or regions, 10 too few" in run(folder)
    change(folder, ("boxes = false", 'boxes = false\nvariant = "fier"'))
    assert "of 40 with captions 2 are left out (unseen.txt 2), 1 have no objects or regions, 0 too few" in run(folder)


@pytest.mark.parametrize("content", ["[]", '{"ids": [0, 1]}', "[[1, 2]]", "\n"])
def test_a_file_of_images_to_leave_out_that_names_none_is_refused(folder: Path, content: str) -> None:
    (folder / "unseen.txt").write_text(content, "utf-8")
    with pytest.raises(InputError, match=r"unseen\.txt, .*no image id is found"):
        run(folder)


def test_a_run_with_other_captions_does_not_go_on(folder: Path) -> None:
    run(folder)
    given = json.loads((folder / "captions.json").read_text("utf-8"))
    given["annotations"][30]["caption"] = "something else"
    (folder / "captions.json").write_text(json.dumps(given), "utf-8")
    with pytest.raises(InputError, match=r"resume\.safetensors: the state is of a run with other data"):
        run(folder, "--resume")


def test_a_damaged_state_is_refused(folder: Path) -> None:
    run(folder)
    state = folder / "out" / "resume.safetensors"
    state.write_bytes(state.read_bytes()[:100])
    with pytest.raises(InputError, match="damaged or cut off; train without --resume"):
        run(folder, "--resume")


def test_the_settings_in_the_documentation_are_the_defaults() -> None:
    import tomllib
    from dataclasses import asdict

    from vericap.metrics.faier.config import FaierConfig, config_of

    page = (Path(__file__).parents[2] / "docs" / "faier.md").read_text("utf-8")
    given = tomllib.loads(page.partition("```toml\n")[2].partition("```")[0])
    config_of(given, "docs/faier.md")
    due = asdict(FaierConfig())
    assert {name: set(table) for name, table in given.items()} == {name: set(table) for name, table in due.items()}
    named = {"captions": "captions.json", "objects": "instances.json", "leave_out": []}
    assert given == due | {"data": due["data"] | named}
