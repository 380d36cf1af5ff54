"""FAIEr (Wang et al. 2021), the learned metric: a caption's words and relations, matched with the picture's objects
after these were fused with the references. `fier` looks at the picture alone, `aier` at the references alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from vericap.arrays import Floats
from vericap.errors import InputError
from vericap.metrics.base import Metric, Parameter, Question, Statistics, option_of
from vericap.metrics.faier.config import ReferencesUsed, Variant
from vericap.metrics.faier.matches import Matches
from vericap.metrics.faier.pictures import PictureRegions, PictureRegionsOf, notes_of
from vericap.metrics.faier.scenes import scenes_of
from vericap.options.declared import option
from vericap.results.explanation import Explanation
from vericap.views import Facts, Views
from vericap.views.graphs import Graphs

if TYPE_CHECKING:
    from vericap.metrics.faier.scorer import FaierScorer


@dataclass(frozen=True)
class FaierFamily(Metric):
    r"""The common base of FAIEr and its variants. With $z_i^o, z_i^r$ the union of picture and references at object
    $i$, and $h_k^o, h_k^r$ the caption's words and relation triplets:

    $$ S = S^o + S^r, \quad S^x = \frac{1}{L_c^x} \sum_{k=1}^{L_c^x} \max_i {z_i^x}^\top h_k^x $$

    A caption without relation triplets has $S^r = 0$. Statistics [captions, 4]: $S$, $S^o$, $S^r$ and the number of
    references. The corpus score is the mean.

    `relations=off` is the paper's FAIEr\\rel; `references` says with how many references the model was trained (`r`:
    none to four); `checkpoint` is the folder of a model of your own. `scale=calibrated` maps a score to 0–1, see
    `vericap.metrics.faier.metric.calibrate`; `raw` has no bounds.
    """

    relations: Literal["on", "off"] = option("on", "Match relations as well as objects.")
    references: ReferencesUsed = option("r", "Number of references in training: 1 to 4, or r for none to four.")
    variant: Variant = option("faier", "Variant of the model.")
    checkpoint: str = option("", "Folder of a model of your own; default: the one that ships.")
    scale: Literal["raw", "calibrated"] = option("raw", "raw scores, or calibrated ones from 0 to 1.")

    question: ClassVar[Question] = "fidelity"
    languages: ClassVar[tuple[str, ...]] = ("en",)
    needs: ClassVar[tuple[str, ...]] = ("objects or regions",)
    citation: ClassVar[str] = (
        "Wang, Yao, Wang, Wu, Chen. FAIEr: fidelity and adequacy ensured image caption evaluation. CVPR 2021."
    )

    @property
    def range(self) -> tuple[float | None, float | None]:  # type: ignore[override]  # depends on the scale
        return (None, None) if self.scale == "raw" else (0.0, 1.0)

    @property
    def uses_image(self) -> bool:
        """Return whether it looks at the picture."""
        return self.variant != "aier"

    @property
    def folder(self) -> Path:
        """Return the folder of the model."""
        if self.checkpoint:
            return Path(self.checkpoint)
        import vericap.data

        parts = [self.variant, *(["objects"] if self.relations == "off" else [])]
        parts += [self.references] if self.references != type(self).references else []
        return vericap.data.FOLDER / "faier" / "-".join(parts)

    def model(self) -> FaierScorer:
        """Return the network, read once."""
        if not self.checkpoint and not self.folder.is_dir():
            raise InputError(
                f"no checkpoint ships for {self.key}",
                field="checkpoint",
                fix="train one with `vericap train faier --config FILE` and add checkpoint=FOLDER",
            )
        return load(str(self.folder))

    def pictures(self, views: Facts) -> PictureRegions | None:
        """Return the pictures as the model takes them; None for one that uses no image."""
        return views.get(PictureRegionsOf(self._raw)) if self.uses_image and isinstance(views, Views) else None

    @property
    def _raw(self) -> FaierFamily:
        """The metric with raw scores: both scales share what is computed before."""
        return replace(self, scale="raw")

    def check(self, views: Facts) -> None:
        super().check(views)
        corpus = views.corpus
        if self.uses_image and not (corpus.has_objects or corpus.has_regions):
            ways = "--objects FILE or --regions FILE (objects=… or regions=… in Python)"
            raise InputError(
                f"{self.key} looks at the picture, and neither its objects nor its regions were given",
                field="objects",
                fix=f"add {option_of('objects', True) if corpus.has_pictures else ways} or leave the metric out",
            )
        self.require_english(views, "was trained on English", "leave the metric out")
        self._check_model(self.model())
        if self.references != "r" and not corpus.reference_counts[0]:
            raise InputError(
                f"{self.key} was trained with references, and some images have none",
                field="references",
                fix="add them, or use the model trained with references=r",
            )
        self.pictures(views)  # errors name what of them the model cannot take

    def _check_model(self, model: FaierScorer) -> None:
        trained = {
            "variant": model.config.variant,
            "relations": "on" if model.config.relations else "off",
            "references": model.references if self.variant != "fier" else "r",
        }
        for name, value in trained.items():
            if value != getattr(self, name):
                raise InputError(
                    f"the model was trained with {name}={value}, and {self.key} asks for {name}={getattr(self, name)}",
                    source=str(self.folder),
                    field=name,
                    fix="ask for the metric that this model was trained for",
                )
        if self.scale == "calibrated" and not model.about.get("calibration"):
            raise InputError(
                f"the model of {self.key} has no calibration: it was trained without validation",
                source=str(self.folder),
                field="scale",
                fix="use scale=raw, or train it with data.validation = 2 or more",
            )

    def statistics(self, views: Views) -> Floats:
        if self.scale == "calibrated":
            return views.get(Statistics(self._raw))
        model, scenes, pictures = self.model(), scenes_of(self, views), self.pictures(views)
        if pictures is not None:
            for note in notes_of(pictures, model):
                views.note(f"{self.key}: {note}")
        found = model.score(scenes, workers=views.workers)
        counts = np.array([len(given) for given in scenes.references], float)[scenes.scene]
        return np.column_stack([found.total, found.objects, found.relations, counts])

    def score(self, statistics: Floats) -> Floats:
        total, _, _, references = statistics.T
        return total if self.scale == "raw" else calibrate(total, references, self.model().about["calibration"])

    def details(self, statistics: Floats) -> dict[str, Any]:
        """Return means of the two parts of the raw score."""
        return {"objects": float(statistics[:, 1].mean()), "relations": float(statistics[:, 2].mean())}

    def signature_parts(self, views: Facts) -> dict[str, Parameter]:
        model, pictures = self.model(), self.pictures(views)
        parts: dict[str, Parameter] = {
            "checkpoint": model.hash,
            "trained-references": model.references,
            "relations": self.relations,
            "vectors": model.vectors,
            "parser": Graphs().signed,
            "scale": self.scale,
        }
        if pictures is not None:
            parts |= {"weights": "boxes" if model.config.boxes else "features", pictures.kind: pictures.digest}
        return parts

    def explain(self, views: Views, i: int) -> Explanation:
        matches = Matches(self.model().details(scenes_of(self, views), i), self.uses_image)
        found = matches.details
        score = self.score(np.array([[found.total, found.objects, found.relations, len(found.references)]]))
        return self.explanation(
            views, i, float(score[0]), self._values(matches), matches.sections(), matrices=matches.matrices()
        )

    def _values(self, matches: Matches) -> dict[str, float | int | str]:
        found = matches.details
        values: dict[str, float | int | str] = {
            "S": found.total,
            "S^o, objects": found.objects,
            "S^r, relations": found.relations if found.triplets else "0: the caption has no relation triplets",
        }
        if self.relations == "off":
            values["S^r, relations"] = "0: the model matches objects alone"
        if self.variant != "fier":
            values["references"] = len(found.references) or 'none; "." is used instead'
        if self.uses_image and not found.regions:
            values["picture"] = "no object is known; a region of zeros is used instead"
        return values


@dataclass(frozen=True)
class Faier(FaierFamily):
    """FAIEr: matching with the picture fused with the references. `variant=fier+aier` merges the scores of both
    variants by a fully connected layer."""

    variant: Literal["faier", "fier+aier"] = option("faier", "faier, or fier+aier, which merges the scores of both.")

    name: ClassVar[str] = "faier"
    paper_name: ClassVar[str] = "FAIEr"
    summary: ClassVar[str] = "learned: its scene graph beside those of picture and references"


@dataclass(frozen=True)
class Fier(FaierFamily):
    """FIEr: matching with the picture alone, without references."""

    references: Literal["r"] = field(default="r", init=False)
    variant: Literal["fier"] = field(default="fier", init=False)

    name: ClassVar[str] = "fier"
    paper_name: ClassVar[str] = "FIEr"
    summary: ClassVar[str] = "learned: its scene graph beside that of the picture"
    reads_references: ClassVar[bool] = False


@dataclass(frozen=True)
class Aier(FaierFamily):
    """AIEr: matching with the references alone, without the picture."""

    references: ReferencesUsed = option("4", "Number of references in training: 1 to 4, or r for none to four.")
    variant: Literal["aier"] = field(default="aier", init=False)

    name: ClassVar[str] = "aier"
    paper_name: ClassVar[str] = "AIEr"
    summary: ClassVar[str] = "learned: its scene graph beside those of the references"
    question: ClassVar[Question] = "adequacy"
    needs: ClassVar[tuple[str, ...]] = ("references",)


def calibrate(scores: Floats, references: Floats, calibration: Mapping[str, Any]) -> Floats:
    r"""Return scores on 0–1: $\frac12 F_{mismatched}(s) + \frac12 F_{matched}(s)$, where F is the share of validation
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
def load(folder: str) -> FaierScorer:
    """Return the model in a folder, read once."""
    from vericap.metrics.faier.scorer import FaierScorer

    return FaierScorer.load(folder)
