"""Detectors that torch runs, from weights made at random: what they see, and errors that name the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

from tests.vision.adapters import made_folders
from vericap.errors import InputError
from vericap.vision.adapters.torch_files import _CLASSES, Torchvision, Transformers
from vericap.vision.adapters.weights import FLOOR

pytestmark = [pytest.mark.torch, pytest.mark.filterwarnings("ignore:.*torch.jit:DeprecationWarning")]

SMALL = "fasterrcnn_mobilenet_v3_large_320_fpn"


PICTURE = np.random.default_rng(0).integers(0, 256, (40, 60, 3), np.uint8)


def detection() -> Any:
    """The module, where a torchvision is installed that was built for the installed torch."""
    try:
        from torchvision.models import detection
    except (ImportError, RuntimeError) as error:
        pytest.skip(f"torchvision cannot be imported beside this torch: {error}")
    return detection


@pytest.fixture
def classes(tmp_path: Path) -> str:
    (tmp_path / "names.txt").write_text("dog\ncoffee mug\n")
    return str(tmp_path / "names.txt")


def test_the_same_objects_as_torchvision(tmp_path: Path, classes: str) -> None:
    module = detection()
    torch.manual_seed(0)
    network = getattr(module, SMALL)(weights=None, weights_backbone=None, num_classes=3).eval()
    torch.nn.init.constant_(network.roi_heads.box_predictor.cls_score.bias, 0.0)
    torch.save({"model": network.state_dict(), "epoch": 3}, tmp_path / "model.pth")
    [found] = Torchvision(str(tmp_path / "model.pth"), architecture=SMALL, classes=classes).detect([PICTURE])
    with torch.inference_mode():
        [own] = network([torch.from_numpy(PICTURE.transpose(2, 0, 1).copy()).float() / 255])
    sure = own["scores"].numpy() >= FLOOR
    assert found.labels == [["", "dog", "coffee mug"][number] for number in own["labels"].numpy()[sure]]
    assert len(found.labels) > 0
    assert found.boxes == pytest.approx(own["boxes"].numpy()[sure])
    assert found.confidence == pytest.approx(own["scores"].numpy()[sure])


def test_weights_of_another_network(tmp_path: Path, classes: str) -> None:
    detection()
    torch.save({_CLASSES: torch.zeros(3, 4)}, tmp_path / "model.pth")
    with pytest.raises(InputError, match=f"weights are not those of {SMALL}"):
        Torchvision(str(tmp_path / "model.pth"), architecture=SMALL, classes=classes).load(1)


class Harmful:
    """Would run a function when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return print, ("unpickled",)


def test_only_weights_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    torch.save({_CLASSES: Harmful()}, tmp_path / "model.pth")
    with pytest.raises(InputError, match=r"model\.pth.*holds more than tensors"):
        Torchvision(str(tmp_path / "model.pth"))._state()
    assert capsys.readouterr().out == ""
    torch.save({"weight": torch.zeros(1)}, tmp_path / "model.pth")
    with pytest.raises(InputError, match="has no roi_heads"):
        Torchvision(str(tmp_path / "model.pth"))._state()


def test_names_of_classes(tmp_path: Path, classes: str) -> None:
    (tmp_path / "model.pth").write_bytes(b"")
    model = str(tmp_path / "model.pth")
    coco = Torchvision(model)._names(91)
    assert (len(coco), coco[1], coco[90]) == (80, "person", "toothbrush")
    assert Torchvision(model, classes=classes)._names(3) == {1: "dog", 2: "coffee mug"}
    with pytest.raises(InputError, match="2 classes, which are not COCO's; add classes=FILE"):
        Torchvision(model)._names(3)
    with pytest.raises(InputError, match="2 classes are named, and the model has 1"):
        Torchvision(model, classes=classes)._names(2)


def raised(model: Any, folder: Path) -> None:
    """Random weights are sure of nothing: a bias makes them surer, so that something is found."""
    for name, parameter in model.named_parameters():
        if "class" in name and name.endswith("bias"):
            torch.nn.init.constant_(parameter, 1.0)
    model.save_pretrained(folder)


