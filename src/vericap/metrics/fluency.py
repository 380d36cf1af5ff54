"""Fluency: how likely a caption's words are, one after the other, to a language model of captions; no references."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from vericap.arrays import Floats, rows_of
from vericap.errors import InputError
from vericap.lexicon.frequencies import AS_GIVEN
from vericap.lexicon.language_model import COCO, END, LanguageModel, WordProbabilities, load
from vericap.metrics.base import Metric, Parameter, total
from vericap.options.declared import option
from vericap.results.explanation import Explanation, Part
from vericap.views import Facts, View, Views


@dataclass(frozen=True)
class Fluency(Metric):
    r"""The mean probability of a caption's words $w_1 … w_N$ and of its end $w_{N+1}$, geometric, so that it is one
    over the perplexity; it has the form of VIFIDEL and of WMD's similarity, exp(−cost), and nothing to tune:

    $$ \mathrm{fluency} = \exp \frac{1}{N + 1} \sum_{i=1}^{N+1} \log p(w_i \mid w_1 … w_{i-1}) $$

    Rare words cost as much as bad grammar. `scale=slor` forgives them: it takes each word's probability over what the
    word has without context (the syntactic log-odds ratio of Pauls and Klein 2012), and maps that by the logistic
    function: 1/2 is a caption to which order and company of its words mean nothing.

    $$ \mathrm{fluency}_\mathrm{slor} = \sigma\Big(\frac{1}{N + 1} \sum_i \log
       \frac{p(w_i \mid w_1 … w_{i-1})}{p(w_i)}\Big) $$

    `model` is an n-gram model's file or the folder of a recurrent one, as `vericap train language-model` makes them;
    without it, the 5-gram model that ships. The corpus score is the mean; `details` gives the corpus's perplexity.

    Statistics [captions, 3]: sum of log p(w | before), sum of log p(w), words and ends.

    >>> from vericap.corpus import Corpus
    >>> views = Views(Corpus.from_lists(["a man riding a wave on a surfboard", "a man man riding wave a"]))
    >>> Fluency().score(Fluency().statistics(views)).round(2).tolist()
    [0.37, 0.0]
    """

    model: str = option("", "File or folder of a language model; default: the one that ships.")
    scale: Literal["probability", "slor"] = option("probability", "Probability per word, or SLOR.")

    name: ClassVar[str] = "fluency"
    summary: ClassVar[str] = "how likely its words are, one after the other"
    question: ClassVar = "fluency"
    served: ClassVar[bool] = True
    languages: ClassVar[tuple[str, ...]] = ("en",)
    needs: ClassVar[tuple[str, ...]] = ()
    reads_references: ClassVar[bool] = False
    citation: ClassVar[str] = (
        "Chen, Goodman. An empirical study of smoothing techniques for language modeling. Computer Speech and "
        "Language 1999."
    )

    def statistics(self, views: Views) -> Floats:
        found = self._probabilities(views)
        lengths = np.diff(found.offsets)
        rows = rows_of(lengths)
        in_context, alone = (np.bincount(rows, logs, len(lengths)) for logs in (found.in_context, found.alone))
        return np.column_stack([in_context, alone, lengths])

    def score(self, statistics: Floats) -> Floats:
        in_context, alone, words = statistics.T
        if self.scale == "slor":
            return np.asarray(1 / (1 + np.exp((alone - in_context) / words)))
        probability: Floats = np.exp(in_context / words)
        return probability

    def details(self, statistics: Floats) -> dict[str, Any]:
        """Perplexity of the whole corpus."""
        in_context, _, words = total(statistics, None)
        return {"perplexity": float(np.exp(-in_context / words))} if words else {}

    def check(self, views: Facts) -> None:
        super().check(views)
        model = language_model(self.model)
        if model.language != views.language:
            problem = f"{self.key} has a model of captions in {model.language!r}, and --language is {views.language!r}"
            fix = "train a model on captions of that language: vericap train language-model"
            raise InputError(problem, field="language", fix=fix)
        if model.tokenizer != views.tokenizer and views.tokenizer not in AS_GIVEN:
            problem = f"{self.key} has a model of words by {model.tokenizer}, and --tokenizer is {views.tokenizer}"
            fix = f"use --tokenizer {model.tokenizer}, or train a model with --tokenizer {views.tokenizer}"
            raise InputError(problem, field="tokenizer", fix=fix)

    def signature_parts(self, views: Facts) -> dict[str, Parameter]:
        return {"model": language_model(self.model).source, "scale": self.scale}

    def explain(self, views: Views, i: int) -> Explanation:
        model, found = language_model(self.model), self._probabilities(views)
        words = views.words.spell(views.words.candidates[i])
        own = slice(*found.offsets[i : i + 2].tolist())
        in_context, alone = found.in_context[own], found.alone[own]
        # A word surprises where the words before it make it less likely, not more.
        surprising = [
            Part(
                word,
                {
                    "probability": _short(in_context[at]),
                    "after": " ".join(words[max(0, at - 4) : at]) or "the start",
                    "expected": ", ".join(f"{w} {p:.2f}" for w, p in model.expected(words[:at], 3)),
                },
            )
            for at, word in enumerate([*words, END])
            if in_context[at] < alone[at]
        ]
        each = [
            Part(word, {"probability": _short(p), "bits": f"{-p / np.log(2):.1f}"})
            for word, p in zip([*words, END], in_context.tolist(), strict=True)
        ]
        values: dict[str, float | int | str] = {
            "perplexity": float(np.exp(-in_context.mean())),
            "log odds of context over none": float((in_context - alone).mean()),
        }
        score = self.score(self.statistics(views)[i : i + 1])[0]
        return self.explanation(views, i, score, values, {"words": each, "surprising words": surprising})

    def _probabilities(self, views: Views) -> WordProbabilities:
        return views.get(_WordProbabilities(self.model))


@dataclass(frozen=True)
class _WordProbabilities(View[WordProbabilities]):
    """The probability of each word of the candidates, in context and alone."""

    model: str

    def compute(self, views: Views) -> WordProbabilities:
        words = views.words
        return language_model(self.model).probabilities(words.candidates, words.words)


@lru_cache(maxsize=4)
def language_model(path: str) -> LanguageModel:
    """Return the model of a file or folder; the one that ships for an empty path."""
    if not path or not Path(path).is_dir():
        return load(path or COCO)
    try:
        from vericap.lexicon.recurrent import load as load_recurrent
    except ImportError:
        raise InputError(
            "the model is a recurrent one, and torch or safetensors is not installed",
            source=path,
            fix="pip install 'vericap[neural]'",
        ) from None
    return load_recurrent(path)


def _short(log_probability: float) -> str:
    return f"{np.exp(log_probability):.2g}"
