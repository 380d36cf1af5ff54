"""FAIEr (Wang et al. 2021), the learned metric: a caption's words and relations, matched with the picture's objects
after these were fused with the references. `fier` looks at the picture alone, `aier` at the references alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from vericap.arrays import Floats
from vericap.errors import InputError
from vericap.metrics.base import Metric, Parameter, Question
from vericap.metrics.faier_matches import Seen
from vericap.metrics.faier_notes import notes_of
from vericap.metrics.faier_scenes import captions_of, captions_of_row, scenes_of, sight_of
from vericap.results.explanation import Explanation
from vericap.views import View, Views
from vericap.views.graphs import Graphs

if TYPE_CHECKING:
    from vericap.neural.faier.scorer import Scorer

_SWITCH = ("on", "off")
_SCALES = ("raw", "calibrated")
_TRAINED = ("r", "1", "2", "3", "4")
_VARIANTS = ("faier", "fier+aier")


@dataclass(frozen=True)
class Faier(Metric):
    r"""FAIEr, with $z_i^o, z_i^r$ the union of picture and references at object $i$, and $h_k^o, h_k^r$ the caption's
    words and relation triplets:

    $$ S = S^o + S^r, \quad S^x = \frac{1}{L_c^x} \sum_{k=1}^{L_c^x} \max_i {z_i^x}^\top h_k^x $$

    A caption without relation triplets has $S^r = 0$. Statistics [captions, 4]: $S$, $S^o$, $S^r$ and the number of
    references. The corpus score is the mean.

    `relations=off` is the paper's FAIEr\\rel, `variant=fier+aier` merges both scores by a fully connected layer,
    `references` says with how many references the model was trained (`r`: none to four), `checkpoint` is the folder
    of a model of your own. `scale=calibrated` maps a score to 0–1, see `calibrate`; `raw` has no bounds.
    """

    relations: str = "on"
    references: str = "r"
    variant: str = "faier"
    checkpoint: str = ""
    scale: str = "raw"

    name: ClassVar[str] = "faier"
    question: ClassVar[Question] = "fidelity"
    needs: ClassVar[tuple[str, ...]] = ("objects or regions",)
    range: ClassVar = (None, None)
    citation: ClassVar[str] = (
        "Wang, Yao, Wang, Wu, Chen. FAIEr: fidelity and adequacy ensured image caption evaluation. CVPR 2021."
    )
    variants: ClassVar[tuple[str, ...]] = _VARIANTS

    def __post_init__(self) -> None:
        choices = {
            "relations": _SWITCH,
            "references": _TRAINED,
            "scale": _SCALES,
            "variant": self.variants,
        }
        for name, allowed in choices.items():
            if getattr(self, name) not in allowed:
                problem = f"{name}={getattr(self, name)} is unknown"
                raise InputError(problem, field=name, fix=f"use {' or '.join(allowed)}")
        if self.scale == "calibrated":
            object.__setattr__(self, "range", (0.0, 1.0))

    @property
    def folder(self) -> Path:
        """Where the model is."""
        if self.checkpoint:
            return Path(self.checkpoint)
        import vericap.data

        parts = [self.variant, *(["objects"] if self.relations == "off" else [])]
        parts += [self.references] if self.references != type(self).references else []
        return vericap.data.FOLDER / "faier" / "-".join(parts)

    @property
    def looks(self) -> bool:
        """Whether it looks at the picture."""
        return self.variant != "aier"

    def check(self, views: Views) -> None:
        super().check(views)
        corpus = views.corpus
        if self.looks and not (corpus.has_objects or corpus.has_regions):
            raise InputError(
                f"{self.key} looks at the picture, and neither its objects nor its regions were given",
                field="objects",
                fix="add --objects FILE or --regions FILE (objects=… or regions=… in Python) or leave the metric out",
            )
        if views.language != "en":
            raise InputError(
                f"{self.key} was trained on English, and the captions are said to be {views.language!r}",
                field="language",
                fix="leave the metric out",
            )
        if find_spec("torch") is None or find_spec("safetensors") is None:
            problem = f"{self.key} runs a neural network, and torch is not installed"
            raise InputError(problem, fix="pip install 'vericap[neural]'")
        self._check_model(self.model(), views)

    def _check_model(self, model: Scorer, views: Views) -> None:
        own = {
            "variant": model.config.variant,
            "relations": "on" if model.config.relations else "off",
            "references": model.config.references if self.variant != "fier" else "r",
        }
        for name, value in own.items():
            if value != getattr(self, name):
                raise InputError(
                    f"the model was made with {name}={value}, and {self.key} asks for {name}={getattr(self, name)}",
                    source=str(self.folder),
                    field=name,
                    fix="ask for the metric that this model is of",
                )
        if self.scale == "calibrated" and not model.about.get("calibration"):
            raise InputError(
                f"the model of {self.key} has no calibration: it was trained without validation",
                source=str(self.folder),
                field="scale",
                fix="use scale=raw, or train it with data.validation = 2 or more",
            )
        counts = np.diff(views.corpus.reference_offsets)
        if self.references != "r" and not (len(counts) and counts.min() > 0):
            raise InputError(
                f"{self.key} was trained with references, and some images have none",
                field="references",
                fix="add them, or use the model trained with references=r",
            )
        if self.looks:
            sight_of(views, model, self.key)

    def model(self) -> Scorer:
        """The network, read once."""
        if not self.checkpoint and not self.folder.is_dir():
            raise InputError(
                f"no checkpoint ships for {self.key}",
                field="checkpoint",
                fix="train one with `vericap train faier --config FILE` and add checkpoint=FOLDER",
            )
        return _load(str(self.folder))

    def statistics(self, views: Views) -> Floats:
        return views.get(_Matched(self))

    def matched(self, views: Views, model: Scorer) -> Floats:
        """The statistics, computed anew."""
        candidates, references = captions_of(views, model.config.relations)
        scenes = scenes_of(views, model, self.key, references)
        regions = None
        if self.looks:
            sight = sight_of(views, model, self.key)
            regions = sight.regions
            for note in notes_of(sight, model.config):
                views.note(f"{self.key}: {note}")
        found = model.score(candidates, scenes.scene, regions, scenes.rows, scenes.references, workers=views.workers)
        counts = np.array([len(given) for given in scenes.references], float)[scenes.scene]
        return np.column_stack([found.total, found.objects, found.relations, counts])

    def score(self, statistics: Floats) -> Floats:
        if self.scale == "raw":
            return statistics[:, 0]
        return calibrate(statistics[:, 0], statistics[:, 3], self.model().about["calibration"])

    def details(self, statistics: Floats) -> dict[str, Any]:
        """Means of the two parts of the raw score."""
        return {"objects": float(statistics[:, 1].mean()), "relations": float(statistics[:, 2].mean())}

    def signature_parts(self, views: Views) -> dict[str, Parameter]:
        model = self.model()
        parts: dict[str, Parameter] = {
            "checkpoint": model.hash,
            "trained-references": model.config.references,
            "relations": self.relations,
            "vectors": model.config.vectors,
            "parser": f"vericap-{Graphs().fingerprint()}",
            "scale": self.scale,
        }
        if self.looks:
            seen = sight_of(views, model, self.key)
            parts |= {"weights": "boxes" if model.config.boxes else "features", seen.kind: seen.digest}
        return parts

    def explain(self, views: Views, i: int) -> Explanation:
        model = self.model()
        candidate, references = captions_of_row(views, i, model.config.relations)
        if self.variant == "fier":
            references = []
        sight = sight_of(views, model, self.key) if self.looks else None
        row = None if sight is None else int(sight.row[views.corpus.image[i]])
        details = model.details(candidate, None if sight is None else sight.regions, row, references)
        count = len(references)
        values: dict[str, float | int | str] = {
            "S": details.total,
            "S^o, objects": details.objects,
            "S^r, relations": details.relations if details.triplets else "0: the caption has no relation triplets",
        }
        if not model.config.relations:
            values["S^r, relations"] = "0: the model matches objects alone"
        if self.variant != "fier":
            values["references"] = count or 'none: "." stands for them'
        if sight is not None and row is not None and not len(sight.regions.features_of(row)):
            values["picture"] = "no object is known: a region of zeros stands for it"
        seen = Seen.of(details, self.looks)
        score = self.score(np.array([[details.total, details.objects, details.relations, count]]))
        return self.explanation(views, i, float(score[0]), values, seen.matches(), matrices=seen.matrices())


@dataclass(frozen=True)
class _Matched(View[Floats]):
    """The statistics of a model, which both scales share."""

    metric: Faier = field(compare=False)
    folder: str = field(default="", init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "folder", str(self.metric.folder))

    def compute(self, views: Views) -> Floats:
        return self.metric.matched(views, self.metric.model())


@dataclass(frozen=True)
class Fier(Faier):
    """FIEr: FAIEr's matching with the picture alone, without references."""

    references: str = field(default="r", init=False)
    variant: str = field(default="fier", init=False)

    name: ClassVar[str] = "fier"
    reads_references: ClassVar[bool] = False
    variants: ClassVar[tuple[str, ...]] = ("fier",)


