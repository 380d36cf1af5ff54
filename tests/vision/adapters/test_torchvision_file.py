"""Faster R-CNN of torchvision from a state dict: the same objects as torchvision finds with the same weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from vericap.errors import InputError
from vericap.vision.adapters.torchvision_file import _CLASSES, Torchvision
from vericap.vision.adapters.weights import FLOOR

# torchvision compiles a part of itself with torch.jit when it is imported.
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
