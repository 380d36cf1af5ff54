"""References of a file, found by image id: tokenised once, shared by all batches and all workers."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from vericap.arrays import Integers, Ragged, offsets_of
from vericap.corpus import ImageId, canonical
from vericap.errors import InputError
from vericap.readers import read_references
from vericap.readers.messages import shown
from vericap.text.tokenizers import encode_sides, tokenizer


@dataclass(frozen=True, eq=False)
class ReferenceSet:
    """The references of each image, `captions[offsets[i]:offsets[i + 1]]`, and their tokens.

    They are tokenised in the order of the file, image after image: what PTB makes of an abbreviation at the end of an
    image's last reference depends on the next image of the file, not on the captions that are scored.

    >>> given = ReferenceSet.read({"a.jpg": ["one dog", "dogs"], "7": ["a cat"]}, "whitespace")
    >>> given.find("a"), given.find(7), given.find("b")
    (0, 1, -1)
    """

    source: str
    captions: list[str]
    offsets: Integers
    tokens: Ragged
    vocabulary: dict[str, int]
    index: dict[ImageId, int]
    aliases: Mapping[str, ImageId] = field(default_factory=dict)

    @classmethod
    def read(
        cls,
        source: Any,
        by: str,
        columns: Mapping[str, str] | None = None,
        *,
        split: str | None = None,
        workers: int = 1,
    ) -> ReferenceSet:
        """The references of a file or an object with image ids, tokenised."""
        given = read_references(source, columns=columns, split=split)
        if given.ids is None:
            raise InputError(
                "the references of a stream are found by image id, and there are none",
                source=given.source,
                fix="give image ids on both sides, or put the references into the rows",
            )
        captions, offsets = given.of_images(np.arange(given.images))
        vocabulary: dict[str, int] = {}
        tokens = encode_sides(tokenizer(by), [captions], vocabulary, workers)
        index = {image_id: image for image, image_id in enumerate(given.ids)}
        return cls(given.source, list(captions), offsets, tokens, vocabulary, index, given.aliases)

    def find(self, image_id: ImageId) -> int:
        """The image of an id: the same id, a file name that belongs to one, or another spelling; -1 where it has none.

        An id that may be either of two images is an error.
        """
        image = self.index.get(image_id, -1)
        if image >= 0:
            return image
        if isinstance(image_id, str) and (other := self.aliases.get(image_id)) is not None and other in self.index:
            return self.index[other]
        found = sorted(self._spellings.get(canonical(image_id), ()))
        if len(found) > 1:
            ids = list(self.index)
            raise InputError(
                f"image {shown(image_id)} may be {shown(ids[found[0]])} or {shown(ids[found[1]])} of {self.source}",
                fix="write image ids in the same way on both sides",
            )
        return found[0] if found else -1

    @cached_property
    def _spellings(self) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {}
        names = {name: self.index[other] for name, other in self.aliases.items() if other in self.index}
        for name, image in [*self.index.items(), *names.items()]:
            found.setdefault(canonical(name), set()).add(image)
        return found

    def of_images(self, images: Integers) -> tuple[list[str], Ragged, Integers]:
        """Captions, tokens and offsets of the references of some images, one image after the other; none for -1."""
        known = images >= 0
        first = np.where(known, self.offsets[:-1][images], 0)
        lengths = np.where(known, np.diff(self.offsets)[images], 0)
        ends = offsets_of(lengths)
        places = np.arange(ends[-1]) + np.repeat(first - ends[:-1], lengths)
        return [self.captions[i] for i in places.tolist()], self.tokens.take(places), ends

    @cached_property
    def digest(self) -> str:
        """A hash of ids and captions: a stream goes on only with the same references."""
        found = hashlib.sha256(repr(list(self.index)).encode())
        found.update("\n".join(self.captions).encode("utf-8", "surrogatepass"))
        found.update(np.ascontiguousarray(self.offsets).data)
        return found.hexdigest()
