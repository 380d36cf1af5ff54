"""METEOR's matches from batch to batch: every word is looked up once, and so are the phrases in the references of an
image."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple

import numpy as np

from vericap.arrays import Integers, Ragged, gather
from vericap.kernels.phrases import Occurrences, Phrases
from vericap.lexicon.matching import KnownWords, MatchedCaptions
from vericap.text.meteor_normalizer import NormalizedTokens

KEPT_IMAGES = 20_000  # references of about 3 KB each; an image beyond that is looked up again whenever it comes up
NEW_WORDS = 65_536  # words of samples that the index does not have; with more, all is looked up again


class _Side(NamedTuple):
    """Captions of METEOR's tokens, and where phrases occur in them; None without a table of paraphrases."""

    captions: Ragged
    phrases: Occurrences | None


class KeptMatching:
    """METEOR's look-ups for one index of references: its vocabulary, later the words and the images of batches.
    Words keep their numbers; several threads may ask."""

    def __init__(self, tokens: NormalizedTokens, known: KnownWords, vocabulary: Sequence[str]) -> None:
        self._tokens, self._known = tokens, known
        self._tokens.add(vocabulary)
        self._size = len(vocabulary)
        self._new: dict[str, int] = {}
        self._images: dict[int, _Side] = {}
        self._lock = Lock()

    @property
    def is_full(self) -> bool:
        """Return whether samples had more different words than are kept."""
        return len(self._new) > NEW_WORDS

    def match(
        self, samples: Ragged, new_words: Sequence[str], references: Ragged, images: Integers, offsets: Integers
    ) -> MatchedCaptions:
        """Return samples, then references: those of image i of the index, `images[k]`, are
        `offsets[k]:offsets[k + 1]` of `references`. Words beyond the index's vocabulary are `new_words`."""
        with self._lock:
            sides = [self._side(self._numbered(samples, new_words)), *self._of_images(references, images, offsets)]
            captions = Ragged.join([side.captions for side in sides])
            matched = MatchedCaptions(captions, self._known, Phrases.none(len(captions)))
        found = [side.phrases for side in sides if side.phrases is not None]
        if self._known.table is not None:
            matched.phrases = self._known.table.relate(Occurrences.join(found))
        return matched

    def _numbered(self, samples: Ragged, new_words: Sequence[str]) -> Ragged:
        """Return samples whose new words have the numbers that they got when they first came."""
        if not new_words:
            return samples
        unseen = [word for word in new_words if word not in self._new]
        for word in unseen:
            self._new[word] = self._size + len(self._new)
        self._tokens.add(unseen)
        numbers = np.array([self._new[word] for word in new_words], np.int32)
        values = samples.values.copy()
        new = values >= self._size
        values[new] = numbers[values[new] - self._size]
        return Ragged(values, samples.offsets)

    def _side(self, captions: Ragged) -> _Side:
        rows = self._tokens.rows(captions)
        if len(self._tokens.number) > len(self._known.words):
            self._known.add(list(self._tokens.number)[len(self._known.words) :])
        return _Side(rows, self._known.find_phrases(rows))

    def _of_images(self, references: Ragged, images: Integers, offsets: Integers) -> list[_Side]:
        known = self._images
        new = [place for place, image in enumerate(images.tolist()) if image not in known]
        found = {}
        if new:
            rows, ends = gather(offsets, np.array(new, np.int64))
            captions, phrases = self._side(references.take(rows))
            for at, place in enumerate(new):
                first, last = int(ends[at]), int(ends[at + 1])
                found[place] = _Side(
                    captions.window(first, last), None if phrases is None else phrases.window(first, last)
                )
                if len(known) < KEPT_IMAGES:
                    known[int(images[place])] = found[place]
        return [found[place] if place in found else known[image] for place, image in enumerate(images.tolist())]
