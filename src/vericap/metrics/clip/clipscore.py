"""CLIPScore and RefCLIPScore (Hessel et al. 2021): how near a caption is to the picture, and to the references, in the
space of CLIP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Annotated, ClassVar, Literal

import numpy as np

from vericap.arrays import Floats, Integers
from vericap.encoders.installed import require
from vericap.metrics.base import Metric, Parameter, Question
from vericap.options.declared import Between, option
from vericap.readers.storage.registered import resolve
from vericap.results.explanation import Explanation, Part
from vericap.views import Facts, Views
from vericap.views.clip import ClipModel, PictureVectors, TextVectors, check_pictures

_MOST_WORDS = 75  # that an explanation leaves out one by one
# What changes how fast a number comes, or is said in the signature in another way.
_UNSIGNED = ("model", "base", "device", "precision", "activation", "batch")


@dataclass(frozen=True)
class ClipFamily(Metric):
    """`model` is a folder or file with the weights of a CLIP; without it, the one that was registered. `long` says what
    becomes of captions with more tokens than the network reads (75 with the prompt). `batch` is the number of pictures
    that the network sees at once; the numbers do not depend on it."""

    model: str = option("", "Folder or file of a CLIP; default: the registered one.")
    prompt: str = option("A photo depicts", "Words before each caption.")
    long: Literal["truncate", "error", "chunks"] = option("truncate", "What happens to captions that are too long.")
    activation: Literal["auto", "gelu", "quick_gelu"] = option("auto", "Activation, if the files do not say it.")
    device: str = option("auto", "Device of torch: auto, cpu, cuda or cuda:1.")
    precision: Literal["auto", "float32", "float16"] = option("auto", "auto: 16 bits on a graphics card, else 32.")
    batch: Annotated[int, Between(1, 100_000)] = option(32, "Number of pictures that the network sees at once.")

    kind: ClassVar[str] = "clip"  # of the model that is registered
    needs: ClassVar[tuple[str, ...]] = ("images",)
    languages: ClassVar[tuple[str, ...]] = ("en",)

    def clip(self) -> ClipModel:
        """Return the model, given or registered."""
        path = resolve(self.kind, self.model, self.name)
        return ClipModel(path, self.activation, "", self.device, self.precision, self.batch)

    def check(self, views: Facts) -> None:
        super().check(views)
        require(self.key, "torch", "safetensors", "ftfy", "PIL")
        self.clip().encoder()  # errors name what of its files is wrong
        pictures = views.corpus.pictures
        if pictures is not None:
            check_pictures(pictures, views.corpus.image_ids)
        if views.language != "en":
            views.note(f"{self.key}: CLIP knows English, and --language is {views.language!r}")

    def candidates(self, views: Views) -> Floats:
        """Return unit vectors of the candidates [captions, d]."""
        return views.get(TextVectors(self.clip(), self.prompt, self.long, "candidates"))

    def references(self, views: Views) -> Floats:
        """Return unit vectors of the references [references, d]."""
        return views.get(TextVectors(self.clip(), self.prompt, self.long, "references"))

    def pictures(self, views: Views) -> Floats:
        """Return unit vectors of the pictures, one for each caption [captions, d]."""
        return np.asarray(views.get(PictureVectors(self.clip()))[views.corpus.image])

    def signature_parts(self, views: Facts) -> dict[str, Parameter]:
        encoder = self.clip().encoder()
        about = encoder.checkpoint
        own = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in _UNSIGNED}
        return {
            "tokenizer": f"clip-{about.made.vocabulary}",
            "network": about.made.name,
            "weights": about.sha256[:12],
            "activation": about.made.activation,
            "pixels": str(about.preprocessing),
            "precision": encoder.precision,
            **own,
        }


@dataclass(frozen=True)
class ClipScore(ClipFamily):
    r"""The cosine of a caption $c$ and its picture $v$ in the space of CLIP, scaled by `w`; negative ones count 0:

    $$ \mathrm{CLIPScore}(c, v) = w \cdot \max(\cos(E_T(\text{“A photo depicts ”} + c), E_I(v)), 0) $$

    `w` is 2.5, the network ViT-B/32 in the paper; here it is the one whose weights are given (`model`). `prompt` stands
    before each caption. `long` is truncate as in the authors' code, error, or chunks: a caption of more than 75 tokens
    with the prompt is read in pieces, and has the direction of the mean of their unit vectors.

    Statistics [captions, 1]: the cosine. The corpus score is the mean of the captions' scores.
    """

    w: Annotated[float, Between(0, 1000)] = option(2.5, "Factor of the cosine.")

    name: ClassVar[str] = "clipscore"
    paper_name: ClassVar[str] = "CLIPScore"
    summary: ClassVar[str] = "how near it is to the picture, as vectors of CLIP"
    question: ClassVar[Question] = "fidelity"
    reads_references: ClassVar[bool] = False
    citation: ClassVar[str] = (
        "Hessel, Holtzman, Forbes, Le Bras, Choi. CLIPScore: a reference-free evaluation metric for image captioning. "
        "EMNLP 2021."
    )

    @property
    def range(self) -> tuple[float | None, float | None]:  # type: ignore[override]  # depends on w
        return 0.0, self.w

    def statistics(self, views: Views) -> Floats:
        return self._cosines(views)[:, None]

    def _cosines(self, views: Views) -> Floats:
        return np.asarray((self.candidates(views) * self.pictures(views)).sum(1))

    def score(self, statistics: Floats) -> Floats:
        return np.asarray(self.w * np.maximum(statistics[:, 0], 0.0))

    def explain(self, views: Views, i: int) -> Explanation:
        statistics = self.statistics(views)[i : i + 1]
        image, *nearest = statistics[0].tolist()
        values: dict[str, float | int | str] = {"cosine with the picture": image, "w": self.w}
        if nearest:
            values |= {"CLIPScore": self.w * max(image, 0.0), "cosine with the nearest reference": nearest[0]}
        return self.explanation(views, i, float(self.score(statistics)[0]), values, self._sections(views, i))

    def _sections(self, views: Views, i: int) -> Mapping[str, Sequence[Part]]:
        return {"words": self._words(views, i)}

    def _words(self, views: Views, i: int) -> list[Part]:
        """Return the cosine of the caption without each of its words: what a word adds is what is lost without it."""
        words = views.corpus.candidates[i].split()[:_MOST_WORDS]
        if len(words) < 2:
            return []
        without = [" ".join(words[:place] + words[place + 1 :]) for place in range(len(words))]
        vectors, _ = self.clip().encoder().texts([" ".join(words), *without], self.prompt, self.long)
        whole, *parts = (vectors @ self.pictures(views)[i]).tolist()
        return [
            Part(word, {"cosine without it": part, "adds": whole - part})
            for word, part in zip(words, parts, strict=True)
        ]


@dataclass(frozen=True)
class RefClipScore(ClipScore):
    r"""The harmonic mean of CLIPScore, `w` included, and of the cosine with the nearest reference, which is not scaled:

    $$ \mathrm{RefCLIPScore}(c, R, v) = \frac{2 a b}{a + b}, \quad a = \mathrm{CLIPScore}(c, v), \quad
       b = \max(\max_{r \in R} \cos(E_T(c), E_T(r)), 0) $$

    The prompt stands before candidate and references alike, as in the authors' code. Where both are 0 the score is 0.

    Statistics [captions, 2]: the cosine with the picture, and that with the nearest reference.
    """

    name: ClassVar[str] = "refclipscore"
    paper_name: ClassVar[str] = "RefCLIPScore"
    summary: ClassVar[str] = "how near it is to the picture and to a reference, as vectors of CLIP"
    question: ClassVar[Question] = "adequacy"
    needs: ClassVar[tuple[str, ...]] = ("references", "images")
    reads_references: ClassVar[bool] = True

    @property
    def range(self) -> tuple[float | None, float | None]:  # type: ignore[override]  # depends on w
        return 0.0, 2 * self.w / (self.w + 1)

    def statistics(self, views: Views) -> Floats:
        return np.column_stack([self._cosines(views), nearest(self._similarities(views), len(views.corpus))])

    def _similarities(self, views: Views) -> tuple[Floats, Integers]:
        """Return the cosine of each candidate with each of its references, and the candidate that it belongs to."""
        pairs = views.pairs
        candidates, references = self.candidates(views), self.references(views)
        return (candidates[pairs.candidate] * references[pairs.reference]).sum(1), pairs.candidate

    def score(self, statistics: Floats) -> Floats:
        image, text = super().score(statistics), np.maximum(statistics[:, 1], 0.0)
        both = image + text
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(both == 0, 0.0, 2 * image * text / both)

    def _sections(self, views: Views, i: int) -> Mapping[str, Sequence[Part]]:
        cosines, candidate = self._similarities(views)
        own = cosines[candidate == i].tolist()
        parts = [Part(text, {"cosine": each}) for text, each in zip(views.corpus.references_of(i), own, strict=True)]
        return {"references": parts, **super()._sections(views, i)}


def nearest(similarities: tuple[Floats, Integers], captions: int) -> Floats:
    """Return the largest cosine of each candidate; 0 for one without references.

    >>> nearest((np.array([0.2, 0.5, -0.1]), np.array([0, 0, 2])), 3).tolist()
    [0.5, 0.0, -0.1]
    """
    cosines, candidate = similarities
    found = np.full(captions, -np.inf)
    np.maximum.at(found, candidate, cosines)
    return np.where(np.isneginf(found), 0.0, found)