@dataclass(frozen=True)
class Aier(Faier):
    """AIEr: FAIEr's matching with the references alone, without the picture."""

    references: str = "4"
    variant: str = field(default="aier", init=False)

    name: ClassVar[str] = "aier"
    question: ClassVar[Question] = "adequacy"
    needs: ClassVar[tuple[str, ...]] = ("references",)
    variants: ClassVar[tuple[str, ...]] = ("aier",)


def calibrate(scores: Floats, references: Floats, calibration: Mapping[str, Any]) -> Floats:
    r"""Scores on 0–1: $\frac12 F_{mismatched}(s) + \frac12 F_{matched}(s)$, where F is the share of validation
    captions, of other images or of the right one, that score lower. Below .5 a caption is among those of other
    pictures, above among right ones; the map rises with s, so ranks stay. It depends on the number of references, as
    scores do: the table of the largest number that is not above the caption's is used.

    >>> table = {"n": {"0": {"matched": [2.0, 4.0], "mismatched": [0.0, 2.0]}}}
    >>> calibrate(np.array([-1.0, 1.0, 2.0, 3.0, 9.0]), np.zeros(5), table).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    tables = sorted((int(count), table) for count, table in calibration["n"].items())
    mapped = np.zeros(len(scores))
    for place, (count, table) in enumerate(tables):
        last = tables[place + 1][0] if place + 1 < len(tables) else np.inf
        own = (references < last) & ((references >= count) | (place == 0))
        for kind in ("matched", "mismatched"):
            quantiles = np.asarray(table[kind], float)
            mapped[own] += np.interp(scores[own], quantiles, np.linspace(0, 0.5, len(quantiles)))
    return mapped


@lru_cache(maxsize=8)  # all variants side by side in one table
def _load(folder: str) -> Scorer:
    try:
        from vericap.neural.faier.scorer import Scorer
    except ImportError as error:  # torch is there, but is broken or of another machine
        problem = f"the neural network cannot be loaded ({error})"
        raise InputError(problem, fix="pip install --force-reinstall 'vericap[neural]'") from error
    return Scorer.load(folder)
