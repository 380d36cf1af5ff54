"""The settings of a model and of its training, as a TOML file with tables [model], [training] and [data]."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import reduce
from os import PathLike, fspath
from typing import Any, Literal, TypeAlias

from vericap.errors import InputError
from vericap.options.declared import fill, read_toml

Variant: TypeAlias = Literal["faier", "fier", "aier", "fier+aier"]
ReferencesUsed: TypeAlias = Literal["1", "2", "3", "4", "r"]


@dataclass(frozen=True)
class ModelConfig:
    """The shape of the network. Defaults as in section 4.2 of the paper."""

    variant: Variant = "faier"
    relations: bool = True  # off: the paper's FAIEr\rel
    dimension: int = 512  # d
    boxes: bool = True  # attention from box offsets (equation 1); off: from the regions' features
    regions: int = 36  # the most that are used of an image

    @property
    def uses_image(self) -> bool:
        return self.variant != "aier"


@dataclass(frozen=True)
class TrainingConfig:
    """The settings of the training."""

    references: ReferencesUsed = "r"  # 1 to 4, or r: none to four, drawn again for each batch
    seed: int = 0
    batch: int = 100
    learning_rate: float = 0.0005
    margin: float = 0.2
    epochs: int = 10  # an epoch takes every image once, with the next of its captions as the candidate
    warm_up: float = 1.0  # epochs with equation 4, all negatives, before the hardest alone (equation 5)
    clip: float = 2.0  # largest norm of the gradient
    decay: float = 0.0  # the learning rate falls on a cosine to this share of itself
    patience: int = 3  # validations without a better R@1 before it stops
    validations: int = 1  # an epoch
    average: float = 0.999  # share of the old mean in the running mean of weights; 0: no mean
    start: str = ""  # a checkpoint to begin with, of the same model; else random weights
    dropout: float = 0.0  # share of the numbers of a word's embedding that are zero in a batch
    classes: float = 1.0  # half of the batches know a share of the label classes, drawn between this and 1
    learned: int = 5  # a word with this many occurrences in training captions gets an offset of its own


@dataclass(frozen=True)
class DataConfig:
    """The data of the training. Paths are relative to the configuration file."""

    captions: str = ""  # COCO captions, JSON
    objects: str = ""  # labels of each image; or
    regions: str = ""  # features of each image's regions
    leave_out: tuple[str, ...] = ()  # files of image ids (lines) or with an image_id (JSON): none of them is used
    validation: int = 1000  # images for validation; 0: no early stop, and no calibration of scores
    held_out: int = 1000  # images that neither training nor validation sees: retrieval is measured on them


@dataclass(frozen=True)
class FaierConfig:
    """All settings of a run."""

    model: ModelConfig = field(default_factory=ModelConfig)
    training: TrainingConfig = field(default_factory=TrainingConfig)
    data: DataConfig = field(default_factory=DataConfig)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return asdict(self)


def read_config(path: str | PathLike[str]) -> FaierConfig:
    """Return the settings in a TOML file; what it leaves out is as in the paper."""
    return config_of(read_toml(path), fspath(path))


def config_of(given: Mapping[str, Any], source: str) -> FaierConfig:
    """Return settings from plain data; an error names the table and the field that is wrong.

    >>> config_of({"model": {"dimension": 256}}, "x.toml").model.dimension
    256
    >>> config_of({"model": {"dimension": 255}}, "x.toml")
    Traceback (most recent call last):
    vericap.errors.InputError: x.toml, field "model.dimension": 255 is out of range; use an even number ...
    """
    config = fill(FaierConfig, given, source)
    for where, (fits, fix) in _RANGES.items():
        value = reduce(getattr, where.split("."), config)
        if not fits(value):
            raise InputError(f"{value} is out of range", source=source, field=where, fix=f"use {fix}")
    if config.data.objects and config.data.regions:
        problem = "both objects and regions are named, and a model looks at one of them"
        raise InputError(problem, source=source, field="data.regions", fix="leave one of them out")
    if config.training.classes < 1 and config.data.regions:
        problem = "regions of a detector have no classes to leave out"
        raise InputError(problem, source=source, field="training.classes", fix="leave it out, or train on data.objects")
    return config


_Range: TypeAlias = tuple[Callable[[Any], bool], str]
_POSITIVE: _Range = (lambda number: 0 < number < math.inf, "a finite number above 0")
_COUNT: _Range = (lambda number: 0 <= number < math.inf, "a finite number of 0 or more")
_BELOW_ONE: _Range = (lambda number: 0 <= number < 1, "a number from 0 to below 1")

_RANGES: dict[str, _Range] = {
    "model.dimension": (
        lambda d: d > 0 and d % 2 == 0,
        "an even number of 2 or more, half of which goes to each direction of the GRU",
    ),
    "model.regions": _POSITIVE,
    "training.batch": (lambda number: number > 1, "2 or more"),
    "training.learning_rate": _POSITIVE,
    "training.epochs": _POSITIVE,
    "training.margin": _POSITIVE,
    "training.clip": _POSITIVE,
    "training.patience": _POSITIVE,
    "training.validations": _POSITIVE,
    "training.learned": _POSITIVE,
    "training.warm_up": _COUNT,
    "training.dropout": _BELOW_ONE,
    "training.average": _BELOW_ONE,
    "training.decay": (lambda share: 0 <= share <= 1, "a number from 0 to 1"),
    "training.classes": (lambda share: 0 < share <= 1, "a number above 0, at most 1"),
    "data.validation": _COUNT,
    "data.held_out": _COUNT,
}
