"""Facts about captions that are known before one of them is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from vericap.corpus import Corpus, ImageId

if TYPE_CHECKING:
    from vericap.lexicon.frequencies import DocumentFrequencies


@dataclass(frozen=True)
class CorpusSize:
    """The numbers of a corpus that never is in memory as a whole; `reference_counts` are the fewest and the most
    references of an image. It has no pictures."""

    captions: int = 0
    images: int = 0
    reference_counts: tuple[int, int] = (0, 0)
    image_ids: ClassVar[tuple[ImageId, ...]] = ()
    objects: ClassVar[None] = None
    regions: ClassVar[None] = None
    pictures: ClassVar[None] = None
    has_objects: ClassVar[bool] = False
    has_regions: ClassVar[bool] = False
    has_pictures: ClassVar[bool] = False

    def __len__(self) -> int:
        return self.captions

    @property
    def has_references(self) -> bool:
        return self.images > 0


@dataclass(eq=False)
class Facts:
    """All that a metric asks to check its needs and to write its signature. `Views` know more: the captions.

    `frequencies` None: document frequencies of the corpus's own references.

    >>> from vericap.metrics import parse
    >>> parse("cider-d").signature(Facts(CorpusSize(captions=9, images=7, reference_counts=(4, 5))))
    'metric:cider-d|version:...|tokenizer:ptb|language:en|references:4-5|n:4|...|df:corpus|documents:7'
    """

    corpus: Corpus | CorpusSize
    tokenizer: str = "ptb"
    language: str = "en"
    frequencies: DocumentFrequencies | None = None
    notes: tuple[str, ...] = ()

    def note(self, text: str) -> None:
        """Add something that every result of this run has to say about how it was made."""
        if text not in self.notes:
            self.notes = (*self.notes, text)
