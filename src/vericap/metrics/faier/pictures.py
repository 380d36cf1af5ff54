"""The pictures of a corpus as a model of FAIEr takes them: regions with vectors of a detector, or regions made of
labels, where a label's word vector takes the place of what a network would see."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Booleans, Integers, Ragged, gather, offsets_of
from vericap.corpus import Corpus, ImageId, Objects, Regions
from vericap.errors import InputError
from vericap.views import View, Views

if TYPE_CHECKING:
    from vericap.metrics.faier.metric import FaierFamily
    from vericap.metrics.faier.scorer import FaierScorer

# The name of the region that is the whole picture.
PICTURE = "(picture)"

# Labels → vectors [labels, e], zeros where unknown; `inputs.WordVectors` is one.
LabelVectors: TypeAlias = Callable[[Sequence[str]], NDArray[np.float32]]


def feature_size(words: int) -> int:
    """D of symbolic regions for word vectors of length e."""
    return 2 * words + 1


def label_regions(
    image_ids: Sequence[ImageId],
    labels: Sequence[Sequence[str]],
    vectors: LabelVectors,
    boxes: Sequence[NDArray[np.float32] | None] | None = None,
) -> Regions:
    """Return a region for each label of an image, u_i = [w_i; ½ Σ_j w_j; log n], where w_i is the vector of label i and
    n the number of labels; and one for the picture as a whole, u_0 = [0; ½ Σ_j w_j; log n].

    A network's region vector shows what is around the region; the sum over the image's labels does it here (a sum and
    not a mean: that there is a fork besides nine other things still shows). Detectors give regions of the background
    too: words for the scene (kitchen, sunny) find theirs in the whole picture. Without boxes, a label that an image has
    several times is one region: label sets have no counts. An image without labels has no region.

    >>> table = {"dog": [1.0, 0.0], "cat": [0.0, 1.0]}
    >>> def vectors(words): return np.array([table.get(word, [0, 0]) for word in words], np.float32)
    >>> regions = label_regions([7], [["dog", "cat", "dog"]], vectors)
    >>> regions.features[:, :4].tolist(), regions.labels
    ([[0.0, 0.0, 0.5, 0.5], [1.0, 0.0, 0.5, 0.5], [0.0, 1.0, 0.5, 0.5]], ['(picture)', 'dog', 'cat'])
    """
    kept = [list(dict.fromkeys(own)) if boxes is None else list(own) for own in labels]
    known = {label: row for row, label in enumerate(dict.fromkeys(label for own in kept for label in own))}
    table = vectors(list(known) or [""])
    size = table.shape[1]
    offsets = offsets_of([len(own) + bool(own) for own in kept])
    features = np.zeros((int(offsets[-1]), feature_size(size)), np.float32)
    for block, own in zip(Ragged(features, offsets), kept, strict=True):
        if own:
            rows = table[[known[label] for label in own]]
            block[1:, :size], block[:, size:-1], block[:, -1] = rows, rows.sum(axis=0) / 2, np.log(len(own))
    frames = None
    if boxes is not None:
        frames = np.concatenate([np.zeros((0, 4), np.float32), *map(_framed, boxes)])
    names = [name for own in kept if own for name in (PICTURE, *own)]
    return Regions(image_ids, offsets, features, frames, names, source="labels")


def corners_of(objects: Objects, image_ids: Sequence[ImageId], fix: str) -> list[NDArray[np.float32]]:
    """Return the boxes of each image's objects as x1 y1 x2 y2, arrays [objects, 4], for a model that weighs regions by
    them. An object without one is an error, whose `fix` says what to do about it.

    >>> boxes = np.array([[5.0, 5, 2, 3], [0, 0, 1, 1]])
    >>> objects = Objects(("dog",), np.array([0, 0]), np.array([0, 1, 2]), boxes=boxes)
    >>> [own.tolist() for own in corners_of(objects, [7, 8], "")]
    [[[5.0, 5.0, 7.0, 8.0]], [[0.0, 0.0, 1.0, 1.0]]]
    """
    boxes = np.full((len(objects.label), 4), np.nan) if objects.boxes is None else objects.boxes.copy()
    bare = np.isnan(boxes).any(axis=1)
    if bare.any():
        row = int(bare.argmax())
        image = int(np.searchsorted(objects.offsets, row, side="right")) - 1
        raise InputError(
            f"the model weighs regions by boxes, and {objects.labels[objects.label[row]]!r} of image "
            f"{image_ids[image]!r} has none",
            source=objects.sources[objects.source[row]] if len(objects.source) else objects.sources[0],
            field="boxes",
            fix=fix,
        )
    boxes[:, 2:] += boxes[:, :2]
    return list(Ragged(boxes.astype(np.float32), objects.offsets))


def require_boxes(regions: Regions, fix: str) -> None:
    """Raise an error for regions without boxes if a model needs them; `fix` says what to do about it."""
    if regions.boxes is None:
        problem = "the model weighs regions by their boxes, and these regions have none"
        raise InputError(problem, source=regions.source, field="boxes", fix=fix)


def without_classes(regions: Regions, rows: Integers, classes: Integers, known: Booleans) -> Regions:
    """Return the regions of these images as they would be if only some classes of labels were known: `classes`
    [regions] is the class of each region, `known` [classes] says which classes stay. An image that would lose all keeps
    all.

    >>> table = {"dog": [1.0, 0.0], "cat": [0.0, 1.0]}
    >>> def vectors(words): return np.array([table.get(word, [0, 0]) for word in words], np.float32)
    >>> regions = label_regions([7, 8], [["dog", "cat"], ["cat"]], vectors)
    >>> left = without_classes(regions, np.array([0, 1]), np.array([0, 1, 2, 0, 2]), np.array([True, True, False]))
    >>> left.offsets.tolist(), left.features[:2, :4].tolist()
    ([0, 2, 4], [[0.0, 0.0, 0.5, 0.0], [1.0, 0.0, 0.5, 0.0]])
    """
    index, before = gather(regions.offsets, rows)
    image = Ragged(index, before).row
    pictures = before[:-1][np.diff(before) > 0]  # an image's first region is the whole picture, not a label
    kept = known[classes[index]]
    kept[pictures] = False
    kept |= (np.bincount(image, kept, len(rows)) == 0)[image]
    kept[pictures] = True
    features, image = regions.features[index[kept]], image[kept]
    left, size = np.bincount(image, minlength=len(rows)), features.shape[1] // 2
    sums = np.zeros((len(rows), size), np.float32)
    np.add.at(sums, image, features[:, :size])
    features[:, size:-1], features[:, -1] = sums[image] / 2, np.log(left[image] - 1)
    frames = None if regions.boxes is None else regions.boxes[index[kept]]
    ids = [regions.image_ids[row] for row in rows]
    return Regions(ids, offsets_of(left), features, frames, source=regions.source)


def _framed(boxes: NDArray[np.float32] | None) -> NDArray[np.float32]:
    """Return the box around all boxes of an image, and these."""
    if boxes is None or not len(boxes):
        return np.zeros((0, 4), np.float32)
    around = np.concatenate([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)])
    return np.concatenate([around[None], boxes])


@dataclass(frozen=True, eq=False)
class PictureRegions:
    """A table of regions, and the row in it of each image of the corpus. Images that show the same labels share a row.
    `kind` and `digest` say in signatures what they were made of."""

    regions: Regions
    row: Integers
    kind: str
    digest: str


@dataclass(frozen=True)
class PictureRegionsOf(View[PictureRegions]):
    """The pictures as the model of a metric takes them: labels for one that was trained on labels, else vectors."""

    metric: FaierFamily

    def compute(self, views: Views) -> PictureRegions:
        model, corpus = self.metric.model(), views.corpus
        ids = image_ids(corpus)
        if not model.takes_labels:
            found = _from_vectors(corpus, ids, self.metric.key)
        elif corpus.objects is not None:
            found = _from_objects(corpus.objects, ids, model)
        else:
            found = _from_region_labels(corpus.regions, ids, model, self.metric.key)
        model.check(found.regions)
        return found


def image_ids(corpus: Corpus) -> list[ImageId]:
    """Return the id of each image, that of its first row.

    >>> image_ids(Corpus(["b", "a", "a"], ["", "", ""], np.array([1, 0, 0])))
    ['a', 'b']
    """
    rows = np.zeros(int(corpus.image.max(initial=-1)) + 1, np.int64)
    rows[corpus.image[::-1]] = np.arange(len(corpus))[::-1]
    return [corpus.image_ids[row] for row in rows.tolist()]


def _from_vectors(corpus: Corpus, ids: Sequence[ImageId], metric: str) -> PictureRegions:
    if corpus.regions is None:
        raise InputError(
            f"the model of {metric} was trained on vectors of regions, and only objects were given",
            field="regions",
            fix="add --regions FILE, or use a model trained on labels",
        )
    regions, row = _find(corpus.regions, ids)
    return PictureRegions(regions, row, "regions", corpus.regions.digest)


def _from_objects(objects: Objects, ids: Sequence[ImageId], model: FaierScorer) -> PictureRegions:
    labels = [objects.of(image) for image in range(len(ids))]
    fix = "give each its box, or use a model trained without"
    boxes = corners_of(objects, ids, fix) if model.config.boxes else None
    return _from_labels(labels, boxes, model, "objects", objects.digest)


def _from_region_labels(given: Regions, ids: Sequence[ImageId], model: FaierScorer, metric: str) -> PictureRegions:
    if given.labels is None:
        raise InputError(
            f"the model of {metric} was trained on labels of objects, and these regions have none",
            source=given.source,
            field="labels",
            fix="add --objects FILE, or checkpoint=FOLDER of a model trained on such regions",
        )
    if model.config.boxes:
        require_boxes(given, "add them, or use a model trained without")
    regions, row = _find(given, ids)
    labels = [regions.labels_of(i) or [] for i in row.tolist()]
    boxes = [regions.boxes_of(i) for i in row.tolist()] if model.config.boxes else None
    return _from_labels(labels, boxes, model, "regions", given.digest)


def _from_labels(
    labels: Sequence[Sequence[str]],
    boxes: Sequence[NDArray[np.float32] | None] | None,
    model: FaierScorer,
    kind: str,
    digest: str,
) -> PictureRegions:
    if boxes is not None:
        return PictureRegions(model.label_regions(labels, boxes), np.arange(len(labels)), kind, digest)
    # Without boxes a model sees the set of labels, and images with the same set are one.
    places: dict[tuple[str, ...], int] = {}
    row = [places.setdefault(tuple(dict.fromkeys(own)), len(places)) for own in labels]
    return PictureRegions(model.label_regions(list(places)), np.array(row, np.int64), kind, digest)


def _find(regions: Regions, ids: Sequence[ImageId]) -> tuple[Regions, Integers]:
    """Return the row of each image, that of an image without regions for one that is not there."""
    row = regions.find(ids)
    if (row < 0).any():
        return regions.with_empty_image(), np.where(row < 0, len(regions), row)
    return regions, row


def notes_of(pictures: PictureRegions, model: FaierScorer) -> Iterator[str]:
    """Sentences for the notes of a result; none where the model sees all that was given."""
    regions, most = pictures.regions, model.config.regions
    if longer := int((np.diff(regions.offsets)[pictures.row] > most).sum()):
        images = f"{longer:,} images have" if longer > 1 else "1 image has"
        yield f"{images} more than {most} regions, of which the first {most} are used"
    if not model.takes_labels or not regions.labels:
        return
    used, _ = gather(regions.offsets, np.unique(pictures.row))
    # The first half of a region made of labels is the vector of its label.
    blank = used[~regions.features[used, : regions.dimension // 2].any(axis=1)]
    if labels := sorted({regions.labels[i] for i in blank.tolist()} - {PICTURE}):
        some = ", ".join(labels[:5]) + (", …" if len(labels) > 5 else "")
        many = len(labels) > 1
        are = f"{len(labels):,} labels have no word vector and are" if many else "1 label has no word vector and is"
        yield f"{are} seen as something unknown: {some}"
