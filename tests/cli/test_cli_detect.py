"""`vericap detect` writes what is in pictures, and `score` finds the same with pictures as with that file."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner, Result

from tests.vision.photos import PHOTOS
from vericap.cli import app
from vericap.errors import InputError
from vericap.vision.ssd import Ssd

METRICS = "vifidel,chair-i,faier"
CHAIR = "chair-i(truth=labels)"  # what chair-i is without references


def run(*words: object) -> Result:
    done = CliRunner().invoke(app, [str(word) for word in words])
    if isinstance(done.exception, InputError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cat, a cup and a motorcycle, named as COCO names its pictures."""
    folder = tmp_path_factory.mktemp("pictures")
    for number, photo in zip((7, 42, 100), (PHOTOS[2], PHOTOS[3], PHOTOS[4]), strict=True):
        shutil.copy(photo.file, folder / f"COCO_val2014_{number:012}.png")
    return folder


@pytest.fixture(scope="module")
def captions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("captions") / "results.json"
    said = {7: "a cat looking at something", 42: "a dog beside a cup of coffee", 100: "a red motorcycle in a garage"}
    path.write_bytes(orjson.dumps([{"image_id": image, "caption": caption} for image, caption in said.items()]))
    return path


def scores(path: Path) -> dict[str, Any]:
    found = orjson.loads(path.read_bytes())
    return {"corpus": {key: each["score"] for key, each in found["metrics"].items()}, "captions": found["captions"]}


def test_pictures_alone_are_enough_to_score(pictures: Path, captions: Path, tmp_path: Path) -> None:
    done = run("score", captions, "--images", pictures, "-m", METRICS, "--json", tmp_path / "a.json")
    found = orjson.loads((tmp_path / "a.json").read_bytes())
    # Of the objects that captions name (cat, dog, cup, motorcycle) the dog is not in the picture.
    assert [row["scores"][CHAIR] for row in found["captions"]] == [0, 0.5, 0]
    assert list(found["metrics"]) == METRICS.replace("chair-i", CHAIR).split(",")
    for each in found["metrics"].values():
        assert f"|detector:{Ssd().name} at 0.5|" in each["signature"]
    assert "with a confidence below 0.5 left out" in done.stderr


def test_the_file_gives_the_scores_that_the_pictures_give(pictures: Path, captions: Path, tmp_path: Path) -> None:
    objects = tmp_path / "objects.jsonl"
    done = run("detect", pictures, "-o", objects)
    assert done.stdout.startswith("3 pictures, ") and "cat 1" in done.stdout
    rows = [orjson.loads(line) for line in objects.read_bytes().splitlines()]
    assert [row["image_id"] for row in rows] == sorted(path.name for path in pictures.iterdir())
    [cat] = rows[0]["objects"]
    assert cat["label"] == "cat" and 0.5 <= cat["confidence"] <= 1 and len(cat["box"]) == 4
    run("score", captions, "--images", pictures, "-m", METRICS, "--json", tmp_path / "a.json")
    run("score", captions, "--objects", objects, "-m", METRICS, "--json", tmp_path / "b.json")
    assert scores(tmp_path / "a.json") == scores(tmp_path / "b.json")


def test_with_a_lower_threshold_more_is_found(pictures: Path, tmp_path: Path) -> None:
    counts = []
    for words in (["--confidence", "0.2"], ["--detector", "ssd(threshold=0.2)"], []):
        run("detect", pictures, "-o", tmp_path / "o.jsonl", *words)
        counts.append([len(orjson.loads(row)["objects"]) for row in (tmp_path / "o.jsonl").read_bytes().splitlines()])
    assert counts[0] == counts[1] and sum(counts[0]) > sum(counts[2])


def test_json(pictures: Path, tmp_path: Path) -> None:
    done = run("detect", pictures, "--json", "-")
    found = orjson.loads(done.stdout)
    assert found["detector"] == Ssd().name and found["confidence"] == 0.5 and found["unreadable"] == []
    assert [row["objects"][0]["label"] for row in found["pictures"]] == ["cat", "cup", "motorcycle"]
    assert "3 pictures" in done.stderr
    run("detect", pictures, "-o", tmp_path / "o.jsonl", "--json", tmp_path / "o.json", "-q")
    rows = [orjson.loads(line) for line in (tmp_path / "o.jsonl").read_bytes().splitlines()]
    assert rows == orjson.loads((tmp_path / "o.json").read_bytes())["pictures"] == found["pictures"]


