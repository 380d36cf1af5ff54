"""MID, mutual information divergence (Kim et al. 2022): how much a caption says of its picture, measured against pairs
of reference and picture that are taken as Gaussian in the space of CLIP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from vericap.arrays import Floats
from vericap.errors import InputError
from vericap.metrics.base import Question
from vericap.metrics.clip.clipscore import ClipFamily
from vericap.options.declared import Between, option
from vericap.results.explanation import Explanation
from vericap.views import Facts, View, Views


@dataclass(frozen=True, eq=False)
class Gaussians:
    """Means and inverse covariances of reference texts (x), their pictures (y) and both together (z), and the mutual
    information of x and y."""

    mean: Floats  # of z; its first half is that of x, the second that of y
    x: Floats
    y: Floats
    z: Floats
    information: float

    def distances(self, texts: Floats, pictures: Floats) -> Floats:
        """Squared Mahalanobis distances of pairs to x, y and z, array [pairs, 3]."""
        both = np.hstack([texts, pictures]) - self.mean
        text, picture = np.hsplit(both, 2)
        return np.column_stack(
            [((side @ inverse) * side).sum(1) for side, inverse in ((text, self.x), (picture, self.y), (both, self.z))]
        )


def fit(texts: Floats, pictures: Floats, eps: float) -> Gaussians:
    r"""Gaussians of pairs [n, d] of reference texts and pictures; covariances are divided by n − 1, and `eps` is added
    to their diagonals.

    >>> rng = np.random.default_rng(0)
    >>> texts = rng.normal(size=(10_000, 1))
    >>> round(fit(texts, 0.6 * texts + 0.8 * rng.normal(size=(10_000, 1)), 0.0).information, 1)  # −½ log(1 − 0.6²)
    0.2
    """
    both = np.hstack([texts, pictures])
    mean = both.mean(0)
    joint = (both - mean).T @ (both - mean) / (len(both) - 1) + eps * np.eye(both.shape[1])
    half = texts.shape[1]
    parts = [joint[:half, :half], joint[half:, half:], joint]
    x, y, z = (np.linalg.inv(part) for part in parts)
    log_x, log_y, log_z = (float(np.log(np.linalg.svd(part, compute_uv=False)).sum()) for part in parts)
    return Gaussians(mean, x, y, z, (log_x + log_y - log_z) / 2)


@dataclass(frozen=True)
class _Fitted(View[Gaussians]):
    """The Gaussians of a corpus's references and pictures."""

    metric: Mid

    def compute(self, views: Views) -> Gaussians:
        return self.metric.fitted(views)


