"""Detectors that torch runs: Faster R-CNN of torchvision from a state dict, and those of Hugging Face transformers from
a folder: DETR, RT-DETR and their like, which know their classes, and Grounding DINO, OWL-ViT and OWLv2, which look for
the names that they are given. torchvision is in none of Vericap's extras: its build must be the one that belongs to
the installed torch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from vericap.encoders.folders import load_pretrained
from vericap.encoders.installed import require
from vericap.errors import InputError
from vericap.readers.objects.labels import COCO_CATEGORIES
from vericap.vision.adapters.weights import FLOOR, WithWeights, detection_of, read_classes
from vericap.vision.detectors import Detection
from vericap.vision.loading import RGB

_CLASSES = "roi_heads.box_predictor.cls_score.weight"  # [classes with the background, …]
_COCO = 91  # with the background and the numbers that COCO does not use
_GROUNDING = ("grounding-dino", "mm-grounding-dino")
_OWL = ("owlvit", "owlv2")


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

    kind: ClassVar[str] = "torchvision"
    edge: ClassVar[int] = 800

    def _open(self, threads: int) -> Any:
        require("the detector torchvision", "torch", "safetensors")
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
            problem = f"the weights are not those of {self.architecture} ({said[min(1, len(said) - 1)].strip()})"
            raise self.wrong(problem, "name the function that made the model", "architecture") from None
        return network.eval()

    def _state(self) -> dict[str, Any]:
        from vericap.encoders.tensor_files import read_tensors

        state = read_tensors(Path(self.model))
        if _CLASSES not in state:
            raise self.wrong(f"the file has no {_CLASSES}", "give the state dict of a Faster R-CNN of torchvision")
        return state

    def _names(self, count: int) -> dict[int, str]:
        if self.classes:
            names = read_classes(self.classes, first=1)
        elif count == _COCO:
            names = dict(COCO_CATEGORIES)
        else:
            problem = f"the model has {count - 1} classes, which are not COCO's"
            raise self.wrong(problem, "add classes=FILE, one name per line", "classes")
        if max(names) >= count:
            problem = f"{max(names)} classes are named, and the model has {count - 1}"
            raise InputError(problem, source=self.classes, field="classes", fix="name the classes of this model")
        return names

    def _look(self, rgb: RGB) -> Detection:
        import torch

        picture = torch.from_numpy(np.ascontiguousarray(rgb.transpose(2, 0, 1))).float() / 255
        with torch.inference_mode():
            [found] = self.network([picture])
        return detection_of(self.names, *(found[part].numpy() for part in ("labels", "boxes", "scores")))


@dataclass(eq=False)
class Transformers(WithWeights):
    """`transformers(model=FOLDER)`. A model that looks for names is given those of `classes`, one per line, or COCO's
    80, each written as `prompt` says: `a photo of a {}`. Nothing is fetched."""

    prompt: str = "{}"
    processor: Any = field(init=False, default=None, repr=False)

    kind: ClassVar[str] = "transformers"
    edge: ClassVar[int] = 800

    def _open(self, threads: int) -> Any:
        require("the detector transformers", "torch", "transformers")
        # Names in the order of the file; those of other models are in their own files.
        names = read_classes(self.classes) if self.classes else COCO_CATEGORIES
        self.names = dict(enumerate(names.values()))
        names_wanted = load_pretrained("AutoConfig", self.model).model_type in (*_GROUNDING, *_OWL)
        self.processor = load_pretrained("AutoProcessor" if names_wanted else "AutoImageProcessor", self.model)
        kind = "AutoModelForZeroShotObjectDetection" if names_wanted else "AutoModelForObjectDetection"
        return load_pretrained(kind, self.model).eval()

    def _look(self, rgb: RGB) -> Detection:
        import torch

        with torch.inference_mode():
            if self.network.config.model_type in _GROUNDING:
                return self._grounded(rgb)
            if self.network.config.model_type in _OWL:
                return self._named(rgb)
            given = self.processor(images=[rgb], return_tensors="pt")
            found = self.network(**given)
        [answer] = self.processor.post_process_object_detection(found, threshold=FLOOR, target_sizes=[rgb.shape[:2]])
        named = self.network.config.id2label
        return _detection([named[kind] for kind in answer["labels"].tolist()], answer["boxes"], answer["scores"], rgb)

    def _named(self, rgb: RGB) -> Detection:
        """OWL: each name is a query of its own."""
        prompts = [self.prompt.format(name) for name in self.names.values()]
        found = self.network(**self.processor(text=[prompts], images=rgb, return_tensors="pt"))
        [answer] = self.processor.post_process_grounded_object_detection(
            found, threshold=FLOOR, target_sizes=[rgb.shape[:2]]
        )
        labels = [self.names[kind] for kind in answer["labels"].tolist()]
        return _detection(labels, answer["boxes"], answer["scores"], rgb)

    def _grounded(self, rgb: RGB) -> Detection:
        """Grounding DINO: names are read in sentences, and a box has a score for each of their tokens. The score of a
        name is the highest of its tokens', and a box is of the name with the highest score."""
        import torch

        labels, boxes, scores = [], [], []
        for some, text, spans in self._sentences():
            given = self.processor(images=rgb, text=text, return_tensors="pt")
            found = self.network(**given)
            tokens = found.logits[0].sigmoid()
            of_names = torch.stack([tokens[:, first:last].max(dim=1).values for first, last in spans], dim=1)
            best, which = of_names.max(dim=1)
            kept = best >= FLOOR
            labels += [some[kind] for kind in which[kept].tolist()]
            scores.append(best[kept])
            boxes.append(found.pred_boxes[0][kept])
        middle, size = torch.cat(boxes).split(2, dim=1)
        edges = torch.tensor([rgb.shape[1], rgb.shape[0]] * 2)
        return _detection(
            labels, torch.cat([middle - size / 2, middle + size / 2], dim=1) * edges, torch.cat(scores), rgb
        )

    def _sentences(self) -> Iterator[tuple[list[str], str, list[tuple[int, int]]]]:
        """Names in groups that the model can read at once: the names, a sentence "dog. hot dog.", and which of its
        tokens are of each name."""
        tokenizer, most = self.processor.tokenizer, int(self.network.config.max_text_len)
        group: list[str] = []
        for name in [*self.names.values(), None]:
            longer = [*group, name] if name is not None else group
            if name is None or len(tokenizer(_sentence(longer, self.prompt))["input_ids"]) > most:
                yield group, _sentence(group, self.prompt), _spans(tokenizer, group, self.prompt)
                group = [] if name is None else [name]
            else:
                group = longer


def _sentence(names: Sequence[str], prompt: str) -> str:
    return " ".join(f"{prompt.format(name.lower())}." for name in names)


def _spans(tokenizer: Any, names: Sequence[str], prompt: str) -> list[tuple[int, int]]:
    """For each name its first token in the sentence, and the one behind its last."""
    spans, first = [], 1  # behind the token that opens the sentence
    for name in names:
        length = len(tokenizer(prompt.format(name.lower()), add_special_tokens=False)["input_ids"])
        spans.append((first, first + length))
        first += length + 1  # a full stop
    return spans


def _detection(labels: list[str], boxes: Any, scores: Any, rgb: RGB) -> Detection:
    edges = np.array([rgb.shape[1], rgb.shape[0]] * 2)
    return Detection(
        labels, np.clip(boxes.float().cpu().numpy(), 0, edges), np.clip(scores.float().cpu().numpy(), 0, 1)
    )
