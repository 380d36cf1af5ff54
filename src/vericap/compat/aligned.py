"""Captions and references as lists side by side, as the harnesses hand them over, measured by our engine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from vericap.corpus import Corpus
from vericap.errors import InputError, not_a_set
from vericap.lexicon.frequencies import DocumentFrequencies, resolve
from vericap.run.measure import Measured, measure
from vericap.run.selection import MetricChoice
from vericap.views import Views


def measured(
    captions: Sequence[str],
    references: Sequence[Sequence[str] | str],
    metrics: MetricChoice,
    *,
    df: Any = "corpus",
    tokenizer: str = "ptb",
    language: str = "en",
) -> Measured:
    """Return the scores of captions, each with its own references, by every metric asked for.

    >>> measured(["a dog"], [["a dog", "the dog"]], "bleu-1")["bleu-1"].scores.round(6).tolist()
    [1.0]
    """
    given = [[each] if isinstance(each, str) else list(each) for each in not_a_set(references, "references")]
    for row, (caption, wanted) in enumerate(zip(not_a_set(captions, "captions"), given, strict=False)):
        if not isinstance(caption, str) or not all(isinstance(each, str) for each in wanted):
            raise InputError("a caption or a reference is not a string", row=row, fix="give strings")
        if not wanted:
            raise InputError("the caption has no references", row=row, fix="give at least one")
    corpus = Corpus.from_lists(list(captions), given)
    views = Views(corpus, tokenizer=tokenizer, language=language, frequencies=frequencies(df, tokenizer, language))
    return measure(views, metrics)


def frequencies(df: Any, tokenizer: str = "ptb", language: str = "en") -> DocumentFrequencies | None:
    """Return the table that `df` names, read once; None for the frequencies of each call's own references."""
    return _named(df, tokenizer, language) if isinstance(df, str) else resolve(df, tokenizer, language)


@lru_cache(maxsize=4)  # a harness asks for every batch
def _named(df: str, tokenizer: str, language: str) -> DocumentFrequencies | None:
    return resolve(df, tokenizer, language)
