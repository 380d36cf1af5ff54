"""The settings of a model and of its training, as a TOML file with tables [model], [training] and [data]."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypeVar

from vericap.errors import InputError

VARIANTS = ("faier", "fier", "aier", "fier+aier")
REFERENCES = ("1", "2", "3", "4", "r")


@dataclass(frozen=True)
class ModelConfig:
    """What the network is. Defaults as in section 4.2 of the paper."""

    variant: str = "faier"
    relations: bool = True  # off: the paper's FAIEr\rel
    dimension: int = 512  # d
    boxes: bool = True  # attention from box offsets (equation 1); off: from the regions' features
    regions: int = 36  # at most so many of an image

    @property
    def sees_image(self) -> bool:
        return self.variant != "aier"


@dataclass(frozen=True)
class TrainingConfig:
    """How it is trained."""

    references: str = "r"  # 1 to 4, or r: none to four, drawn anew for each batch
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
    dropout: float = 0.0  # share of the numbers of a word's embedding that a batch does without
    classes: float = 1.0  # half of the batches know a share of the label classes, drawn between this and 1
    learned: int = 5  # a word that stands in so many training captions gets an offset of its own


@dataclass(frozen=True)
class DataConfig:
    """What it is trained on. Paths are relative to the configuration file."""

    captions: str = ""  # COCO captions, JSON
    objects: str = ""  # labels of each image; or
    regions: str = ""  # features of each image's regions
    leave_out: tuple[str, ...] = ()  # files of image ids (lines) or with an image_id (JSON): none of these is used
    validation: int = 1000  # images for validation; 0: no early stop, and no calibration of scores
    held_out: int = 1000  # images that neither training nor validation sees: retrieval is measured on them


@dataclass(frozen=True)
class Config:
    """All settings of a run."""

    model: ModelConfig = field(default_factory=ModelConfig)
    training: TrainingConfig = field(default_factory=TrainingConfig)
    data: DataConfig = field(default_factory=DataConfig)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return asdict(self)


def read_config(path: str | PathLike[str]) -> Config:
    """The settings in a TOML file; what it leaves out is as in the paper."""
    source = fspath(path)
    try:
        given = tomllib.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise InputError(f"the file cannot be read ({error.strerror})", source=source) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"this is no TOML: {error}", source=source) from None
    return config_of(given, source)


def config_of(given: Mapping[str, Any], source: str) -> Config:
    """Settings from plain data; an error names the table and the field that is wrong.

    >>> config_of({"model": {"dimension": 256}}, "x.toml").model.dimension
    256
    >>> config_of({"model": {"dimensions": 256}}, "x.toml")
    Traceback (most recent call last):
    vericap.errors.InputError: x.toml, field "model.dimensions": no such setting; use one of variant, relations, ...
    """
    unknown = set(given) - {"model", "training", "data"}
    if unknown:
        raise InputError("no such table", source=source, field=min(unknown), fix="use [model], [training], [data]")
    config = Config(
        _table(ModelConfig, given, "model", source),
        _table(TrainingConfig, given, "training", source),
        _table(DataConfig, given, "data", source),
    )
    _check(config, source)
    return config


Table = TypeVar("Table", ModelConfig, TrainingConfig, DataConfig)


def _table(kind: type[Table], given: Mapping[str, Any], name: str, source: str) -> Table:
    table = given.get(name, {})
    if not isinstance(table, Mapping):
        raise InputError("this is no table", source=source, field=name, fix=f"write [{name}]")
    defaults = {one.name: getattr(kind(), one.name) for one in fields(kind)}
    values: dict[str, Any] = {}
    for key, value in table.items():
        where = f"{name}.{key}"
        if key not in defaults:
            raise InputError("no such setting", source=source, field=where, fix=f"use one of {', '.join(defaults)}")
        values[key] = _convert(value, defaults[key], source, where)
    return kind(**values)


def _convert(value: Any, default: Any, source: str, where: str) -> Any:
    if isinstance(default, tuple) and isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if where == "training.references" and isinstance(value, int):
        return str(value)
    if type(value) is not type(default):
        wanted = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
        fix = f"write {wanted.get(type(default), 'a list of texts')}"
        raise InputError(f"{value!r} does not fit", source=source, field=where, fix=fix)
    return value


def _check(config: Config, source: str) -> None:
    model, training = config.model, config.training
    choices = {"model.variant": (model.variant, VARIANTS), "training.references": (training.references, REFERENCES)}
    for where, (value, known) in choices.items():
        if value not in known:
            raise InputError(f"{value!r} is not known", source=source, field=where, fix=f"use {', '.join(known)}")
    if model.dimension < 2 or model.dimension % 2:
        fix = "use an even number: half of it goes to each direction of the GRU"
        raise InputError(f"d = {model.dimension}", source=source, field="model.dimension", fix=fix)
    positive = {
        "model.regions": model.regions,
        "training.batch": training.batch - 1,
        "training.learning_rate": training.learning_rate,
        "training.epochs": training.epochs,
        "training.margin": training.margin,
        "training.clip": training.clip,
        "training.patience": training.patience,
        "training.validations": training.validations,
        "training.learned": training.learned,
    }
    for where, number in positive.items():
        if not 0 < number < math.inf:
            problem = f"{number} is too {'large' if number > 0 else 'small'}"
            raise InputError(problem, source=source, field=where, fix="use a number above 0 that is finite")
    data = config.data
    counts = {"data.validation": data.validation, "data.held_out": data.held_out, "training.warm_up": training.warm_up}
    for where, number in counts.items():
        if not 0 <= number < math.inf:
            raise InputError(f"{number} is below 0 or no number", source=source, field=where, fix="use 0 or more")
    for where, number, fits in (
        ("training.dropout", training.dropout, 0 <= training.dropout < 1),
        ("training.average", training.average, 0 <= training.average < 1),
        ("training.decay", training.decay, 0 <= training.decay <= 1),
        ("training.classes", training.classes, 0 < training.classes <= 1),
    ):
        if not fits:
            raise InputError(f"{number} is no share", source=source, field=where, fix="use a number between 0 and 1")
    if data.objects and data.regions:
        problem = "both objects and regions are named, and a model looks at one of them"
        raise InputError(problem, source=source, field="data.regions", fix="leave one of them out")
    if training.classes < 1 and data.regions:
        problem = "regions of a detector have no classes to leave out"
        raise InputError(problem, source=source, field="training.classes", fix="leave it out, or train on data.objects")
