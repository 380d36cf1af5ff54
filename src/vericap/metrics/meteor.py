"""METEOR 1.5 (Denkowski and Lavie 2014): words and phrases aligned by form, stem, synonym and paraphrase; the
numbers of meteor-1.5.jar as COCO's evaluation calls it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Floats, Ragged, distinct
from vericap.engine.local import in_threads
from vericap.errors import InputError
from vericap.lexicon.kept_matching import KeptMatching
from vericap.lexicon.matching import (
    MODULES,
    STEMMERS,
    KnownWords,
    Link,
    MatchedCaptions,
    function_words,
    normalizer,
    paraphrase_table,
)
from vericap.metrics.base import Metric, Parameter
from vericap.options.declared import Between, option
from vericap.results.explanation import Explanation, Part, word_rows
from vericap.text.meteor_normalizer import NormalizedTokens
from vericap.views import Facts, View, Views

if TYPE_CHECKING:
    from vericap.views.batch import IndexedBatch

Share: TypeAlias = Annotated[float, Between(0, 1)]

BLOCK = 8192  # pairs that are aligned at once: what they need fits the cache
FEW = 1000  # pairs that are done, in 6 ms, about as soon as a second thread would be of use

# Places at which a word of a caption is a word of its reference: each is a candidate for the alignment.
MOST_MATCHES = 4_000_000


@dataclass(frozen=True)
class Parameters:
    """Weights of recall, fragmentation and content words, and of each matcher; a matcher without one is not used."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    exact: float = 1.0
    stem: float | None = None
    synonym: float | None = None
    paraphrase: float | None = None


# Tuned to human rankings of translations, WMT 2009–2013 (Denkowski and Lavie 2014, and the program's defaults).
TUNED = {
    "en": Parameters(0.85, 0.20, 0.60, 0.75, stem=0.6, synonym=0.8, paraphrase=0.6),
    "cs": Parameters(0.95, 0.20, 0.60, 0.80, paraphrase=0.4),
    "de": Parameters(0.95, 1.00, 0.55, 0.55, stem=0.8, paraphrase=0.2),
    "es": Parameters(0.65, 1.30, 0.50, 0.80, stem=0.8, paraphrase=0.6),
    "fr": Parameters(0.90, 1.40, 0.60, 0.65, stem=0.2, paraphrase=0.4),
    "ru": Parameters(0.75, 1.40, 0.70, 0.50, stem=0.5, paraphrase=0.5),
}
LANGUAGE_INDEPENDENT = Parameters(0.75, 1.40, 0.70, 0.50, stem=0.5)
UNIVERSAL = Parameters(0.70, 1.40, 0.30, 0.70, paraphrase=0.6)


@dataclass(frozen=True)
class Matching(View[MatchedCaptions]):
    """Candidates, then references, ready for alignment; see `Meteor` for the choices."""

    language: str
    modules: tuple[str, ...]
    paraphrases: str
    functions: str
    text: str

    def compute(self, views: Views) -> MatchedCaptions:
        return self.match(views.tokens.captions, views.tokens.words, views.workers)

    def from_index(self, batch: IndexedBatch, views: Views) -> MatchedCaptions:
        """Return the samples and the references of a batch: every word is looked up once, and so are the phrases in the
        references of an image."""
        index, key = batch.index, (self, batch.ended)
        known: KeptMatching | None = index.kept.get(key)
        if known is None or known.is_full:
            known = index.kept[key] = KeptMatching(self.normalized(), self.known(), index.vocabulary)
        samples, references = batch.sample_tokens, batch.reference_tokens
        return known.match(samples, batch.samples.new_words, references, batch.images, batch.corpus.reference_offsets)

    def match(self, captions: Ragged, words: Sequence[str], workers: int = 1) -> MatchedCaptions:
        """Return captions of a tokenizer's words."""
        tokens = self.normalized()
        tokens.add(words)
        return MatchedCaptions.of(captions, tokens, self.known(), workers)

    def normalized(self) -> NormalizedTokens:
        """METEOR's tokens, none yet."""
        rules = normalizer(self.language) if self.text == "normalized" else None
        return NormalizedTokens(rules, lower=self.text != "given")

    def known(self) -> KnownWords:
        """Return what the matchers know of words: nothing yet."""
        return KnownWords(self.language, self.modules, self.paraphrases, self.functions)


