"""Training data from files: captions of images with their objects or regions, less the images that must stay unseen."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from vericap.arrays import Integers, Ragged, gather, offsets_of
from vericap.corpus import Corpus, ImageId, Regions
from vericap.errors import InputError
from vericap.metrics.faier.config import DataConfig, FaierConfig
from vericap.metrics.faier.inputs import Batch, CaptionColumns, RegionBatch, WordVectors, region_batch
from vericap.metrics.faier.pictures import corners_of, label_regions, require_boxes, without_classes
from vericap.metrics.faier.scenes import EMPTY, Caption
from vericap.readers import canonical, read_references
from vericap.readers.objects import add_objects
from vericap.readers.regions import read_regions
from vericap.text.tokenizers import tokenizer
from vericap.text.vocabulary import Tokens, split_at_white_space

MOST_REFERENCES = 4
EMPTY_ROW = 0  # of the captions of examples: the empty reference "."
# Captions as words → their propositions: `caption_propositions` of vericap.scene, or one that remembers them.
Parse: TypeAlias = Callable[[Sequence[Sequence[str]]], Sequence[Sequence[tuple[str, ...]]]]

SPLIT_SEED = 2021  # one split for all runs, whatever their seed: variants are compared on the same images


@dataclass(frozen=True, eq=False)
class Examples:
    """Images with regions (row i of `regions`; None for a model that uses none) and captions.

    Row 0 of `captions` is the empty reference "."; row i of `of_image` are the captions of image i.
    """

    captions: CaptionColumns
    of_image: Ragged
    regions: Regions | None
    words: list[str]  # what the ids of the captions' words mean

    def __len__(self) -> int:
        return len(self.of_image)

    def region_batch(self, images: Integers, most: int) -> RegionBatch | None:
        """Return the regions of these images, at most this many of each."""
        if self.regions is None:
            return None
        return region_batch(self.regions, images, most)

    @cached_property
    def classes(self) -> Integers:
        """The class of each region's label, as a number [regions]; symbolic regions have labels."""
        labels = [] if self.regions is None or self.regions.labels is None else self.regions.labels
        return np.unique(labels, return_inverse=True)[1].astype(np.int64)

    def with_fewer_classes(
        self, images: Integers, most: int, share: float, rng: np.random.Generator
    ) -> RegionBatch | None:
        """As `region_batch`, but half the time only some classes of labels are known, a share of them between this and
        all: other people's annotations and detectors know fewer classes than those that a model is trained on."""
        if share == 1 or self.regions is None or rng.random() < 0.5:
            return self.region_batch(images, most)
        known = rng.random(int(self.classes.max()) + 1) < rng.uniform(share, 1)
        return region_batch(without_classes(self.regions, images, self.classes, known), np.arange(len(images)), most)


def make_batch(
    examples: Examples, regions: RegionBatch | None, candidates: Integers, references: Sequence[Integers]
) -> Batch:
    """Return a batch of images with a candidate each and any number of references; none gives the empty reference."""
    filled = Ragged.of([rows.tolist() or [EMPTY_ROW] for rows in references])
    return Batch.of(examples.captions, regions, candidates, filled)


def draw(
    examples: Examples,
    images: Integers,
    epoch: int,
    references: str,
    rng: np.random.Generator,
    most: int,
    share: float = 1.0,
) -> Batch:
    """Return a training batch: in epoch t an image's t-th caption is the candidate, and the references are drawn from
    the others: a fixed number, or with "r" none to four. For `share` see `Examples.with_fewer_classes`."""
    # The same number for the whole batch: images are compared on equal terms, as they are when the metric is used.
    number = int(rng.integers(MOST_REFERENCES + 1)) if references == "r" else int(references)
    candidates, drawn = np.empty(len(images), np.int64), []
    for i, image in enumerate(images):
        own = examples.of_image[int(image)]
        candidate = (epoch + int(image)) % len(own)
        candidates[i] = own[candidate]
        drawn.append(rng.permutation(np.delete(own, candidate))[:number])
    return make_batch(examples, examples.with_fewer_classes(images, most, share, rng), candidates, drawn)


