"""What adapters share: weights in a file or folder that an option names, loaded when the first picture comes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar

from vericap.errors import InputError
from vericap.vision.cache import settings_hash
from vericap.vision.detectors import Detection
from vericap.vision.loading import RGB

FLOOR = 0.05  # detections that are less sure are not reported, whatever --confidence says


@dataclass(eq=False)
class WithWeights:
    """A detector whose weights are at `model`. `threshold` takes the place of --confidence. A subclass says in
    `_open` how the weights are loaded, and in `_look` what they see in a picture."""

    model: str = ""
    threshold: float | None = None
    network: Any = field(init=False, default=None, repr=False)

    kind: ClassVar[str] = ""
    batch: ClassVar[int] = 1
    edge: ClassVar[int] = 640

    def __post_init__(self) -> None:
        if not self.model:
            fix = f"write {self.kind}(model=PATH); docs/pictures.md says where weights come from"
            raise InputError(f"the detector {self.kind} needs its weights", field="detector", fix=fix)
        if not Path(self.model).exists():
            fix = f"write {self.kind}(model=PATH); docs/pictures.md says where weights come from"
            raise InputError("there is no such file or folder", source=self.model, field="detector", fix=fix)

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
        """Every file that what is found depends on."""
        lists = [Path(path) for path in [getattr(self, "classes", "")] if path]
        given = Path(self.model)
        return lists + ([given] if given.is_file() else sorted(each for each in given.rglob("*") if each.is_file()))

    def load(self, threads: int) -> None:
        """Loads the weights."""
        self.network = self._open(threads)

    def detect(self, pictures: Sequence[RGB]) -> list[Detection]:
        """What is in each picture."""
        if self.network is None:
            self.load(0)
        return [self._look(picture) for picture in pictures]

    def _open(self, threads: int) -> Any:
        raise NotImplementedError

    def _look(self, rgb: RGB) -> Detection:
        raise NotImplementedError
