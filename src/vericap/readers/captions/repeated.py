"""Several candidates for one image: one rule, whether they stand in one row or in several."""

from __future__ import annotations

import numpy as np

from vericap.arrays import Integers
from vericap.choices import Repeated
from vericap.corpus import ImageId
from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.id_matching import Images, number_ids, refuse_two_types
from vericap.readers.messages import shown


def image_of_records(candidates: Captions, repeated: Repeated) -> tuple[Integers, Images]:
    """The image of each record, numbered in the order of their first appearance, and the images by id.

    A list of captions in one row says by itself that there are several, so only rows are asked about.

    >>> found = Captions("results.json", ["a dog", "a cat", "dogs"], [7, 8, 7], records=3)
    >>> image_of_records(found, "keep")[0].tolist()
    [0, 1, 0]
    """
    _refuse_no_caption(candidates)
    if candidates.ids is None:
        return np.arange(candidates.records), Images((), lambda _: (candidates.source, ""))
    index: dict[ImageId, int] = {}
    image = number_ids(index, candidates.ids)
    first = np.arange(len(image)) if len(index) == len(image) else np.unique(image, return_index=True)[1]
    images = Images(list(index), lambda i: (candidates.source, candidates.row_name(int(first[i]))))
    refuse_two_types(index, images)
    if len(index) < len(image) and repeated == "error":
        again = np.ones(len(image), bool)
        again[first] = False
        row = int(np.argmax(again))
        raise InputError(
            f"image {shown(candidates.ids[row])} has a caption already, in row {images.place(int(image[row]))[1]}",
            source=candidates.source,
            row=candidates.row_name(row),
            fix='keep one of them, or choose repeated "keep"',
        )
    return image, images


def _refuse_no_caption(candidates: Captions) -> None:
    if candidates.record is None:
        return
    counts = np.bincount(candidates.record, minlength=candidates.records)
    if not counts.all():
        raise InputError(
            "the image has an empty list of captions",
            source=candidates.source,
            row=candidates.row_name(int(np.argmin(counts))),
            fix="give a caption, or leave the image out",
        )