@dataclass(frozen=True, eq=False)
class Prepared:
    """Examples, their split (rows), the ids of their images, and figures about them for the checkpoint."""

    examples: Examples
    image_ids: list[ImageId]
    train: Integers
    validation: Integers
    held_out: Integers
    facts: dict[str, Any]

    def sentence(self) -> str:
        """Return the number of images, for what they are used, and why others are not."""
        facts = self.facts
        by = ", ".join(f"{name} {count:,}" for name, count in facts["left_out_by"].items())
        by = f" ({by})" if by else ""
        return (
            f"{facts['train']:,} images to train on, {facts['validation']:,} to validate, {facts['held_out']:,} held "
            f"out; of {facts['captioned_images']:,} with captions {facts['left_out']:,} are left out{by}, "
            f"{facts['without_regions']:,} have no objects or regions, {facts['too_few_captions']:,} too few captions"
        )


def prepare(config: FaierConfig, folder: Path, parse: Parse, vectors: WordVectors) -> Prepared:
    """Read what the configuration's table [data] names; paths are relative to `folder`."""
    data = config.data
    given = _captions(data, folder)
    # A candidate and a reference are the least that can be drawn; a model that reads no references needs none.
    least = 1 if config.model.variant == "fier" else 2
    captions = {image_id: own for image_id, own in given.items() if len(own) >= least}
    named = {name: read_ids(folder / name) for name in data.leave_out}
    unseen = set().union(*named.values())
    left = {image_id: own for image_id, own in captions.items() if canonical(image_id) not in unseen}
    ids, regions = _regions(list(left), config, folder, vectors)
    facts = {
        "captioned_images": len(given),
        "too_few_captions": len(given) - len(captions),
        "left_out": len(captions) - len(left),
        "left_out_by": {Path(name).name: sum(canonical(i) in own for i in captions) for name, own in named.items()},
        "without_regions": len(left) - len(ids),
    }
    _check_enough(len(ids), facts, config)
    order = np.random.default_rng(SPLIT_SEED).permutation(len(ids))
    held_out, validation, train = np.split(order, [data.held_out, data.held_out + data.validation])
    own = [left[image_id] for image_id in ids]
    facts |= {
        "train": len(train),
        "validation": len(validation),
        "held_out": len(held_out),
        "split_seed": SPLIT_SEED,
        "sha256": _digest(ids, [caption for texts in own for caption in texts], regions),
    }
    return Prepared(_examples(own, regions, parse), ids, train, validation, held_out, facts)


def _check_enough(images: int, facts: dict[str, Any], config: FaierConfig) -> None:
    data, batch = config.data, config.training.batch
    if images < data.held_out + data.validation + batch:
        raise InputError(
            f"{images:,} images remain, too few for {data.validation} for validation, {data.held_out} held out and a "
            f"batch of {batch} ({facts['captioned_images']:,} have captions, {facts['too_few_captions']:,} too few of "
            f"them, {facts['left_out']:,} are left out, {facts['without_regions']:,} have no objects or regions)",
            source=data.captions,
            fix="give more, or lower data.validation, data.held_out or training.batch",
        )


def _examples(captions: Sequence[Sequence[str]], regions: Regions | None, parse: Parse) -> Examples:
    """Return examples from the captions of each image."""
    texts = [caption for own in captions for caption in own]
    known: dict[str, int] = {}
    ids, words = split_at_white_space(tokenizer("ptb")(texts, known), list(known))
    tokens = Tokens.split(ids, len(texts), words)
    spelled = [tokens.spell(row) for row in tokens.candidates]
    read = [Caption.of(own, said) for own, said in zip(spelled, parse(spelled), strict=True)]
    encoded, vocabulary = CaptionColumns.encode([EMPTY, *read])
    of_image = Ragged(1 + np.arange(len(read)), offsets_of([len(own) for own in captions]))
    return Examples(encoded, of_image, regions, vocabulary)


