"""Objects of a corpus's images: every format gives the same, sources are united, ids are matched as captions' are."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vericap import evaluate
from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.readers.objects import add_objects
from vericap.readers.objects.labels import COCO_CATEGORIES

CORPUS = Corpus.from_lists(["two dogs on a table", "a cat"], image_ids=[42, 7])
# Image 42 has two dogs and a dining table, image 7 a cat.
BOX = {"bbox": [1, 2, 30, 40]}
COCO = {
    "images": [{"id": 42, "file_name": "COCO_val2014_000000000042.jpg"}, {"id": 7, "file_name": "7.jpg"}],
    "categories": [{"id": 1, "name": "dog"}, {"id": 2, "name": "dining table"}, {"id": 3, "name": "cat"}],
    "annotations": [
        {"image_id": 42, "category_id": 1, **BOX},
        {"image_id": 42, "category_id": 1, **BOX},
        {"image_id": 42, "category_id": 2, **BOX},
        {"image_id": 7, "category_id": 3, **BOX},
    ],
}
VOC = """<annotation><filename>{name}.jpg</filename>{objects}</annotation>"""
VOC_OBJECT = """<object><name>{}</name><difficult>0</difficult><bndbox><xmin>1</xmin><ymin>2</ymin>
<xmax>31</xmax><ymax>42</ymax></bndbox></object>"""


def voc_json(*labels: str, **more: float) -> list[dict[str, Any]]:
    return [{"name": label, "difficult": 0, "bbox": [1, 2, 31, 42], **more} for label in labels]


def coco_id(name: str) -> int:
    return next(number for number, known in COCO_CATEGORIES.items() if known == name)


Detection = dict[str, Any]
DETECTIONS: list[Detection] = [
    {"image_id": image, "category_id": coco_id(name), "score": score, **BOX}
    for image, name, score in [
        *((42, "dog", 0.9), (42, "dog", 0.8), (42, "dining table", 0.6)),
        *((7, "cat", 0.7), (7, "toaster", 0.1)),
    ]
]
OPEN_IMAGES = """ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded
42,xclick,/m/0bt9lr,1,0.1,0.2,0.3,0.4,0
42,xclick,/m/0bt9lr,1,0.1,0.2,0.3,0.4,0
42,xclick,/m/04bcr3,1,0.1,0.2,0.3,0.4,0
7,verification,/m/01yrx,1,0.1,0.2,0.3,0.4,0
7,verification,/m/0bt9lr,0,0.1,0.2,0.3,0.4,0
"""
CLASSES = "/m/0bt9lr,Dog\n/m/04bcr3,Dining table\n/m/01yrx,Cat\n"

FORMATS: dict[str, dict[str, Any]] = {
    "labels": {"o.json": {"42": ["Dog", "DOG", "dining_table"], "COCO_val2014_000000000007.jpg": ["cat"]}},
    "counts": {"o.json": {"42": {"dog": 2, "dining-table": 1}, "7": {"cat": 1}}},
    "tsv": {"o.tsv": "42\tdog,dog,dining table\n7\tcat\n"},
    "coco instances": {"o.json": COCO},
    "voc json": {"o.json": {"000042.jpg": voc_json("dog", "dog", "diningtable"), "7.jpg": voc_json("cat")}},
    "voc xml": {
        "42.xml": VOC.format(name="42", objects="".join(map(VOC_OBJECT.format, ("dog", "dog", "diningtable")))),
        "7.xml": VOC.format(name="7", objects=VOC_OBJECT.format("cat")),
    },
    "coco results": {"o.json": DETECTIONS},
    "coco results, a line each": {"o.jsonl": "\n".join(map(json.dumps, DETECTIONS))},
    "categories beside results": {
        "results.json": [{**d, "category_id": d["category_id"] + 1000} for d in DETECTIONS],
        "names.json": [{"id": i + 1000, "name": name} for i, name in COCO_CATEGORIES.items()],
    },
    "detector": {"o.json": {"42": voc_json("dog", "dog", "dining table", score=0.9), "7": voc_json("cat", score=0.6)}},
    "torchvision": {
        "o.json": [
            {"image_id": 42, "labels": ["dog", "dog", "dining table"], "scores": [0.9, 0.9, 0.5]},
            {"image_id": 7, "labels": ["cat", "dog"], "scores": [0.9, 0.49]},
        ]
    },
    "records": {
        "o.jsonl": '{"image_id": 42, "objects": ["dog", "dog", "dining table"]}\n{"image_id": 7, "objects": ["cat"]}'
    },
    "csv": {"o.csv": "image_id,label,confidence\n42,dog,1\n42,dog,.5\n42,dining table,.5\n7,cat,.5\n7,dog,.2\n"},
    "open images": {"boxes.csv": OPEN_IMAGES, "classes.csv": CLASSES},
    "two files": {"a.tsv": "42\tdog,dog\n7\t\n", "b.json": {"42": ["dog", "dining table"], "7": ["cat"]}},
}


@pytest.fixture
def write(tmp_path: Path) -> Callable[[dict[str, Any]], list[Path]]:
    def write(files: dict[str, Any]) -> list[Path]:
        for name, content in files.items():
            (tmp_path / name).write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
        return [tmp_path / name for name in files]

    return write


def counts(corpus: Corpus, image: int) -> dict[str, int]:
    assert corpus.objects is not None
    offsets, labels, number = corpus.objects.distinct()
    rows = slice(offsets[image], offsets[image + 1])
    return {corpus.objects.labels[i]: n for i, n in zip(labels[rows].tolist(), number[rows].tolist(), strict=True)}


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_gives_the_same_objects(form: str, write: Callable[[dict[str, Any]], list[Path]]) -> None:
    paths = write(FORMATS[form])
    corpus = add_objects(CORPUS, paths[0].parent if form == "voc xml" else paths)
    assert counts(corpus, 0) == {"dog": 2, "dining table": 1}
    assert counts(corpus, 1) == {"cat": 1}


def test_boxes_are_left_top_width_height(write: Callable[[dict[str, Any]], list[Path]]) -> None:
    for form in ("coco instances", "voc json", "detector"):
        objects = add_objects(CORPUS, write(FORMATS[form])).objects
        assert objects is not None and objects.boxes is not None
        assert objects.boxes[0].tolist() == [1, 2, 30, 40], form


def test_gold_and_detections_are_told_apart(write: Callable[[dict[str, Any]], list[Path]]) -> None:
    gold, found = write({"gold.tsv": "42\tdog\n7\tcat\n", "found.json": DETECTIONS})
    objects = add_objects(CORPUS, [gold, found]).objects
    assert objects is not None
    assert [len(objects.distinct(kind)[1]) for kind in ("gold", "detections", "union")] == [2, 3, 3]


def test_numbers_that_no_file_names_are_cocos_categories_and_a_note_says_so() -> None:
    corpus = add_objects(CORPUS, {42: [3, 18, "boat"], 7: {"labels": [17]}})
    assert counts(corpus, 0) == {"car": 1, "dog": 1, "boat": 1} and counts(corpus, 1) == {"cat": 1}
    assert corpus.notes == ("numbers in objects read as COCO's categories: 3 car, 18 dog, 17 cat",)
    assert add_objects(CORPUS, COCO).notes == ()
    with pytest.raises(InputError, match=r"row 2 \(id 7\).*the category 300 is called"):
        add_objects(CORPUS, {42: [3], 7: [300]})


def test_confidence_of_each_file(write: Callable[[dict[str, Any]], list[Path]]) -> None:
    one, two = write({"one.json": DETECTIONS, "two.json": [{**d, "category_id": 1} for d in DETECTIONS]})
    corpus = add_objects(CORPUS, [one, two], confidence=[0.85, 0.65])
    assert counts(corpus, 0) == {"dog": 1, "person": 2}
    assert any("4 objects of" in note and "below 0.85" in note for note in corpus.notes)
    with pytest.raises(InputError, match="for 2 object files"):
        add_objects(CORPUS, [one, two], confidence=[0.1, 0.2, 0.3])
    for beyond in (1.5, -0.1):
        with pytest.raises(InputError, match="give one number from 0 to 1") as error:
            add_objects(CORPUS, one, confidence=beyond)
        assert error.value.field == "confidence"


@pytest.mark.parametrize(
    ("objects", "message"),
    [
        ([{"image_id": 42, "category_id": 12}, {"image_id": 7, "label": "cat"}], "the category 12 is called"),
        ([["dog"], ["cat"]], "it has no image ids"),
        ({42: ["dog"]}, "image 7 is not in the objects"),
        ({42: ["dog"], "42.jpg": ["cat"], 7: []}, None),
    ],
)
def test_wrong_objects_are_named(objects: Any, message: str | None) -> None:
    if message is None:  # an id that is equal goes before one that is only spelled alike
        assert add_objects(CORPUS, objects).objects_of(0) == ["dog"]
        return
    with pytest.raises(InputError, match=message):
        add_objects(CORPUS, objects)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (CLASSES, "names of categories, but no objects"),
        (OPEN_IMAGES, "nothing says what the category /m/0bt9lr is called"),
    ],
)
def test_wrong_files_are_named(text: str, message: str, write: Callable[[dict[str, Any]], list[Path]]) -> None:
    with pytest.raises(InputError, match=message):
        add_objects(CORPUS, write({"o.txt": text})[0])


def test_images_without_objects() -> None:
    """An image that is named and shows nothing is not an image that is not named."""
    assert add_objects(CORPUS, {42: ["dog"], 7: []}).objects_of(1) == []
    dropped = add_objects(CORPUS, {42: ["dog"]}, missing="drop")
    assert dropped.image_ids == [42] and dropped.objects_of(0) == ["dog"]
    assert dropped.notes == ("1 candidate without objects left out: 7",)
    kept = add_objects(CORPUS, {42: ["dog"]}, missing="zero")
    assert kept.objects_of(1) == [] and "kept, as images that show nothing: 7" in kept.notes[0]


def test_dropping_keeps_references_with_their_images() -> None:
    corpus = Corpus.from_lists(["a", "b", "c"], [["r"], ["s", "t"], ["u"]], [1, 2, 3])
    kept = add_objects(corpus, {2: ["dog"], 3: ["cat"]}, missing="drop")
    assert [kept.references_of(i) for i in range(2)] == [["s", "t"], ["u"]]
    assert [kept.objects_of(i) for i in range(2)] == [["dog"], ["cat"]]


def test_objects_by_position() -> None:
    corpus = add_objects(Corpus.from_lists(["a dog", "a cat"]), [["dog"], ["cat", "cat"]])
    assert corpus.objects_of(1) == ["cat", "cat"]
    with pytest.raises(InputError, match="3 rows, but there are 2 candidates"):
        add_objects(Corpus.from_lists(["a dog", "a cat"]), [["dog"], ["cat"], []])


def test_several_captions_of_an_image_share_its_objects() -> None:
    corpus = Corpus([42, 7, 42], ["a", "b", "c"], np.array([0, 1, 0]))
    assert add_objects(corpus, {42: ["dog"], 7: ["cat"]}).objects_of(2) == ["dog"]


def test_evaluate_tells_about_objects() -> None:
    result = evaluate({1: "a dog"}, {1: ["the dog"]}, objects={1: ["dog"], 2: ["cat"]}, metrics="bleu-1")
    assert "left out: 1 image of objects without a candidate" in result.notes


def test_real_files(data: Path) -> None:
    labels = data / "coco_objects" / "coco_val2014_gold_labels.tsv"
    corpus = Corpus.from_lists(["a bear in a bed"], image_ids=["COCO_val2014_000000000133.jpg"])
    assert add_objects(corpus, labels).objects_of(0) == ["teddy bear", "bed"]
    voc = data / "voc_objects" / "voc2012_objects_for_pascal50s.json"
    objects = add_objects(Corpus.from_lists(["a bus"], image_ids=["2008_000032"]), voc).objects
    assert objects is not None and objects.boxes is not None
    assert objects.of(0) == ["bus", "person", "person"]
    assert objects.boxes[0].tolist() == [6, 118, 483, 156]