@pytest.mark.parametrize("make", [made_folders.detr, made_folders.rt_detr])
def test_models_with_classes_of_their_own(make: Callable[[Path], Any], tmp_path: Path) -> None:
    model = make(tmp_path / "model")
    raised(model, tmp_path / "model")
    [found] = Transformers(str(tmp_path / "model")).detect([PICTURE])
    processor = transformers.AutoImageProcessor.from_pretrained(tmp_path / "model")
    with torch.inference_mode():
        raw = model(**processor(images=[PICTURE], return_tensors="pt"))
    [own] = processor.post_process_object_detection(raw, threshold=FLOOR, target_sizes=[(40, 60)])
    assert found.labels == [made_folders.NAMES[number] for number in own["labels"].tolist()]
    assert len(found.labels) > 0
    assert found.confidence == pytest.approx(own["scores"].numpy(), abs=1e-6)
    assert found.boxes == pytest.approx(np.clip(own["boxes"].numpy(), 0, [60, 40, 60, 40]), abs=1e-4)


def test_owlv2_looks_for_the_names_that_it_is_given(tmp_path: Path, classes: str) -> None:
    model = made_folders.owlv2(tmp_path / "model")
    raised(model, tmp_path / "model")
    [found] = Transformers(str(tmp_path / "model"), classes=classes, prompt="a {}").detect([PICTURE])
    processor = transformers.AutoProcessor.from_pretrained(tmp_path / "model")
    with torch.inference_mode():
        raw = model(**processor(text=[["a dog", "a coffee mug"]], images=PICTURE, return_tensors="pt"))
    best = raw.logits[0].max(dim=1)
    sure = best.values.sigmoid().numpy() >= FLOOR
    assert found.labels == [["dog", "coffee mug"][number] for number in best.indices.numpy()[sure]]
    assert len(found.labels) > 8  # of the 16 patches of 64 × 64 pixels
    assert found.confidence == pytest.approx(best.values.sigmoid().numpy()[sure], abs=1e-6)
    # The picture is padded to a square of its longer edge: a box is a share of 60 pixels on both axes.
    middle, size = raw.pred_boxes[0, :, :2].numpy(), raw.pred_boxes[0, :, 2:].numpy()
    boxes = np.concatenate([middle - size / 2, middle + size / 2], axis=1) * 60
    assert found.boxes == pytest.approx(np.clip(boxes, 0, [60, 40, 60, 40])[sure], abs=1e-3)


def test_grounding_dino_scores_a_name_by_its_best_token(tmp_path: Path, classes: str) -> None:
    model = made_folders.grounding_dino(tmp_path / "model")
    [found] = Transformers(str(tmp_path / "model"), classes=classes).detect([PICTURE])
    processor = transformers.AutoProcessor.from_pretrained(tmp_path / "model")
    with torch.inference_mode():
        raw = model(**processor(images=PICTURE, text="dog. coffee mug.", return_tensors="pt"))
    # [CLS] dog . coffee mug . [SEP]
    tokens = raw.logits[0].sigmoid().numpy()
    scores = np.stack([tokens[:, 1], tokens[:, 3:5].max(axis=1)], axis=1)
    sure = scores.max(axis=1) >= FLOOR
    assert found.labels == [["dog", "coffee mug"][number] for number in scores.argmax(axis=1)[sure]]
    assert found.confidence == pytest.approx(scores.max(axis=1)[sure], abs=1e-6)
    assert len(found.labels) > 0


def test_more_names_than_grounding_dino_reads_at_once_are_asked_for_in_groups(tmp_path: Path, classes: str) -> None:
    made_folders.grounding_dino(tmp_path / "model", longest=6)
    detector = Transformers(str(tmp_path / "model"), classes=classes)
    detector.load(1)
    groups = [(names, text, spans) for names, text, spans in detector._sentences()]
    assert groups == [(["dog"], "dog.", [(1, 2)]), (["coffee mug"], "coffee mug.", [(1, 3)])]
    [found] = detector.detect([PICTURE])
    assert len(found.labels) == len(found.boxes) == len(found.confidence)


def test_without_a_list_open_models_look_for_cocos_classes(tmp_path: Path) -> None:
    made_folders.grounding_dino(tmp_path / "model")
    detector = Transformers(str(tmp_path / "model"))
    detector.load(1)
    assert (len(detector.names), detector.names[0], detector.names[79]) == (80, "person", "toothbrush")


def test_a_folder_of_something_else(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(InputError, match="transformers cannot load this model with AutoImageProcessor"):
        Transformers(str(tmp_path)).load(1)
