"""Keyword arguments of `judge` and of the curves, and what each belongs to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, TypedDict

from vericap.judging.protocol_choice import ProtocolChoice
from vericap.judging.tests import AgreementTest, AgreementTests
from vericap.options.choices import Missing
from vericap.options.inputs import Inputs
from vericap.options.keywords import sort_options
from vericap.options.settings import Settings
from vericap.run.selection import MetricChoice


class JudgeOptions(TypedDict, total=False):
    """The fields of `ProtocolChoice` and `AgreementTests`, and those of `Inputs` and `Settings` that judging reads."""

    protocol: str | None
    subset: str | None
    references_used: int | None
    drawn: Literal["all", "first", "random"] | None
    draws: int | None
    judges: Literal["apart", "averaged"] | None
    ties: Literal["half", "random", "lose", "win"] | None
    label: str | None
    df: Literal["rows", "images", "coco"] | None
    level: Literal["caption", "system"] | None
    over: Literal["pooled", "image"] | None
    tokenizer: str | None
    measure: str | None
    own: str | None
    rows: str | None
    objects: Any
    confidence: float | Sequence[float]
    regions: Any
    images: str | Path | None
    detector: Any
    cache: str | Path | None
    megapixels: float
    columns: Mapping[str, str] | Sequence[str] | None
    score_columns: Sequence[str]
    missing: Missing
    workers: int
    seed: int
    bootstrap: int
    test: AgreementTest
    against: str | None
    curves: bool


_PICTURES = ("objects", "confidence", "regions", "images", "detector", "cache", "megapixels")
_HOMES: dict[str, Any] = {
    **dict.fromkeys((*_PICTURES, "columns"), Inputs),
    **dict.fromkeys(("missing", "workers", "seed"), Settings),
    **{each.name: ProtocolChoice for each in fields(ProtocolChoice)},
    **{each.name: AgreementTests for each in fields(AgreementTests)},
}


@dataclass(frozen=True, eq=False)
class Task:
    """What is judged: the metrics, on a benchmark whose files are in `data`, under a protocol; `scores` are files with
    the scores of other tools, `inputs` has the objects and regions of the pictures, or the pictures themselves."""

    benchmark: str
    data: Path
    metrics: MetricChoice = "default"
    choice: ProtocolChoice = field(default_factory=ProtocolChoice)
    inputs: Inputs = field(default_factory=lambda: Inputs(None))
    settings: Settings = field(default_factory=Settings)
    scores: Sequence[Path] = ()
    score_columns: Sequence[str] = ()


def task_of(
    benchmark: str,
    data: str | Path,
    metrics: MetricChoice,
    options: Mapping[str, Any],
    scores: Sequence[str | Path] = (),
) -> tuple[Task, AgreementTests]:
    """The task and its tests, from keyword arguments.

    >>> task, tests = task_of("composite", "DATA", "bleu-4", {"subset": "coco", "seed": 3, "bootstrap": 200})
    >>> task.choice.subset, task.settings.seed, tests.bootstrap
    ('coco', 3, 200)
    """
    given = sort_options({name: value for name, value in options.items() if name != "score_columns"}, _HOMES)
    task = Task(
        benchmark,
        Path(data),
        metrics,
        ProtocolChoice(**given[ProtocolChoice]),
        Inputs(None, **given[Inputs]),
        Settings(**given[Settings]),
        tuple(map(Path, scores)),
        tuple(options.get("score_columns") or ()),
    )
    return task, AgreementTests(**given[AgreementTests])
