"""Are the captions in the language that the metrics take them for? What a run says when they seem not to be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np

from vericap.metrics.base import Metric
from vericap.views import Views

# Scripts without spaces between words: Thai, Lao, Myanmar, Khmer, kana, CJK ideographs.
_UNSPACED = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
_LONG = 6  # letters; a token of these scripts that is longer on average is a phrase, not a word
_SEEN = 2_000  # captions that are looked at
_ENOUGH = 10  # words; the language of fewer is unknown


def language_notes(views: Views, metrics: Iterable[Metric]) -> Iterator[str]:
    """Return notes on the language of the captions.

    >>> from vericap.corpus import Corpus
    >>> list(language_notes(Views(Corpus.from_lists(["\u4e00\u53ea\u68d5\u8272\u7684\u72d7\u5728\u8349\u5730"])), []))
    ['the captions are in a script without spaces, which the tokenizer ptb does not split into words; choose ...']
    """
    tokens = views.tokens
    seen = tokens.captions.values[: tokens.captions.offsets[min(len(views.corpus), _SEEN)]]
    counts = np.bincount(seen, minlength=len(tokens.words))
    used = {tokens.words[i]: int(counts[i]) for i in np.flatnonzero(counts).tolist()}
    total = sum(used.values())
    if not total:
        return
    unspaced = {word: number for word, number in used.items() if not word.isascii() and re.search(_UNSPACED, word)}
    letters = sum(len(word) * number for word, number in unspaced.items())
    if 2 * sum(unspaced.values()) > total and letters > _LONG * sum(unspaced.values()) and views.tokenizer != "none":
        yield (
            f"the captions are in a script without spaces, which the tokenizer {views.tokenizer} does not split into "
            "words; choose --tokenizer unicode, or give words with spaces between them"
        )
    english = [metric.key for metric in metrics if metric.knows("en")]
    if english and views.language == "en":
        words = {word: number for word, number in used.items() if any(map(str.isalpha, word))}
        number = sum(words.values())
        if number >= _ENOUGH and (share := _known(words) / number) < 0.5:
            yield (
                f"the captions are taken for English by {', '.join(english)}, but only {share:.0%} of their words are "
                "in the lexicon of English captions; if they are in another language, say which: --language CODE"
            )


def _known(words: dict[str, int]) -> int:
    """Return the share of the words that the caption parser knows: its list of them is small, its network is not."""
    import orjson

    import vericap.data

    about = orjson.loads((vericap.data.FOLDER / "parser" / "parser.json").read_bytes())
    lexicon = frozenset(about["words"])
    return sum(number for word, number in words.items() if word.lower() in lexicon)
