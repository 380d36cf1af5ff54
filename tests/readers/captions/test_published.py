"""Captions as data sets and evaluation tools publish them, in their own shapes and names of fields."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.readers import load


def references_of(corpus: Corpus) -> list[list[str]]:
    return [corpus.references_of(row) for row in range(len(corpus))]


MSR_VTT = {
    "info": {"version": "1.0"},
    "videos": [
        {"video_id": "video0", "split": "train", "category": 9},
        {"video_id": "video1", "split": "test", "category": 3},
    ],
    "sentences": [
        {"caption": "a car is shown", "video_id": "video0", "sen_id": 0},
        {"caption": "a dog runs", "video_id": "video1", "sen_id": 1},
        {"caption": "a dog in a field", "video_id": "video1", "sen_id": 2},
    ],
}
TEXT_CAPS = {
    "dataset_type": "val",
    "data": [
        {
            "image_id": "e7b0",
            "set_name": "val",
            "caption_str": "A sign.",
            "reference_strs": ["A sign.", "A red sign."],
        },
        {"image_id": "a1c2", "set_name": "val", "caption_str": "A can.", "reference_strs": ["A can."]},
    ],
}
KARPATHY = {
    "dataset": "coco",
    "images": [
        {"cocoid": 42, "filename": "COCO_val2014_000000000042.jpg", "split": "test", "sentences": [{"raw": "A dog."}]}
    ],
}
FLICKR30K = {
    "dataset": "flickr30k",
    "images": [{"filename": "1000092795.jpg", "split": "val", "sentences": [{"raw": "Two men.", "tokens": ["two"]}]}],
}
NOCAPS = {
    "images": [{"id": 0, "open_images_id": "0013ea2087020901", "file_name": "0013ea2087020901.jpg"}],
    "annotations": [{"image_id": 0, "id": 0, "caption": "A baby stands."}],
}


@pytest.mark.parametrize(
    ("candidates", "references", "expected"),
    [
        ({"video1": "a dog"}, MSR_VTT, [["a dog runs", "a dog in a field"]]),
        ({"e7b0": "a sign"}, TEXT_CAPS, [["A sign.", "A red sign."]]),
        ({42: "a dog"}, KARPATHY, [["A dog."]]),
        ({"1000092795": "men"}, FLICKR30K, [["Two men."]]),
        ({"0013ea2087020901.jpg": "a baby"}, NOCAPS, [["A baby stands."]]),
        ({7: "a dog"}, {"7": [{"caption": "a dog runs"}, {"caption": "dogs"}]}, [["a dog runs", "dogs"]]),
        ({7: "a dog"}, [{"7": ["dogs", "a dog"]}, {"8": ["cats"]}], [["dogs", "a dog"]]),
    ],
    ids=["msr-vtt", "textcaps", "karpathy", "flickr30k", "nocaps", "coco-caption", "pairs"],
)
def test_references_of_data_sets(candidates: Any, references: Any, expected: list[list[str]], tmp_path: Path) -> None:
    assert references_of(load(candidates, references)) == expected
    (tmp_path / "r.json").write_text(json.dumps(references))
    assert references_of(load(candidates, tmp_path / "r.json")) == expected


def test_the_splits_of_msr_vtt_and_textcaps() -> None:
    assert references_of(load({"video1": "a dog"}, MSR_VTT, split="test", uncaptioned="error"))[0][0] == "a dog runs"
    assert len(load({"e7b0": "x", "a1c2": "y"}, TEXT_CAPS, split="val", uncaptioned="error")) == 2


def test_vizwiz_leaves_out_what_its_evaluation_leaves_out() -> None:
    annotations = [
        {"image_id": 0, "caption": "a can of soup", "is_precanned": False, "is_rejected": False},
        {"image_id": 0, "caption": "Quality issues are too severe", "is_precanned": True, "is_rejected": False},
        {"image_id": 0, "caption": "spam", "is_precanned": False, "is_rejected": True},
    ]
    images = [{"id": 0, "file_name": "VizWiz_val_00000000.jpg"}]
    corpus = load({"VizWiz_val_00000000.jpg": "soup"}, {"images": images, "annotations": annotations})
    assert references_of(corpus) == [["a can of soup"]]
    assert "2 captions that VizWiz rejects or calls precanned left out" in corpus.notes


def test_vizwiz_in_a_large_file_is_no_other(tmp_path: Path) -> None:
    annotations = [
        {
            "image_id": i // 2,
            "caption": f"caption number {i} of an image",
            "is_precanned": bool(i % 2),
            "is_rejected": False,
        }
        for i in range(12_000)
    ]
    (tmp_path / "val.json").write_text(json.dumps({"images": [], "annotations": annotations}))
    assert references_of(load({3: "a caption"}, tmp_path / "val.json")) == [["caption number 6 of an image"]]


def test_pairs_of_id_and_caption_are_candidates_too(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"42": "a dog"}\n\n{"7": "a cat"}\n')
    for source in ([{"42": "a dog"}, {"7": "a cat"}], tmp_path / "r.jsonl"):
        corpus = load(source)
        assert list(corpus.image_ids) == ["42", "7"] and list(corpus.candidates) == ["a dog", "a cat"]


SAMPLE = {
    "doc_id": 0,
    "doc": {"question_id": "COCO_val2014_000000000042.jpg", "question": "Caption it.", "answer": ["A dog.", "Dogs."]},
    "target": ["A dog.", "Dogs."],
    "arguments": {"0": "Caption it."},
    "resps": [["a dog "]],
    "filtered_resps": ["a dog"],
    "doc_hash": "74234e98",
    "coco_CIDEr": {"answer": ["A dog.", "Dogs."], "pred": "a dog", "image_id": 42, "id": 0},
}


def test_logged_samples_of_lmms_eval(tmp_path: Path) -> None:
    bare = {name: SAMPLE[name] for name in ("doc_id", "target", "resps", "filtered_resps")}
    for sample, image in ((SAMPLE, 42), (bare, 0)):
        (tmp_path / "samples_coco2014_cap_val.jsonl").write_text(json.dumps(sample) + "\n")
        corpus = load(tmp_path / "samples_coco2014_cap_val.jsonl")
        assert list(corpus.image_ids) == [image] and list(corpus.candidates) == ["a dog"]
        assert references_of(corpus) == [["A dog.", "Dogs."]]


def test_rows_of_hugging_faces_viewer(tmp_path: Path) -> None:
    row = {"image": {"src": "https://example.org/a.jpg"}, "filename": "a.jpg", "caption": ["two men", "men"]}
    whole = {"features": [], "rows": [{"row_idx": 0, "row": row, "truncated_cells": []}]}
    assert references_of(load({"a.jpg": "men"}, whole)) == [["two men", "men"]]
    (tmp_path / "rows.jsonl").write_text(json.dumps(whole["rows"][0]) + "\n")
    assert references_of(load({"a.jpg": "men"}, tmp_path / "rows.jsonl")) == [["two men", "men"]]


@pytest.mark.parametrize(
    "broken",
    [
        {"images": [{"sentences": [{"raw": "a"}]}]},
        {"images": [{"filename": "a", "sentences": ["a"]}]},
        {"videos": [], "sentences": [{"video_id": "v", "caption": "a"}, {"caption": "b"}]},
        {"videos": [], "sentences": [{"video_id": "v", "caption": "a"}, {"video_id": ["v"], "caption": "b"}]},
    ],
)
def test_a_published_shape_that_lacks_something_names_the_row(broken: Any) -> None:
    with pytest.raises(InputError, match=r"references, row \d"):
        load({"v": "x"}, broken)
