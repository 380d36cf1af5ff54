"""Faster R-CNN of torchvision from a state dict on the disk. torchvision is in none of Vericap's extras: its build must
be the one that belongs to the installed torch."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from vericap.encoders.installed import require
from vericap.errors import InputError
from vericap.readers.objects.labels import COCO_CATEGORIES
from vericap.vision.adapters.classes import read_classes
from vericap.vision.adapters.weights import FLOOR, WithWeights
from vericap.vision.detectors import Detection
from vericap.vision.loading import RGB

_CLASSES = "roi_heads.box_predictor.cls_score.weight"  # [classes with the background, …]
_COCO = 91  # with the background and the numbers that COCO does not use


@dataclass(eq=False)
class Torchvision(WithWeights):
    """`torchvision(model=FILE.pth)`. `architecture` is the function of torchvision.models.detection that the weights
    belong to. Weights of 91 classes are COCO's; for others `classes` names them, one per line, without the background.
    The file is a state dict, or holds one under "model"; nothing else in it is unpickled."""

    architecture: Literal[
        "fasterrcnn_resnet50_fpn",
        "fasterrcnn_resnet50_fpn_v2",
        "fasterrcnn_mobilenet_v3_large_fpn",
        "fasterrcnn_mobilenet_v3_large_320_fpn",
    ] = "fasterrcnn_resnet50_fpn"
    classes: str = ""
    names: dict[int, str] = field(init=False, default_factory=dict, repr=False)

    kind: ClassVar[str] = "torchvision"
    edge: ClassVar[int] = 800

    def _open(self, threads: int) -> Any:
        require("the detector torchvision", "torch")
        try:
            from torchvision.models import detection
        except (ImportError, RuntimeError, OSError) as error:  # one that was built for another torch fails in any way
            raise InputError(
                f"torchvision cannot be imported ({error})",
                field="detector",
                fix="install the torchvision that belongs to the installed torch",
            ) from None
        state = self._state()
        count = len(state[_CLASSES])
        self.names = self._names(count)
        network = getattr(detection, self.architecture)(weights=None, weights_backbone=None, num_classes=count)
        try:
            network.load_state_dict(state)
        except RuntimeError as error:
            said = str(error).splitlines()
            raise InputError(
                f"the weights are not those of {self.architecture} ({said[min(1, len(said) - 1)].strip()})",
                source=self.model,
                field="architecture",
                fix="name the function that made the model",
            ) from None
        return network.eval()

    def _state(self) -> dict[str, Any]:
        from vericap.encoders.tensor_files import read_tensors

        state = read_tensors(Path(self.model)).tensors
        if _CLASSES not in state:
            fix = "give the state dict of a Faster R-CNN of torchvision"
            raise InputError(f"the file has no {_CLASSES}", source=self.model, field="detector", fix=fix)
        return state

    def _names(self, count: int) -> dict[int, str]:
        if self.classes:
            names = read_classes(self.classes, first=1)
        elif count == _COCO:
            names = dict(COCO_CATEGORIES)
        else:
            problem = f"the model has {count - 1} classes, which are not COCO's"
            raise InputError(problem, source=self.model, field="classes", fix="add classes=FILE, one name per line")
        if max(names) >= count:
            problem = f"{max(names)} classes are named, and the model has {count - 1}"
            raise InputError(problem, source=self.classes, field="classes", fix="name the classes of this model")
        return names

    def _look(self, rgb: RGB) -> Detection:
        import torch

        picture = torch.from_numpy(np.ascontiguousarray(rgb.transpose(2, 0, 1))).float() / 255
        with torch.inference_mode():
            [found] = self.network([picture])
        kinds, scores = found["labels"].numpy(), found["scores"].numpy()
        kept = (scores >= FLOOR) & np.isin(kinds, list(self.names))
        labels = [self.names[kind] for kind in kinds[kept].tolist()]
        return Detection(labels, found["boxes"].numpy()[kept], np.clip(scores[kept], 0, 1))
