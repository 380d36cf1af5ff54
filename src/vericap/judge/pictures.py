"""What the pictures of a benchmark show, read once and given to every corpus made of its captions."""

from __future__ import annotations

from typing import cast

import numpy as np

from vericap.choices import Missing
from vericap.corpus import Corpus
from vericap.judge.judgements import WithCaptions
from vericap.run.inputs import Inputs
from vericap.run.prepare import named_objects
from vericap.vision.add_pictures import add_pictures


def with_pictures(
    judged: WithCaptions, inputs: Inputs, missing: Missing
) -> tuple[WithCaptions, Corpus | None, tuple[str, ...]]:
    """The judgements whose pictures are known, the objects and regions of their items as a corpus without captions
    (None where no pictures are described), and notes.

    A picture that is shown several times is looked up once. `missing` "drop" leaves out the items of pictures that are
    not described.
    """
    if inputs.objects is None and inputs.regions is None:
        return judged, None, ()
    images = list(dict.fromkeys(judged.image_ids))
    bare = add_pictures(
        Corpus(images, [""] * len(images), np.arange(len(images))),
        named_objects(inputs),
        inputs.regions,
        confidence=inputs.confidence,
        missing="error" if missing == "error" else "zero",
    )
    known = np.ones(len(images), bool)
    if bare.objects is not None:
        known &= bare.objects.known
    if bare.regions is not None:
        known &= np.asarray(bare.regions.find(images)) >= 0
    notes, image = bare.notes if missing != "drop" else (), judged.clusters()
    if missing == "drop" and not known.all():
        lost = int((~known[image]).sum())
        notes = (f"{lost:,} of {len(image):,} items left out: nothing is known of their pictures",)
        judged, image = cast(WithCaptions, judged.keep(known[image])), image[known[image]]
    objects = None if bare.objects is None else bare.objects.keep(image)
    ids = [images[i] for i in image.tolist()]
    return judged, Corpus(ids, [""] * len(ids), np.arange(len(ids)), objects=objects, regions=bare.regions), notes
