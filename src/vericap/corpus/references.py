"""References by image: found by id, taken by image, tokenised once. Every verb finds them here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from vericap.arrays import Integers, Ragged, offsets_of, rows_of
from vericap.corpus.columns import take
from vericap.corpus.image_ids import ImageId, Images, Place
from vericap.errors import InputError

# Token ids of captions; the words that are new are added to the numbers given.
Encode: TypeAlias = Callable[[Sequence[str], dict[str, int]], Ragged]

_NO_TOKENS = Ragged(np.zeros(0, np.int64), np.zeros(1, np.int64))


@dataclass(eq=False)
class References:
    """The references of image i are `offsets[i]:offsets[i + 1]` of `grouping`, which are places in `captions`; of the
    captions themselves where `grouping` is None, as they are in the order of their images.

    `ids` None: image i is row i of the source. `place(i)` is where an image is named first, `fields` is what the source
    says about images. `tokens` are those of the captions, `word_numbers` the number of each word.

    >>> references = References.by_image(["one cat", "a dog", "cats"], np.array([0, 1, 0]), ids=[7, 42])
    >>> captions, offsets = references.of_images(np.array([1, -1, 0]))
    >>> captions, offsets.tolist(), references.find("42.jpg")
    (['a dog', 'one cat', 'cats'], [0, 1, 1, 3], 1)
    """

    captions: Sequence[str]
    offsets: Integers
    grouping: Integers | None = None
    ids: Sequence[ImageId] | None = None
    source: str = "references"
    place: Place | None = None
    aliases: Mapping[str, ImageId] = field(default_factory=dict)
    fields: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    tokens: Ragged = _NO_TOKENS
    word_numbers: dict[str, int] = field(default_factory=dict)

    @classmethod
    def by_image(cls, captions: Sequence[str], image: Integers, images: int | None = None, **about: Any) -> References:
        """Return references of which the image of each caption is given, and the number of images, or their ids."""
        offsets = offsets_of(np.bincount(image, minlength=len(about["ids"]) if images is None else images))
        is_grouped = bool((image[1:] >= image[:-1]).all())
        return cls(captions, offsets, None if is_grouped else np.argsort(image, kind="stable"), **about)

    @property
    def images(self) -> int:
        """The number of images."""
        return len(self.offsets) - 1

    @cached_property
    def image(self) -> Integers:
        """The image of each caption."""
        image = rows_of(np.diff(self.offsets))
        if self.grouping is None:
            return image
        found = np.empty_like(image)
        found[self.grouping] = image
        return found

    @cached_property
    def named_images(self) -> Images:
        """The images by id."""
        return Images(self.ids or (), self.place, self.aliases, self.source)

    def find(self, image_id: ImageId) -> int:
        """Return the image of an id, in any spelling; -1 where it has no references."""
        return self.named_images.find(image_id)

    def places(self, images: Integers) -> tuple[Integers, Integers]:
        """Return the places of the captions of some images, one image after the other, and their offsets; none for an
        image of -1."""
        first, lengths = np.append(self.offsets[:-1], 0)[images], np.append(np.diff(self.offsets), 0)[images]
        ends = offsets_of(lengths)
        places = np.arange(ends[-1]) + np.repeat(first - ends[:-1], lengths)
        return places if self.grouping is None else self.grouping[places], ends

    def of_images(self, images: Integers) -> tuple[Sequence[str], Integers]:
        """Return the captions of some images, one image after the other, and their offsets; none for -1."""
        places, offsets = self.places(images)
        if len(places) == len(self.captions) and np.array_equal(places, np.arange(len(places))):
            return self.captions, offsets
        return take(self.captions, places), offsets

    def grouped(self) -> References:
        """Return the same with the captions in the order of their images."""
        if self.grouping is None:
            return self
        return replace(self, captions=take(self.captions, self.grouping), grouping=None)

    def tokenised(self, encode: Encode) -> References:
        """Return the same, grouped, with tokens: what PTB makes of an abbreviation at the end of an image's last
        reference depends on the next image, not on the captions that are scored. They can be sent to other processes.
        """
        given, number = self.grouped(), dict[str, int]()
        return replace(given, tokens=encode(given.captions, number), word_numbers=number, place=None)

    def with_ids(self) -> References:
        """Return the same; an error where images have no ids by which they could be found."""
        if self.ids is None:
            raise InputError(
                "references are found by image id, and there are none",
                source=self.source,
                fix="give image ids on both sides, or put the references into the rows",
            )
        return self

    @cached_property
    def digest(self) -> str:
        """A hash of ids and captions: a stream goes on only with the same references."""
        import hashlib

        found = hashlib.sha256(repr(list(self.ids or ())).encode())
        found.update("\n".join(self.captions).encode("utf-8", "surrogatepass"))
        found.update(np.ascontiguousarray(self.offsets).data)
        return found.hexdigest()