@dataclass(frozen=True)
class Mid(ClipFamily):
    r"""The pointwise mutual information of a caption $x$ and its picture $y$, both unit vectors of CLIP, under
    Gaussians fitted to the pairs of reference and picture of the corpus ($z$ is both together):

    $$ \mathrm{PMI}(x; y) = I(X; Y) + \tfrac{1}{2} \big(D^2_X(x) + D^2_Y(y) - D^2_Z(z)\big), \quad
       I(X; Y) = \tfrac{1}{2} \log \frac{\det \Sigma_X \det \Sigma_Y}{\det \Sigma_Z} $$

    $D^2$ is the squared Mahalanobis distance. The corpus score is $I(X; Y)$ plus the sum of the other terms over the
    $M$ captions, divided by $M - 1$, as it is computed from covariances in the authors' code. All in 64 bits.

    A covariance must be invertible: there must be more images than dimensions (512 for ViT-B/32), and more than twice
    as many pairs. `eps` is added to the diagonals where there are fewer, 0.0005 as the authors advise. `limit`: pairs
    beyond it are left out of the fit, as in their code. `prompt` is empty, as there.

    Statistics [captions, 4]: the three distances, and $I(X; Y)$.
    """

    prompt: str = option("", "Words before each caption.")
    eps: Annotated[float, Between(0, 1)] = option(0.0, "Number added to the diagonal of the covariances.")
    limit: Annotated[int, Between(2, 10_000_000)] = option(30_000, "Maximum number of pairs in the fit.")

    name: ClassVar[str] = "mid"
    paper_name: ClassVar[str] = "MID"
    summary: ClassVar[str] = "how much it says of the picture, beside what references say, by CLIP"
    question: ClassVar[Question] = "fidelity"
    needs: ClassVar[tuple[str, ...]] = ("references", "images")
    range: ClassVar[tuple[float | None, float | None]] = (None, None)
    citation: ClassVar[str] = (
        "Kim, Kim, Lee, Yoo, Lee. Mutual information divergence: a unified metric for multimodal generative models. "
        "NeurIPS 2022."
    )

    def fitted(self, views: Views) -> Gaussians:
        """Return the Gaussians of the references and pictures; an error where they are too few."""
        corpus = views.corpus
        images = np.repeat(np.arange(corpus.images), np.diff(corpus.reference_offsets))
        texts, pictures = self.references(views), self._by_image(views)[images]
        known = ~np.isnan(pictures).any(1) & pictures.any(1)
        texts, pictures, images = texts[known][: self.limit], pictures[known][: self.limit], images[known][: self.limit]
        if int(known.sum()) > self.limit:
            views.note(f"{self.key}: fitted to the first {self.limit:,} of {int(known.sum()):,} pairs (limit)")
        self._check_numbers(len(np.unique(images)), len(texts))
        return fit(texts, pictures, self.eps)

    def check(self, views: Facts) -> None:
        super().check(views)
        if isinstance(views, Views):
            corpus = views.corpus
            described = np.diff(corpus.reference_offsets)[np.unique(corpus.image)]
            self._check_numbers(int((described > 0).sum()), min(int(described.sum()), self.limit))

    def _check_numbers(self, images: int, pairs: int) -> None:
        dimensions = self.clip().encoder().dimensions
        if not self.eps and (images <= dimensions or pairs <= 2 * dimensions):
            raise InputError(
                f"{self.key} estimates a covariance of {2 * dimensions} dimensions from {images:,} images with "
                f"{pairs:,} references; it needs more than {dimensions} images and {2 * dimensions} references",
                field="eps",
                fix=f"give more, or add eps=0.0005: {self.name}(eps=0.0005)",
            )
        if pairs < 2:
            raise InputError(f"{self.key} needs two pairs of reference and picture", fix="give more references")

    def _by_image(self, views: Views) -> Floats:
        """Return vectors of the pictures by image; NaN for an image without a caption, whose picture is not looked
        at."""
        pictures = self.pictures(views)
        found = np.full((views.corpus.images, pictures.shape[1]), np.nan)
        found[views.corpus.image] = pictures
        return found

    def statistics(self, views: Views) -> Floats:
        # The distribution is that of the whole corpus, also where a few rows are explained.
        gaussians = views.whole.get(_Fitted(self))
        pictures = self.pictures(views)
        distances = gaussians.distances(self.candidates(views), pictures)
        distances[~pictures.any(1)] = np.nan  # no picture: nothing can be said
        return np.column_stack([distances, np.full(len(distances), gaussians.information)])

    def score(self, statistics: Floats) -> Floats:
        text, picture, both, information = statistics.T
        return np.asarray(information + (text + picture - both) / 2)

    def aggregate(self, statistics: Floats, weights: Floats | None = None) -> float:
        given = np.ones(len(statistics)) if weights is None else weights
        return float(self.aggregates(statistics, given[None])[0])

    def aggregates(self, statistics: Floats, weights: Floats) -> Floats:
        scores = self.score(statistics)
        known = ~np.isnan(scores)
        information = statistics[:, 3]
        beyond = np.where(known, scores - information, 0.0)
        count = weights @ known.astype(float)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = weights @ np.where(known, information, 0.0) / count + weights @ beyond / (count - 1)
        return np.where(count > 1, mean, np.nan)

    def explain(self, views: Views, i: int) -> Explanation:
        statistics = self.statistics(views)[i : i + 1]
        text, picture, both, information = statistics[0].tolist()
        values: dict[str, float | int | str] = {
            "mutual information of references and pictures": information,
            "D² of the caption": text,
            "D² of the picture": picture,
            "D² of both": both,
        }
        cosine = float(self.candidates(views)[i] @ self.pictures(views)[i])
        values["cosine of caption and picture"] = cosine
        return self.explanation(views, i, float(self.score(statistics)[0]), values)
