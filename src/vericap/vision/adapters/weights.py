"""Shared code of adapters: weights in a file or folder that an option names, loaded when the first picture comes, and
the names of classes: from a file, one per line, or a JSON list or object."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError
from vericap.vision.cache import settings_hash
from vericap.vision.detectors import Detection
from vericap.vision.loading import RGB

FLOOR = 0.05  # detections that are less sure are not reported, whatever --confidence says


@dataclass(eq=False)
class WithWeights:
    """A detector whose weights are at `model`. `threshold` takes the place of --confidence; `classes` is a file with
    the names of classes. A subclass says in `_open` how the weights are loaded, and in `_look` what they see in a
    picture."""

    model: str = ""
    threshold: float | None = None
    classes: str = ""
    network: Any = field(init=False, default=None, repr=False)
    names: dict[int, str] = field(init=False, default_factory=dict, repr=False)

    kind: ClassVar[str] = ""
    batch: ClassVar[int] = 1
    edge: ClassVar[int] = 640

    def __post_init__(self) -> None:
        fix = f"write {self.kind}(model=PATH); docs/pictures.md says where weights come from"
        if not self.model:
            raise InputError(f"the detector {self.kind} needs its weights", field="detector", fix=fix)
        if not Path(self.model).exists():
            raise self.wrong("there is no such file or folder", fix)

    def wrong(self, problem: str, fix: str, field: str = "detector") -> InputError:
        """Return an error about the weights."""
        return InputError(problem, source=self.model, field=field, fix=fix)

    @property
    def name(self) -> str:
        """The kind of detector and the file, for signatures."""
        return f"{self.kind} {Path(self.model).name} {self.fingerprint[:12]}"

    @property
    def fingerprint(self) -> str:
        """The hash of the weights and the options; where things are on the disk does not matter."""
        elsewhere = ("model", "classes", "threshold")
        options = {each.name: getattr(self, each.name) for each in fields(self) if each.init}
        options = {name: value for name, value in options.items() if name not in elsewhere}
        return settings_hash(self.kind, repr(sorted(options.items())), *self.files())

    def files(self) -> list[Path]:
        """Return every file that what is found depends on."""
        lists, given = [Path(self.classes)] if self.classes else [], Path(self.model)
        return lists + ([given] if given.is_file() else sorted(each for each in given.rglob("*") if each.is_file()))

    def load(self, threads: int) -> None:
        """Load the weights."""
        self.network = self._open(threads)

    def detect(self, pictures: Sequence[RGB]) -> list[Detection]:
        """Return what is in each picture."""
        if self.network is None:
            self.load(0)
        return [self._look(picture) for picture in pictures]

    def _open(self, threads: int) -> Any:
        raise NotImplementedError

    def _look(self, rgb: RGB) -> Detection:
        raise NotImplementedError


def detection_of(
    names: Mapping[int, str], kinds: NDArray[Any], boxes: NDArray[Any], confidence: NDArray[Any]
) -> Detection:
    """Return what a network found: objects of at least `FLOOR`, of classes that have a name.

    >>> found = detection_of({1: "dog"}, np.array([1, 2, 1]), np.zeros((3, 4)), np.array([0.9, 0.8, 0.01]))
    >>> found.labels, found.confidence.tolist()
    (['dog'], [0.9])
    """
    kept = (confidence >= FLOOR) & np.isin(kinds, list(names))
    return Detection([names[kind] for kind in kinds[kept].tolist()], boxes[kept], np.clip(confidence[kept], 0, 1))


def read_classes(path: str | Path, first: int = 0) -> dict[int, str]:
    """Return the name of each class by its number. Lines are numbered from `first`; a line that is empty, or "???" as
    in TensorFlow's lists, names no class. JSON is ["person", …] or {"0": "person", …}.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "classes.txt").write_text("person\\n\\ncar\\n")
    ...     read_classes(Path(folder, "classes.txt"), first=1)
    {1: 'person', 3: 'car'}
    """
    try:
        text = Path(path).read_text("utf-8-sig")
    except (OSError, UnicodeError) as error:
        problem = f"the list of classes cannot be read ({getattr(error, 'strerror', None) or error})"
        raise InputError(problem, source=str(path), field="classes", fix="check the file") from None
    rows = text.splitlines()
    named = _from_json(text, str(path), first) if text.lstrip()[:1] in ("[", "{") else dict(enumerate(rows, first))
    found = {number: name.strip() for number, name in named.items() if name.strip() not in ("", "???")}
    if not found:
        raise InputError("the file names no class", source=str(path), field="classes", fix="write one name per line")
    return found


def _from_json(text: str, source: str, first: int) -> dict[int, str]:
    try:
        given = json.loads(text)
        named = {int(k): v for k, v in given.items()} if isinstance(given, dict) else dict(enumerate(given, first))
        if not all(isinstance(name, str) for name in named.values()):
            raise ValueError("a name is not a string")
    except (ValueError, TypeError, RecursionError) as error:
        fix = 'write ["person", …], {"0": "person", …}, or one name per line'
        raise InputError(
            f"the list of classes is not valid ({error})", source=source, field="classes", fix=fix
        ) from None
    return named
