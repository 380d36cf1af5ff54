"""ROUGE-L as COCO's evaluation computes it (Lin 2004): the longest common subsequence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from vericap.arrays import Floats
from vericap.engine.local import in_threads
from vericap.kernels.subsequences import common_lengths
from vericap.metrics.base import Metric
from vericap.options.declared import Between, option
from vericap.views import Views

if TYPE_CHECKING:
    from vericap.results.explanation import Explanation


@dataclass(frozen=True)
class RougeL(Metric):
    r"""ROUGE-L with beta = 1.2.

    $$ F = \frac{(1 + \beta^2) P R}{R + \beta^2 P}, \qquad
       P = \max_j \frac{\mathrm{LCS}(c, s_j)}{|c|}, \quad R = \max_j \frac{\mathrm{LCS}(c, s_j)}{|s_j|} $$

    COCO takes the best precision and the best recall over the references independently of each other.
    Statistics [captions, 2]: P and R.

    >>> from vericap.corpus import Corpus
    >>> views = Views(Corpus.from_lists(["a dog runs"], [["a dog", "the dog runs"]]), tokenizer="whitespace")
    >>> RougeL().statistics(views).round(3).tolist()
    [[0.667, 1.0]]
    """

    beta: Annotated[float, Between(0, 1e6)] = option(1.2, "Weight of recall against precision.")

    name: ClassVar[str] = "rouge-l"
    paper_name: ClassVar[str] = "ROUGE-L"
    summary: ClassVar[str] = "longest common sequence of words with a reference"
    question: ClassVar = "adequacy"
    citation: ClassVar[str] = "Lin. ROUGE: a package for automatic evaluation of summaries. ACL workshop 2004."

    def statistics(self, views: Views) -> Floats:
        pairs, tokens = views.pairs, views.tokens
        common = common_subsequence_lengths(views)
        # The original splits an empty caption into one empty word.
        length = np.maximum(tokens.candidates.lengths, 1)[pairs.candidate]
        reference_length = np.maximum(tokens.references.lengths, 1)[pairs.reference]
        return np.column_stack(
            [pairs.max_by_candidate(common / length), pairs.max_by_candidate(common / reference_length)]
        )

    def score(self, statistics: Floats) -> Floats:
        precision, recall = statistics.T
        beta2 = self.beta**2
        return np.asarray((1 + beta2) * precision * recall / np.maximum(recall + beta2 * precision, 1e-300))

    def explain(self, views: Views, i: int) -> Explanation:
        statistics = self.statistics(views)[i : i + 1]
        pairs, tokens = views.pairs, views.tokens
        words = tokens.spell(tokens.candidates[i])
        values: dict[str, float | int | str] = {}
        for number, pair in enumerate(range(pairs.offsets[i], pairs.offsets[i + 1]), 1):
            reference = tokens.spell(tokens.references[int(pairs.reference[pair])])
            shared = common_subsequence(words, reference)
            values[f"reference {number}"] = (
                f"{' '.join(shared) or '(nothing)'}  [{len(shared)} of {len(words)}, of {len(reference)}]"
            )
        values["best precision"], values["best recall"] = statistics[0].tolist()
        return self.explanation(views, i, self.score(statistics)[0], values)


def common_subsequence_lengths(views: Views) -> Floats:
    """Return the length of the longest common subsequence of every (candidate, reference) pair."""
    tokens, pairs, rows = views.tokens, views.pairs, len(views.corpus)
    cuts = [rows * share // views.workers for share in range(views.workers + 1)]

    def of_rows(first: int, last: int) -> Floats:
        candidates = tokens.candidates.window(first, last)
        return common_lengths(
            candidates, tokens.references, pairs.offsets[first : last + 1], pairs.reference, len(tokens.words)
        )

    lengths = np.concatenate(in_threads(of_rows, cuts[:-1], cuts[1:], workers=views.workers))
    long = np.flatnonzero(lengths < 0)  # pairs whose candidate has more than 64 words
    if len(long):
        from rapidfuzz.distance import LCSseq

        candidate, reference = pairs.candidate[long].tolist(), pairs.reference[long].tolist()
        lengths[long] = [
            LCSseq.similarity(tokens.candidates[c].tolist(), tokens.references[r].tolist())
            for c, r in zip(candidate, reference, strict=True)
        ]
    return lengths


def common_subsequence(words: list[str], reference: list[str]) -> list[str]:
    """Return one longest common subsequence.

    >>> common_subsequence("a dog runs on grass".split(), "the dog lies on grass".split())
    ['dog', 'on', 'grass']
    """
    from rapidfuzz.distance import LCSseq

    return [
        word
        for step in LCSseq.opcodes(words, reference)
        if step.tag == "equal"
        for word in words[step.src_start : step.src_end]
    ]