def _captions(data: DataConfig, folder: Path) -> dict[ImageId, list[str]]:
    if not data.captions:
        raise InputError("no captions are named", field="data.captions", fix="name a file of captions with image ids")
    given = read_references(folder / data.captions)
    if given.ids is None:
        raise InputError("the captions have no image ids", source=data.captions, fix="use COCO's annotations layout")
    captions: dict[ImageId, list[str]] = {image_id: [] for image_id in given.ids}
    for image, caption in zip(given.image.tolist(), given.captions, strict=True):
        captions[given.ids[image]].append(caption)
    return captions


def _regions(
    ids: list[ImageId], config: FaierConfig, folder: Path, vectors: WordVectors
) -> tuple[list[ImageId], Regions | None]:
    """Return those of the images that have regions, and their regions, row for row; a model that sees no image needs
    none."""
    data, boxes = config.data, config.model.boxes and config.model.uses_image
    if data.regions:
        regions = read_regions(folder / data.regions, {canonical(image_id) for image_id in ids})
        found = regions.find(ids)
        if boxes:
            require_boxes(regions, "write boxes = false in [model]")
        kept = np.flatnonzero(found >= 0)
        return [ids[i] for i in kept], take_regions(regions, found[kept])
    if not data.objects and not config.model.uses_image:
        return ids, None
    if not data.objects:
        raise InputError("neither objects nor regions are named", field="data.objects", fix="name a file of either")
    corpus = add_objects(Corpus.from_lists([""] * len(ids), image_ids=ids), folder / data.objects, missing="drop")
    kept_ids = list(corpus.image_ids)
    labels = [corpus.objects_of(row) for row in range(len(corpus))]
    frames = None
    if boxes and corpus.objects is not None:
        frames = corners_of(corpus.objects, kept_ids, "write boxes = false, or give each object its box")
    return kept_ids, label_regions(kept_ids, labels, vectors, frames)


def take_regions(regions: Regions, rows: Integers, image_ids: Sequence[ImageId] | None = None) -> Regions:
    """Return the regions of some images, in their order. Images that look the same may share a row: then give their
    ids."""
    index, offsets = gather(regions.offsets, rows)
    return Regions(
        [regions.image_ids[row] for row in rows] if image_ids is None else image_ids,
        offsets,
        regions.features[index],
        None if regions.boxes is None else regions.boxes[index],
        None if regions.labels is None else [regions.labels[i] for i in index],
        None if regions.sizes is None else regions.sizes[rows],
        regions.source,
    )


def read_ids(path: Path) -> set[str]:
    """Return the image ids in a file, in canonical form: one per line, or those of a JSON: a list of ids or of rows
    with an `image_id`, or COCO's `images` or else `annotations`."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise InputError(f"the file cannot be read ({error.strerror})", source=str(path), field="leave_out") from None
    if text.lstrip()[:1] not in ("[", "{"):
        found = {canonical(line.strip()) for line in text.splitlines() if line.strip()}
    else:
        try:
            found = {canonical(one) for one in _ids_in(json.loads(text))}
        except ValueError:
            raise InputError("this is neither JSON nor a list of ids", source=str(path), field="leave_out") from None
    if not found:  # silence would let images be trained on that were to be left out
        fix = "write one id per line, a JSON list of ids or of rows with an image_id, or COCO's images"
        raise InputError("no image id is found in it", source=str(path), field="leave_out", fix=fix)
    return found


def _ids_in(value: Any) -> list[ImageId]:
    if isinstance(value, dict):
        images = [one.get("id") for one in value.get("images") or [] if isinstance(one, dict)]
        value = images or value.get("annotations")
    rows = value if isinstance(value, list) else []
    ids = (row.get("image_id") if isinstance(row, dict) else row for row in rows)
    return [one for one in ids if isinstance(one, (int, str)) and not isinstance(one, bool)]


def _digest(ids: list[ImageId], texts: list[str], regions: Regions | None) -> str:
    labels = [] if regions is None else list(regions.labels or [])
    digest = hashlib.sha256(json.dumps([list(map(str, ids)), texts, labels]).encode())
    if regions is not None:
        digest.update(np.ascontiguousarray(regions.offsets).data)
    return digest.hexdigest()[:16]