@dataclass(frozen=True)
class Meteor(Metric):
    r"""METEOR 1.5.

    $$ \mathrm{score} = (1 - \gamma \cdot \mathrm{frag}^\beta) \cdot F_\alpha, \qquad
       F_\alpha = \frac{P R}{\alpha P + (1 - \alpha) R}, \qquad
       \mathrm{frag} = \frac{\mathrm{chunks}}{(m_c + m_r) / 2} $$

    $$ P = \frac{\sum_i w_i (\delta\, m_i(c_\mathrm{content}) + (1 - \delta)\, m_i(c_\mathrm{function}))}
                {\delta |c_\mathrm{content}| + (1 - \delta) |c_\mathrm{function}|} $$

    and R the same of the reference, where matcher i (exact, stem, synonym, paraphrase) covers m_i words and has
    weight w_i. The reference with the highest score counts. The corpus score is the formula on summed statistics.

    A parameter that is None is the language's own. `paraphrases` names a file in METEOR's format for a language whose
    table does not ship. `functions` names a list of function words; without one the original takes English words in
    every language, and so do we, while `functions=own` takes its list for the language. `modules` (as in
    `exact+stem`) leaves matchers out. `text` is what happens to the tokens first: `normalized` by METEOR's own rules
    where it has them for the language (its option -norm), only `lower` case (-lower), or as `given`.

    Statistics [captions, 23] of the best reference: words of caption and reference; function words of both; for
    each matcher content words matched of both, function words matched of both; chunks; words matched of both.

    >>> from vericap.corpus import Corpus
    >>> views = Views(Corpus.from_lists(["a dog runs"], [["some hound is running"]]), tokenizer="whitespace")
    >>> Meteor().statistics(views)[0, [0, 1, 20, 21, 22]].tolist()
    [3.0, 4.0, 1.0, 2.0, 2.0]
    """

    alpha: Share | None = option(None, "Weight of recall against precision; default: the language's.")
    beta: Annotated[float, Between(0, 100)] | None = option(None, "Exponent of fragmentation; default: the language's.")
    gamma: Share | None = option(None, "Largest penalty for fragmentation; default: the language's.")
    delta: Share | None = option(None, "Weight of content words against function words; default: the language's.")
    exact: Share | None = option(None, "Weight of equal words; default: the language's.")
    stem: Share | None = option(None, "Weight of equal stems; default: the language's.")
    synonym: Share | None = option(None, "Weight of synonyms; default: the language's.")
    paraphrase: Share | None = option(None, "Weight of paraphrases; default: the language's.")
    modules: str = option("", "Matchers to use, as in exact+stem; default: the language's.")
    paraphrases: str = option("", "File of paraphrases in METEOR's format; default: the language's table.")
    functions: str = option("", "List of function words: a file, or own for the language's; default: English words.")
    text: Literal["normalized", "lower", "given"] = option("normalized", "How tokens are normalized first.")
    language: str = option("en", "Language of the captions.")

    name: ClassVar[str] = "meteor"
    paper_name: ClassVar[str] = "METEOR"
    summary: ClassVar[str] = "words aligned with a reference by form, stem, synonym, paraphrase"
    summed: ClassVar[bool] = True
    question: ClassVar = "adequacy"
    best_of_references: ClassVar[bool] = True
    uses_threads: ClassVar[bool] = True
    languages: ClassVar[tuple[str, ...]] = ("en",)
    citation: ClassVar[str] = (
        "Denkowski, Lavie. Meteor Universal: language specific translation evaluation for any target language. "
        "WMT 2014."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.modules and (unknown := set(self.modules.split("+")) - set(MODULES)):
            fix = f"join some of {', '.join(MODULES)} by +"
            raise InputError(f"meteor has no matcher {min(unknown)!r}", field="modules", fix=fix)

    @property
    def setting(self) -> Parameters:
        """The parameters in force: the language's own, and those that were given."""
        own = TUNED.get(self.language, UNIVERSAL if self.paraphrases else LANGUAGE_INDEPENDENT)
        if self.language != "en" and not self.paraphrases:
            own = replace(own, paraphrase=None)
        names = ("alpha", "beta", "gamma", "delta", *MODULES)
        given = {name: value for name in names if (value := getattr(self, name)) is not None}
        return replace(own, **given)

    @property
    def used(self) -> tuple[str, ...]:
        """The matchers in use."""
        chosen = self.modules.split("+") if self.modules else MODULES
        english = self.language == "en"
        there = {
            "exact": True,
            "stem": self.language in STEMMERS,
            "synonym": english,
            "paraphrase": english or bool(self.paraphrases),
        }
        return tuple(m for m in MODULES if m in chosen and there[m] and getattr(self.setting, m) is not None)

    def statistics(self, views: Views) -> Floats:
        _refuse_many_matches(views, self.key)
        captions = views.get(self.matching)
        pairs, candidates = views.pairs, len(views.corpus)
        best = np.zeros((candidates, 23))

        def align(first: int, last: int) -> None:
            block = slice(pairs.offsets[first], pairs.offsets[last])
            each = captions.align(pairs.candidate[block], candidates + pairs.reference[block])
            offsets = pairs.offsets[first : last + 1] - pairs.offsets[first]
            chosen = _first_highest(self.score(each), offsets)
            best[first:last][chosen >= 0] = each[chosen[chosen >= 0]]

        # Candidates from where a block of pairs begins to where the next one does; a few pairs are shared out too.
        block = min(BLOCK, max(len(pairs) // views.workers + 1, FEW))
        bounds = np.searchsorted(pairs.offsets, np.arange(0, len(pairs) + block, block)).clip(max=candidates)
        bounds = distinct(bounds).tolist()
        in_threads(align, bounds[:-1], bounds[1:], workers=max(min(views.workers, len(bounds) - 1), 1))
        return best

    def score(self, statistics: Floats | NDArray[np.int32]) -> Floats:
        return _or_zero(self._parts(statistics)[-1])

    def summands(self, statistics: Floats) -> Floats:
        """Return the statistics as a corpus sums them: a perfect caption adds no chunk."""
        statistics = statistics.copy()
        statistics[_is_perfect(statistics), 20] = 0
        return statistics

    def _parts(self, statistics: Floats | NDArray[np.int32]) -> tuple[Floats, ...]:
        """Precision, recall, Fmean, fragmentation, penalty, score of each row; not finite where nothing matches."""
        setting = self.setting
        content, function = setting.delta, 1 - setting.delta  # δ
        columns = statistics.T.astype(np.float64, order="C")
        length, reference_length, functions, reference_functions = columns[:4]
        matched, reference_matched = np.zeros((2, len(statistics)))
        for at, module in enumerate(MODULES):
            weight = getattr(setting, module) or 0.0
            by_module = columns[4 + 4 * at : 8 + 4 * at]
            matched += weight * (by_module[0] * content + by_module[2] * function)
            reference_matched += weight * (by_module[1] * content + by_module[3] * function)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = matched / ((length - functions) * content + functions * function)
            recall = reference_matched / (
                (reference_length - reference_functions) * content + reference_functions * function
            )
            mean = 1 / ((1 - setting.alpha) / precision + setting.alpha / recall)
            fragmentation = columns[20] / ((columns[21] + columns[22]) / 2)
            fragmentation[_is_perfect(statistics)] = 0
            penalty = setting.gamma * fragmentation**setting.beta
            score = mean * (1 - penalty)
        return precision, recall, mean, fragmentation, penalty, np.maximum(score, 0)

    def explain(self, views: Views, i: int) -> Explanation:
        captions = self._of_row(views, i)
        count = len(captions.captions) - 1
        if not count:
            return self.explanation(views, i, 0.0, {})
        each = captions.align(np.zeros(count, np.int64), np.arange(1, count + 1))
        best = int(_first_highest(self.score(each), np.array([0, count]))[0])
        precision, recall, mean, fragmentation, penalty, score = (
            float(_or_zero(part)[best]) for part in self._parts(each)
        )
        links, _ = captions.links(0, best + 1)
        values: dict[str, float | int | str] = {
            "best reference": best + 1,
            "precision": precision,
            "recall": recall,
            "Fmean": mean,
            "chunks": int(each[best, 20]),
            "words matched": f"{each[best, 21]} of {each[best, 0]}, {each[best, 22]} of {each[best, 1]}",
            "fragmentation": fragmentation,
            "penalty": penalty,
        }
        sections = self._sections(captions, links, best + 1)
        drawing = draw_alignment(captions.spell(0), captions.spell(best + 1), links)
        return self.explanation(views, i, score, values, sections, drawing)

    def _sections(self, captions: MatchedCaptions, links: list[Link], best: int) -> dict[str, list[Part]]:
        caption, reference = captions.spell(0), captions.spell(best)
        weights = [self.setting.delta, 1 - self.setting.delta]
        kind = {w: weights[f] for w, f in zip(captions.words, captions.function.tolist(), strict=True)}
        matches, left, reference_left = [], set(range(len(caption))), set(range(len(reference)))
        for chunk, link in zip(_chunk_numbers(links), links, strict=True):
            ours = caption[link.start : link.start + link.words]
            theirs = reference[link.reference_start : link.reference_start + link.reference_words]
            left -= set(range(link.start, link.start + link.words))
            reference_left -= set(range(link.reference_start, link.reference_start + link.reference_words))
            values: dict[str, float | int | str] = {
                "by": link.module,
                "weight": float(getattr(self.setting, link.module)),
                "words": "+".join(f"{kind[word]:g}" for word in ours),
                "reference words": "+".join(f"{kind[word]:g}" for word in theirs),
                "chunk": chunk,
            }
            matches.append(Part(f"{' '.join(ours)} = {' '.join(theirs)}", values))
        found = {"matches": matches}
        for name, words, places in ("", caption, left), (" in the reference", reference, reference_left):
            found[f"not matched{name}"] = [Part(words[j], {"weight": kind[words[j]]}) for j in sorted(places)]
        return found

    def _of_row(self, views: Views, row: int) -> MatchedCaptions:
        """Return one candidate, then its references."""
        tokens = views.tokens
        block = slice(views.pairs.offsets[row], views.pairs.offsets[row + 1])
        few = tokens.captions.take(np.array([row, *(len(views.corpus) + views.pairs.reference[block]).tolist()]))
        ids, numbers = np.unique(few.values, return_inverse=True)
        return self.matching.match(Ragged(numbers.astype(np.int32), few.offsets), tokens.spell(ids))

    @property
    def matching(self) -> Matching:
        """Return how words and phrases are matched."""
        return Matching(self.language, self.used, self.paraphrases, self.functions, self.text)

    def check(self, views: Facts) -> None:
        super().check(views)
        if self.language not in TUNED and self.language not in STEMMERS and not self.paraphrases:
            problem = (
                f"METEOR has neither parameters, nor a stemmer, nor paraphrases for the language {self.language!r}"
            )
            fix = f"use one of {', '.join(sorted({*TUNED, *STEMMERS}))}, or meteor(paraphrases=FILE)"
            raise InputError(problem, field="language", fix=fix)
        if self.functions:
            function_words(self.language, self.functions)
        if self.paraphrases:
            paraphrase_table(self.paraphrases)

    def in_language(self, language: str) -> Meteor:
        return replace(self, language=language)

    def parameters(self) -> dict[str, Parameter]:
        # The language is the evaluation's; it is in the signature, not in the key.
        return {name: value for name, value in super().parameters().items() if name != "language"}

    def signature_parts(self, views: Facts) -> dict[str, Parameter]:
        setting = self.setting
        numbers = {name: getattr(setting, name) for name in ("alpha", "beta", "gamma", "delta")}
        weights = {module: getattr(setting, module) for module in self.used}
        # A language without a normaliser of METEOR's is made lower-case.
        plain = self.text == "normalized" and normalizer(self.language) is None
        return {**numbers, **weights, "text": "lower" if plain else self.text}


def _or_zero(values: Floats) -> Floats:
    """Return the values, 0 where nothing matches."""
    return np.where(np.isfinite(values), values, 0.0)


def _is_perfect(statistics: Floats | NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return whether all words of both match in one chunk: such a caption is not fragmented."""
    captions, references, chunks, matched, reference_matched = statistics[:, [0, 1, 20, 21, 22]].T
    return np.asarray((matched == captions) & (reference_matched == references) & (chunks == 1))


def _first_highest(scores: Floats, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """In each segment the place of the highest score, the first of equals; -1 in an empty one.

    >>> _first_highest(np.array([0.1, 0.4, 0.4, 0.2]), np.array([0, 3, 3, 4])).tolist()
    [1, -1, 3]
    """
    segments = Ragged(scores, offsets)
    best = np.flatnonzero(scores == segments.reduce(np.maximum)[segments.row])
    row = segments.row[best]
    first = np.diff(row, prepend=-1) != 0
    chosen = np.full(len(segments), -1, np.int64)
    chosen[row[first]] = best[first]
    return chosen


def _chunk_numbers(links: list[Link]) -> list[int]:
    """Return the chunk of each link, from 1 on: a chunk ends where the next match does not follow on both sides."""
    ends = ((link.start + link.words, link.reference_start + link.reference_words) for link in links)
    begins = (end != (link.start, link.reference_start) for end, link in zip(ends, links[1:], strict=False))
    return list(accumulate(begins, initial=1))[: len(links)]


def draw_alignment(caption: list[str], reference: list[str], links: list[Link]) -> list[str]:
    """Return two rows of words; a match has its number at its words on both sides, with a sign for its matcher.

    >>> links = [Link(0, 1, 0, 1, "exact"), Link(1, 1, 1, 1, "synonym")]
    >>> print("\\n".join(draw_alignment(["a", "dog"], ["a", "hound"], links)))
    caption    a  dog
               1  2~
               1  2~
    reference  a  hound
    (number alone: exact, ' stem, ~ synonym, * paraphrase)
    """
    signs = {"exact": "", "stem": "'", "synonym": "~", "paraphrase": "*"}
    above, below = [""] * len(caption), [""] * len(reference)
    for number, link in enumerate(links, 1):
        mark = f"{number}{signs[link.module]}"
        above[link.start : link.start + link.words] = [mark] * link.words
        below[link.reference_start : link.reference_start + link.reference_words] = [mark] * link.reference_words
    legend = "(number alone: exact, ' stem, ~ synonym, * paraphrase)"
    return [*word_rows(("caption", caption), ("", above)), *word_rows(("", below), ("reference", reference)), legend]


def _refuse_many_matches(views: Views, key: str) -> None:
    """Raise an error if a candidate and a reference repeat the same words too often to be aligned."""
    captions, pairs, rows = views.tokens.captions, views.pairs, len(views.corpus)
    lengths, candidate, reference = captions.lengths, pairs.candidate, rows + pairs.reference
    for pair in np.flatnonzero(lengths[candidate] * lengths[reference] > MOST_MATCHES).tolist():
        row = int(candidate[pair])
        left, right = captions[row], captions[int(reference[pair])]
        size = int(max(left.max(), right.max())) + 1
        matches = int(np.bincount(left, minlength=size) @ np.bincount(right, minlength=size))
        if matches > MOST_MATCHES:
            raise InputError(
                f"image {views.corpus.image_ids[row]!r}: the caption and a reference share words at {matches:,} "
                f"places, and {key} aligns at most {MOST_MATCHES:,}",
                row=row + 1,
                field="caption",
                fix="shorten it, or leave the metric out",
            )
