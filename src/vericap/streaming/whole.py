"""The corpus that a stream goes through, without its captions: enough to choose metrics and to write signatures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.lexicon.frequencies import DocumentFrequencies
from vericap.metrics.base import Metric
from vericap.options.settings import Settings
from vericap.run.selection import MetricChoice, Selection, select
from vericap.views import Views


@dataclass(frozen=True, eq=False)
class WholeCorpus(Corpus):
    """A corpus of which only numbers are known: captions, images, and the references of an image."""

    captions: int = 0
    documents: int = 0

    def __len__(self) -> int:
        return self.captions

    @property
    def images(self) -> int:
        return self.documents


def whole_views(
    settings: Settings,
    frequencies: DocumentFrequencies | None,
    *,
    captions: int = 0,
    documents: int = 0,
    fewest: int | None = None,
    most: int | None = None,
) -> Views:
    """The views of a whole stream, of which metrics may ask everything but its captions.

    >>> from vericap.metrics import parse
    >>> parse("cider-d").signature(whole_views(Settings(), None, captions=9, documents=7, fewest=4, most=5))
    'metric:cider-d|version:...|tokenizer:ptb|language:en|references:4-5|n:4|...|df:corpus|documents:7'
    """
    low, high = fewest or 0, most or 0
    corpus = WholeCorpus(
        (), (), np.zeros(0, np.int64), [""] * (low + high), np.array([0, low, low + high]), captions=captions,
        documents=documents,
    )  # fmt: skip
    return Views(corpus, tokenizer=settings.tokenizer, language=settings.language, frequencies=frequencies)


def select_for_stream(metrics: MetricChoice, views: Views) -> Selection:
    """The metrics asked for that a stream can compute; for one that needs all captions at once, an error says so."""
    selection = select(metrics, views)
    for metric in selection.metrics:
        if not metric.adds_up:
            raise InputError(
                f"{metric.key} needs all captions at once, so a stream cannot compute it",
                field="metrics",
                fix="leave it out, or score without --stream",
            )
    return selection


def frequency_order(metrics: tuple[Metric, ...]) -> int:
    """The longest n-grams whose document frequencies are asked for; 0 where none are.

    >>> from vericap.metrics import parse
    >>> frequency_order((parse("bleu-4"),)), frequency_order((parse("mean(spice,cider-d(n=3))"),))
    (0, 3)
    """
    return max((metric.frequency_order() for metric in metrics), default=0)
