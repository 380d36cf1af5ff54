"""A simulated detector of gold labels: it misses objects, confuses some, reports some that are absent, and
is more or less sure of each.

The rates are those that are published of SSD-MobileNet-v3-large on COCO, and where a figure of this very network is
not published, that of its nearest relative:

- AP .226 (TensorFlow 1 Detection Model Zoo, ssd_mobilenet_v3_large_coco).
- AP .026, .219 and .444 of small, medium and large objects, AP .380 at an overlap of .5, for AP .228 over all: Faster
  R-CNN with the same backbone at the same resolution (pytorch/vision, pull request 3265). The network above has
  published its mean alone; the proportions between sizes are taken from here.

AP at an overlap of .5 is the area under precision over recall. Where precision is high down to the last detection that
counts, this area is the recall: it stands for the share of objects found with a confidence of .5 or more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vericap.arrays import Ragged
from vericap.lexicon.coco_objects import object_words
from vericap.text.vocabulary import encode

AP = 0.226
RELATIVE_AP, RELATIVE_AP50, RELATIVE_SIZES = 0.228, 0.380, (0.026, 0.219, 0.444)
# Share of small, medium and large objects that are found.
RECALL = tuple(size * (AP / RELATIVE_AP) * (RELATIVE_AP50 / RELATIVE_AP) for size in RELATIVE_SIZES)
AP50 = RELATIVE_AP50 * AP / RELATIVE_AP
PER_LABEL = 36_335 / 14_631  # objects of val2017 for each label that a picture has
SMALL, LARGE = 32**2, 96**2  # COCO's bounds of area, in pictures of 640 × 480

SUPERCATEGORIES = {
    "vehicle": "bicycle,car,motorcycle,airplane,bus,train,truck,boat",
    "outdoor": "traffic light,fire hydrant,stop sign,parking meter,bench",
    "animal": "bird,cat,dog,horse,sheep,cow,elephant,bear,zebra,giraffe",
    "accessory": "backpack,umbrella,handbag,tie,suitcase",
    "sports": "frisbee,skis,snowboard,sports ball,kite,baseball bat,baseball glove,skateboard,surfboard,tennis racket",
    "kitchen": "bottle,wine glass,cup,fork,knife,spoon,bowl",
    "food": "banana,apple,sandwich,orange,broccoli,carrot,hot dog,pizza,donut,cake",
    "furniture": "chair,couch,potted plant,bed,dining table,toilet",
    "electronic": "tv,laptop,mouse,remote,keyboard,cell phone",
    "appliance": "microwave,oven,toaster,sink,refrigerator",
    "indoor": "book,clock,vase,scissors,teddy bear,hair drier,toothbrush",
    "person": "person",
}
SIBLINGS = {
    label: [other for other in labels.split(",") if other != label]
    for labels in SUPERCATEGORIES.values()
    for label in labels.split(",")
}

Objects = Mapping[int | str, Sequence[tuple[str, float]]]
"""By image: the label of each object, and the probability that the detector finds it."""
Detected = dict[int | str, list[dict[str, str | float]]]


@dataclass(frozen=True)
class Noise:
    """The errors of a detector at a level: 0 gives the gold labels, 1 this detector, 2 one that errs twice.

    An object that is found with probability q at level 1 is found with probability q^level. `confused` of the objects
    found get the label of another class of their supercategory; `false` objects per picture are not there, of
    classes as frequent as in the labels. Both grow with the level. They are assumptions: no figures are published of
    this network. Together they make a detector of which about three labels in four are right, as those of its
    kind are at their best balance of precision and recall.
    """

    level: float = 1.0
    missed: bool = True
    confused: float = 0.10
    false: float = 0.25

    def only(self, kind: str) -> Noise:
        """Return the same with one kind of error."""
        none = {"missed": False, "confused": 0.0, "false": 0.0}
        return replace(self, **{name: value for name, value in none.items() if name != kind})


def detect(objects: Objects, noise: Noise, seed: int) -> Detected:
    """Return the objects of each picture as the detector reports them, each with a confidence of .5 or more.

    What is right is reported with .5 + .5 b, b of Beta(1 + 2q, 1): with more confidence where objects are easy to
    find. What is wrong has Beta(1, 3): seldom with much. At level 0 all are reported with confidence 1.

    >>> detect({7: [("dog", 0.7), ("cup", 0.1)]}, Noise(0.0), seed=0)
    {7: [{'label': 'dog', 'confidence': 1.0}, {'label': 'cup', 'confidence': 1.0}]}
    """
    random = np.random.default_rng(seed)
    labels, counts = np.unique([label for shown in objects.values() for label, _ in shown], return_counts=True)
    share = counts / counts.sum()
    found: Detected = {}
    for image, shown in objects.items():
        found[image] = []
        for label, recall in shown:
            if noise.missed and random.random() >= recall**noise.level:
                continue
            wrong = bool(SIBLINGS.get(label)) and random.random() < noise.confused * noise.level
            said = str(random.choice(SIBLINGS[label])) if wrong else label
            found[image].append(_reported(said, recall, wrong, noise, random))
        for label in random.choice(labels, random.poisson(noise.false * noise.level), p=share):
            found[image].append(_reported(str(label), 0.0, True, noise, random))
    return found


def _reported(
    label: str, recall: float, wrong: bool, noise: Noise, random: np.random.Generator
) -> dict[str, str | float]:
    sure = random.beta(1, 3) if wrong else random.beta(1 + 2 * recall, 1)
    return {"label": label, "confidence": 1.0 if noise.level == 0 else 0.5 + 0.5 * float(sure)}


def sized(
    objects: Mapping[str, Iterable[Mapping[str, object]]], scale: float
) -> dict[int | str, list[tuple[str, float]]]:
    """Objects with boxes (left, top, right, bottom), each found as objects of its size are. `scale` brings sides to
    those of pictures of 640 × 480.

    >>> [(label, q)] = sized({"a": [{"name": "dog", "bbox": [0, 0, 90, 80]}]}, 640 / 500)["a"]
    >>> label, q == RECALL[2]
    ('dog', True)
    """
    found: dict[int | str, list[tuple[str, float]]] = {}
    for image, shown in objects.items():
        found[image] = []
        for each in shown:
            left, top, right, bottom = each["bbox"]  # type: ignore[misc]
            area = (right - left) * (bottom - top) * scale**2
            found[image].append((str(each["name"]), RECALL[(area >= SMALL) + (area >= LARGE)]))
    return found


def by_class(
    objects: Mapping[int, Sequence[str]], mentioned: Mapping[str, float]
) -> dict[int | str, list[tuple[str, float]]]:
    """Return the labels without boxes and counts: for each label the probability that one of its objects is found.

    What people always mention is large, what they never mention small, and a class between the two is found as often as
    its share of mentions says; scaled so that the mean over classes is the published AP at an overlap of .5. A
    label is missed where all of its objects are, and their number is geometric, with COCO's mean.

    >>> [(_, dog), (_, spoon)] = by_class({7: ["dog", "spoon"]}, {"dog": 1.0, "spoon": 0.0})[7]
    >>> dog > RECALL[1] > spoon > 0
    True
    """
    small, _, large = RECALL
    share = {label: small + (large - small) * mentions for label, mentions in mentioned.items()}
    scale = AP50 / (sum(share.values()) / len(share))
    recall = {label: _of_several(min(own * scale, 1.0)) for label, own in share.items()}
    return {image: [(label, recall[label]) for label in labels] for image, labels in objects.items()}


def _of_several(recall: float) -> float:
    """Return the probability that at least one object of a label is found, if each is with `recall`.

    >>> _of_several(0.0), round(_of_several(0.5), 3), _of_several(1.0)
    (0.0, 0.713, 1.0)
    """
    last, missed = 1 / PER_LABEL, 1 - recall
    return 1 - last * missed / (1 - (1 - last) * missed)


def mention_rates(labels: Mapping[int, Sequence[str]], captions: Mapping[int, Sequence[str]]) -> dict[str, float]:
    """Return for each class the share of the pictures that show it of which at least one caption mentions it.

    >>> rates = mention_rates({1: ["dog", "cup"], 2: ["dog"]}, {1: ["a puppy"], 2: ["nobody"]})
    >>> rates
    {'dog': 0.5, 'cup': 0.0}
    """
    words = object_words()
    shown: dict[str, int] = {}
    named: dict[str, int] = {}
    for image, own in labels.items():
        vocabulary: dict[str, int] = {}
        tokens: Ragged = encode([caption.lower().rstrip(". ") for caption in captions[image]], str.split, vocabulary)
        said = {words.objects[i] for i in words.find(tokens, list(vocabulary)).object.tolist()}
        for label in own:
            shown[label] = shown.get(label, 0) + 1
            named[label] = named.get(label, 0) + (label in said)
    return {label: named[label] / count for label, count in shown.items()}
