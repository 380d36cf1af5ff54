"""The objects in the pictures of a benchmark, read or looked at once and given to every corpus made of its captions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np

from vericap.arrays import Booleans
from vericap.corpus import Corpus, ImageId
from vericap.judging.judgements import WithCaptions
from vericap.options.choices import Missing
from vericap.options.inputs import Inputs
from vericap.options.settings import Settings
from vericap.run import prepare
from vericap.run.selection import MetricChoice
from vericap.vision.add_pictures import MOST_NAMED

# What a detector found, as long as the inputs are in use.
_looked_at: WeakKeyDictionary[Inputs, tuple[Any, Corpus]] = WeakKeyDictionary()
_KEPT = "kept, as images that show nothing"  # what the readers note of images that are dropped here


def with_pictures(
    judged: WithCaptions, inputs: Inputs, settings: Settings, metrics: MetricChoice = ()
) -> tuple[WithCaptions, Corpus | None, tuple[str, ...]]:
    """The judgements whose pictures are known, the objects and regions of their items as a corpus without captions
    (None where no pictures are described), and notes.

    A picture that is shown several times is looked at once. `--missing drop` leaves out the items of pictures that are
    not described, or not in the folder of pictures. If one of the `metrics` needs objects and there are pictures alone,
    the detector that ships looks for them.
    """
    given, missing = inputs, settings.missing
    inputs = prepare.with_detector(inputs, metrics)
    if inputs.objects is None and inputs.regions is None and inputs.images is None:
        return judged, None, ()
    images = list(dict.fromkeys(judged.image_ids))
    known: Booleans = np.ones(len(images), bool)
    notes: tuple[str, ...] = ()
    if inputs.images is not None and inputs.detector is None:
        known, notes = _in_folder(images, Path(inputs.images), missing)
    bare = _described(images, inputs, settings, given)
    if bare.objects is not None:
        known &= bare.objects.known
    if bare.regions is not None:
        known &= np.asarray(bare.regions.find(images)) >= 0
    notes, image = (*notes, *bare.notes), judged.clusters()
    if missing == "drop" and not known.all():
        lost = int((~known[image]).sum())
        said = [note for note in notes if _KEPT not in note]
        notes = (*said, f"{lost:,} of {len(image):,} items left out: nothing is known of their pictures")
        judged, image = cast(WithCaptions, judged.keep(known[image])), image[known[image]]
    objects = None if bare.objects is None else bare.objects.keep(image)
    ids = [images[i] for i in image.tolist()]
    return judged, Corpus(ids, [""] * len(ids), np.arange(len(ids)), objects=objects, regions=bare.regions), notes


def _described(images: list[ImageId], inputs: Inputs, settings: Settings, given: Inputs) -> Corpus:
    """The images with all that is known of them. A detector looks at them once, however often a curve asks."""
    asked = (tuple(map(str, images)), str(inputs.detector), settings.missing)
    if inputs.detector is not None and given in _looked_at and _looked_at[given][0] == asked:
        return _looked_at[given][1]
    kept = replace(settings, missing="error" if settings.missing == "error" else "zero")
    bare = prepare.look_at_pictures(Corpus(images, [""] * len(images), np.arange(len(images))), inputs, kept)
    if inputs.detector is not None:
        _looked_at[given] = asked, bare
    return bare


def _in_folder(images: Sequence[ImageId], folder: Path, missing: Missing) -> tuple[Booleans, tuple[str, ...]]:
    """Return the images that have a file in the folder, and notes that name those without."""
    from vericap.vision.detectors import first_of, look_for_pictures
    from vericap.vision.loading import PictureError

    found = look_for_pictures(folder, images)
    lacking = [each for each in found if isinstance(each, PictureError)]
    if lacking and (missing == "error" or len(lacking) == len(found)):
        raise first_of(lacking)
    notes = [f"{each.source}: {each.problem}" for each in lacking[:MOST_NAMED]]
    if len(lacking) > MOST_NAMED:
        notes.append(f"{len(lacking) - MOST_NAMED:,} more images have no file in the folder")
    return np.array([not isinstance(each, PictureError) for each in found], bool), tuple(notes)
