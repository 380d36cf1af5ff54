"""Retrieval on the 1,000 held-out images (the paper's Table 6 protocol) beside VIFIDEL's, which FAIEr is to double.

The captions are those in pycocoevalcap's jar; where it is not installed, the test is skipped.
"""

from __future__ import annotations

import json
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from vericap.metrics.faier import retrieve
from vericap.metrics.faier.config import DataConfig, FaierConfig, ModelConfig
from vericap.metrics.faier.examples import prepare
from vericap.metrics.faier.inputs import shipped_vectors
from vericap.metrics.faier.retrieval import Recall

# R@1 of VIFIDEL, image to text and text to image, by the number of references:
# python -m benchmarks.papers.faier --only retrieval
VIFIDEL = {0: (0.0740, 0.1202), 4: (0.1605, 0.2485)}


@pytest.fixture(scope="module")
def found(data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[int, Recall]:
    package = find_spec("pycocoevalcap")
    if package is None or not package.submodule_search_locations:
        pytest.skip("needs the captions in pycocoevalcap")
    captions = tmp_path_factory.mktemp("coco") / "captions_val2014.json"
    with zipfile.ZipFile(Path(package.submodule_search_locations[0]) / "spice" / "spice-1.0.jar") as jar:
        captions.write_bytes(jar.read("coco/annotations/captions_val2014.json"))
    unseen = ("composite/composite_joined.json", "coco_objects/karpathy_test_ids.txt")
    source = DataConfig(
        captions=str(captions),
        objects=str(data / "coco_objects" / "coco_val2014_gold_labels.tsv"),
        leave_out=tuple(str(data / name) for name in (*unseen, "coco_val2017/captions_val2017.json")),
    )
    # The split needs no parser; only the held-out images' captions are parsed.
    whole = prepare(
        FaierConfig(ModelConfig(boxes=False), data=source), Path(), lambda texts: [()] * len(texts), shipped_vectors()
    )
    texts: dict[int, list[str]] = {int(whole.image_ids[row]): [] for row in whole.held_out}
    for annotation in json.loads(captions.read_text("utf-8"))["annotations"]:
        if annotation["image_id"] in texts:
            texts[annotation["image_id"]].append(annotation["caption"])
    return {n: retrieve(texts, objects=source.objects, references=n, workers=2) for n in (0, 4)}


@pytest.mark.slow_when_pure
@pytest.mark.parametrize(
    ("references", "direction"),
    [
        (4, "image_to_text"),
        (4, "text_to_image"),
        (0, "image_to_text"),
        pytest.param(
            0,
            "text_to_image",
            marks=pytest.mark.xfail(
                strict=True,
                reason="19.1 % where twice VIFIDEL's is 24.0 %; a model that tells labels from captions has 18.4 %",
            ),
        ),
    ],
)
def test_recall_is_twice_vifidel_s(found: dict[int, Recall], references: int, direction: str) -> None:
    ours = getattr(found[references], direction)[1]
    theirs = VIFIDEL[references][direction == "text_to_image"]
    assert ours > theirs
    assert ours >= 2 * theirs