def test_a_second_run_with_the_cache_does_not_use_the_network(
    pictures: Path, captions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []
    network = Ssd.detect
    monkeypatch.setattr(Ssd, "detect", lambda self, given: looked.append(len(given)) or network(self, given))
    cache = ["--cache", tmp_path / "cache"]
    run("score", captions, "--images", pictures, "-m", METRICS, *cache, "--json", tmp_path / "a.json")
    assert sum(looked) == 3
    run("score", captions, "--images", pictures, "-m", METRICS, *cache, "--json", tmp_path / "b.json")
    run("detect", pictures, *cache, "--confidence", "0.3")
    assert sum(looked) == 3
    assert scores(tmp_path / "a.json") == scores(tmp_path / "b.json")


def test_two_processes_share_a_cache(pictures: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "vericap", "detect", str(pictures), "--cache", str(tmp_path / "cache"), "-o"]
    both = [subprocess.Popen([*command, str(tmp_path / name)]) for name in ("a", "b")]
    assert [each.wait() for each in both] == [0, 0]
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes() != b""
    assert len(list((tmp_path / "cache").rglob("*.entry"))) == 3
    assert not list((tmp_path / "cache").rglob("*.partial"))


def test_pictures_that_cannot_be_read(pictures: Path, captions: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    shutil.copytree(pictures, folder)
    (folder / "COCO_val2014_000000000042.png").write_bytes(b"no picture")
    words = ["score", captions, "--images", folder, "-m", "chair-i", "--json", tmp_path / "a.json"]
    with pytest.raises(InputError, match=r"000042.png: this is not a picture in JPEG, .* or choose --missing drop"):
        run(*words)
    assert "000042.png: this is not a picture" in run(*words, "--missing", "drop").stderr
    assert [row["image_id"] for row in scores(tmp_path / "a.json")["captions"]] == [7, 100]
    run(*words, "--missing", "zero")
    assert [row["scores"][CHAIR] for row in scores(tmp_path / "a.json")["captions"]] == [0, 1, 0]
    with pytest.raises(InputError, match=r"000042.png: this is not a picture"):
        run("detect", folder, "-o", tmp_path / "o.jsonl")
    assert not (tmp_path / "o.jsonl").exists()
    assert "left out" in run("detect", folder, "-o", tmp_path / "o.jsonl", "--missing", "drop").stderr


def test_the_limit_of_pixels_is_an_option(pictures: Path, captions: Path) -> None:
    small = ["--megapixels", "0.1"]
    with pytest.raises(InputError, match=r"megapixels \(451 × 300\); the limit is 0.1; .*raise --megapixels"):
        run("score", captions, "--images", pictures, "-m", "chair-i", *small)
    with pytest.raises(InputError, match=r"the limit is 0\.1"):
        run("detect", pictures, *small)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--confidence", "2"], "confidence=2.0 is out of bounds for vericap detect; use a number from 0 to 1"),
        (["--megapixels", "nan"], "megapixels=nan is out of bounds"),
        (["--workers", "-1"], "workers=-1 is out of bounds"),
        (["--detector", "yolo"], "`yolo` is not a detector; choose one of"),
        (["-o", "-", "--json", "-"], "--output and --json are both stdout"),
        (["-o", "no/such/folder/o.jsonl"], "there is no folder no/such/folder"),
    ],
)
def test_what_is_wrong_is_said_before_any_picture_is_looked_at(words: list[str], message: str, pictures: Path) -> None:
    with pytest.raises(InputError) as error:
        run("detect", pictures, *words)
    assert message in str(error.value)


def test_explain_is_silent_about_other_pictures(pictures: Path, captions: Path, tmp_path: Path) -> None:
    run("explain", captions, "--images", pictures, "--id", 42, "-m", "vifidel", "--json", tmp_path / "why.json")
    found = orjson.loads((tmp_path / "why.json").read_bytes())
    assert found["explanations"][0]["objects"][0]["label"] == "cup"
    assert not any("show nothing" in note for note in found["notes"])
