"""`COCO` answers captioning scripts as pycocotools' class does, which is asked too where it is installed."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vericap.compat.pycocoevalcap.coco import COCO
from vericap.errors import InputError

CAPTIONS: dict[str, Any] = {
    "info": {"year": 2014, "contributor": "COCO"},
    "images": [{"id": 7, "file_name": "7.jpg"}, {"id": 3, "file_name": "3.jpg"}],
    "annotations": [
        {"id": 70, "image_id": 7, "caption": "A brown dog."},
        {"id": 30, "image_id": 3, "caption": "Two people."},
        {"id": 71, "image_id": 7, "caption": "A dog – running."},
    ],
}
OBJECTS: dict[str, Any] = {
    "images": [{"id": 7}, {"id": 3}, {"id": 5}],
    "categories": [
        {"id": 1, "name": "person", "supercategory": "person"},
        {"id": 18, "name": "dog", "supercategory": "animal"},
        {"id": 17, "name": "cat", "supercategory": "animal"},
    ],
    "annotations": [
        {"id": 1, "image_id": 7, "category_id": 18, "area": 900.0, "iscrowd": 0},
        {"id": 2, "image_id": 7, "category_id": 1, "area": 40.0, "iscrowd": 1},
        {"id": 3, "image_id": 3, "category_id": 1, "area": 5000.0, "iscrowd": 0},
        {"id": 4, "image_id": 5, "category_id": 17, "area": 10.0, "iscrowd": 0},
    ],
}
CALLS: dict[str, Callable[[Any], Any]] = {
    "all images": lambda coco: coco.getImgIds(),
    "some images": lambda coco: sorted(coco.getImgIds(imgIds=[3, 7, 3])),
    "images of a category": lambda coco: sorted(coco.getImgIds(catIds=1)),
    "images of two categories": lambda coco: coco.getImgIds(catIds=[1, 18]),
    "images of a category among some": lambda coco: coco.getImgIds(imgIds=[3, 5], catIds=[1]),
    "all annotations": lambda coco: coco.getAnnIds(),
    "annotations of an image": lambda coco: coco.getAnnIds(7),
    "annotations of images in an array": lambda coco: coco.getAnnIds(imgIds=np.array([3, 7, 9])),
    "annotations of a category": lambda coco: coco.getAnnIds(catIds=[1]),
    "annotations by area": lambda coco: coco.getAnnIds(areaRng=[30, 1000]),
    "annotations that are no crowd": lambda coco: coco.getAnnIds(imgIds=[7], iscrowd=False),
    "categories by name": lambda coco: coco.getCatIds(catNms=["dog", "cat"]),
    "categories by supercategory": lambda coco: coco.getCatIds(supNms=["animal"], catIds=[17]),
    "all categories": lambda coco: coco.getCatIds(),
    "loaded": lambda coco: [coco.loadImgs(7), coco.loadImgs([3]), coco.loadCats([18]), coco.loadAnns([4, 1])],
}
EXPECTED: dict[str, Any] = {
    "all images": [7, 3, 5],
    "some images": [3, 7],
    "images of a category": [3, 7],
    "images of two categories": [7],
    "images of a category among some": [3],
    "all annotations": [1, 2, 3, 4],
    "annotations of an image": [1, 2],
    "annotations of images in an array": [3, 1, 2],
    "annotations of a category": [2, 3],
    "annotations by area": [1, 2],
    "annotations that are no crowd": [1],
    "categories by name": [18, 17],
    "categories by supercategory": [17],
    "all categories": [1, 18, 17],
    "loaded": [[{"id": 7}], [{"id": 3}], [OBJECTS["categories"][1]], [OBJECTS["annotations"][i] for i in (3, 0)]],
}
INSTALLED = find_spec("pycocotools") is not None
CLASSES = [COCO, pytest.param("pycocotools", marks=pytest.mark.skipif(not INSTALLED, reason="needs pycocotools"))]


@pytest.fixture(params=CLASSES, ids=["ours", "pycocotools"])
def coco(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[dict[str, Any]], Any]:
    """Makes a COCO from a file's content: ours, and pycocotools', of which every test here holds too."""
    made = request.param
    if made == "pycocotools":
        from pycocotools.coco import COCO as made  # type: ignore[import-not-found,unused-ignore]

    def read(content: dict[str, Any]) -> Any:
        path = tmp_path / "annotations.json"
        path.write_text(json.dumps(content), "utf-8")
        return made(str(path))

    return read


@pytest.mark.parametrize("call", CALLS)
def test_calls_answer_as_pycocotools_does(coco: Callable[[Any], Any], call: str) -> None:
    assert CALLS[call](coco(OBJECTS)) == EXPECTED[call]


def test_captions_are_shown_one_per_line(coco: Callable[[Any], Any], capsys: pytest.CaptureFixture[str]) -> None:
    captions = coco(CAPTIONS)
    capsys.readouterr()
    captions.showAnns(captions.loadAnns(captions.getAnnIds(imgIds=7)))
    assert capsys.readouterr().out == "A brown dog.\nA dog – running.\n"
    captions.showAnns([])
    assert capsys.readouterr().out == ""


def test_info_prints_what_the_file_says(coco: Callable[[Any], Any], capsys: pytest.CaptureFixture[str]) -> None:
    captions = coco(CAPTIONS)
    capsys.readouterr()
    captions.info()
    assert capsys.readouterr().out == "year: 2014\ncontributor: COCO\n"


def test_results_come_from_a_path_or_a_list(coco: Callable[[Any], Any], tmp_path: Path) -> None:
    entries = [{"image_id": 3, "caption": "people"}]
    (tmp_path / "results.json").write_text(json.dumps(entries))
    for given in (entries, str(tmp_path / "results.json")):
        results = coco(CAPTIONS).loadRes(given)
        assert results.getImgIds() == [3]
        assert results.anns == {1: {"image_id": 3, "caption": "people", "id": 1}}
        assert results.dataset["info"] == CAPTIONS["info"]


def read(content: dict[str, Any]) -> COCO:
    made = COCO()
    made.dataset = content
    made.createIndex()
    return made


def test_results_come_from_an_array_of_entries_and_from_path_objects(tmp_path: Path) -> None:
    entries = [{"image_id": 3, "caption": "people"}, {"image_id": 7, "caption": "a dog"}]
    (tmp_path / "results.json").write_text(json.dumps(entries))
    for given in (np.array(entries, dtype=object), tmp_path / "results.json"):
        assert read(CAPTIONS).loadRes(given).getImgIds() == [7, 3]


def test_boxes_are_refused_with_the_way_out() -> None:
    with pytest.raises(AssertionError, match="array of float64 has no captions"):
        read(CAPTIONS).loadRes(np.zeros((5, 7)))
    with pytest.raises(AssertionError, match='row 1, field "caption": the entry has no caption'):
        read(CAPTIONS).loadRes([{"image_id": 7, "bbox": [0, 0, 5, 5]}])
    with pytest.raises(InputError, match="use pycocotools to draw"):
        read(OBJECTS).showAnns(OBJECTS["annotations"])
