"""TER, the translation edit rate (Snover et al. 2006), by the rules of tercom 0.8 as sacreBLEU has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Floats
from vericap.engine.local import in_threads
from vericap.metrics.base import Metric
from vericap.results.explanation import Explanation, Part, word_rows
from vericap.views import Views


@dataclass(frozen=True)
class Ter(Metric):
    r"""Edits that turn a candidate into the reference nearest to it, for each word of a reference.

    $$ \mathrm{TER} = \frac{\min_j \mathrm{edits}(c, s_j)}{\frac1m \sum_j |s_j|} $$

    An edit inserts, deletes or substitutes a word, or shifts a block of up to 10 words by up to 50 places.
    The best shifts are searched greedily, the edit distance within a beam of 25 around the diagonal. Lower is
    better; more edits than words give more than 1.

    Statistics [captions, 2]: edits, mean reference length. The corpus score sums them first. Against nothing
    (no words in any reference, or no reference) it is 1, and 0 if the candidate is empty too.

    >>> from vericap.corpus import Corpus
    >>> views = Views(Corpus.from_lists(["on grass a dog runs"], [["a dog runs on grass", "a dog"]]),
    ...               tokenizer="whitespace")
    >>> Ter().statistics(views).tolist()  # one shift; (5 + 2) / 2 words
    [[1.0, 3.5]]
    """

    name: ClassVar[str] = "ter"
    paper_name: ClassVar[str] = "TER"
    summary: ClassVar[str] = "edits that make the caption its nearest reference, per word"
    summed: ClassVar[bool] = True
    question: ClassVar = "adequacy"
    served: ClassVar[bool] = True
    range: ClassVar = (0.0, None)
    higher_is_better: ClassVar[bool] = False
    citation: ClassVar[str] = (
        "Snover, Dorr, Schwartz, Micciulla, Makhoul. A study of translation edit rate with targeted human "
        "annotation. AMTA 2006."
    )

    def statistics(self, views: Views) -> Floats:
        from vericap.kernels.edits import best_edits

        words, corpus, pairs = views.words, views.corpus, views.pairs
        first = corpus.reference_offsets[corpus.image]
        last = corpus.reference_offsets[corpus.image + 1]

        def edits(rows: NDArray[np.int64]) -> NDArray[np.int64]:
            return best_edits(
                words.candidates.values,
                words.candidates.offsets[rows[0] : rows[-1] + 2],
                words.references.values,
                words.references.offsets,
                first[rows],
                last[rows],
                len(words.words),
            )

        parts = [part for part in np.array_split(np.arange(len(corpus)), views.workers) if len(part)]
        best = np.concatenate([np.zeros(0, np.int64), *in_threads(edits, parts, workers=views.workers)])
        reference_words = pairs.sum_by_candidate(words.references.lengths[pairs.reference].astype(np.float64))
        return np.column_stack([best, reference_words / np.maximum(last - first, 1)]).astype(np.float64)

    def score(self, statistics: Floats) -> Floats:
        edits, length = statistics.T
        return np.asarray(np.where(length > 0, edits / np.where(length > 0, length, 1), edits > 0))

    def explain(self, views: Views, i: int) -> Explanation:
        words, references = views.words, views.corpus.references_of(i)
        candidate = words.spell(words.candidates[i])
        first = int(views.corpus.reference_offsets[views.corpus.image[i]])
        spelled = [words.spell(words.references[first + j]) for j in range(len(references))]
        scripts = [Script.between(candidate, reference) for reference in spelled or [[]]]
        best = min(range(len(scripts)), key=lambda j: scripts[j].edits)
        script = scripts[best]
        length = sum(map(len, spelled)) / max(len(spelled), 1)
        values: dict[str, float | int | str] = {"edits": script.edits, "shifts": len(script.shifts)}
        for edit in ("substitute", "insert", "delete", "match"):
            values[f"words to {edit}" if edit != "match" else "words that match"] = sum(
                step[0] == edit for step in script.steps
            )
        values["reference"] = f"{best + 1} of {len(references)}" if references else "none"
        values["mean reference length"] = length
        sections = {
            "shifts": [
                Part(" ".join(shift.block), {"from word": shift.start + 1, "by": shift.to - shift.start})
                for shift in script.shifts
            ],
            "edits": [
                Part(" → ".join(dict.fromkeys(filter(None, [ours, theirs]))), {"edit": edit})
                for edit, ours, theirs in script.steps
            ],
        }
        score = self.score(np.array([[script.edits, length]]))[0]
        return self.explanation(views, i, score, values, sections, script.draw(candidate))


@dataclass(frozen=True)
class Shift:
    """A block of words that moves from one place to another, in a caption of this many words."""

    block: list[str]
    start: int
    to: int
    after: list[str]


@dataclass(frozen=True)
class Script:
    """The steps from a candidate to a reference: shifts first, then an edit, or none, for each word.

    >>> script = Script.between("on grass a dog runs".split(), "the dog runs on grass".split())
    >>> print("\\n".join(script.draw("on grass a dog runs".split())))
    candidate  [on grass] a dog runs
    shift 1    a dog runs [on grass]
    <BLANKLINE>
    candidate  a    dog  runs  on  grass
    edit       sub
    reference  the  dog  runs  on  grass
    """

    shifts: list[Shift]
    steps: list[tuple[str, str, str]]  # edit, word of the shifted candidate, word of the reference

    @property
    def edits(self) -> int:
        return len(self.shifts) + sum(step[0] != "match" for step in self.steps)

    @classmethod
    def between(cls, candidate: list[str], reference: list[str]) -> Script:
        from vericap.kernels.edits import edit_script

        number = {word: k for k, word in enumerate(dict.fromkeys(candidate + reference))}
        moves, alignment = edit_script([number[w] for w in candidate], [number[w] for w in reference])
        words, shifts = candidate, list[Shift]()
        for start, length, to in moves:
            block, rest = words[start : start + length], words[:start] + words[start + length :]
            words = rest[:to] + block + rest[to:]
            shifts.append(Shift(block, start, to, words))
        steps = []
        for i, j in alignment:
            ours, theirs = words[i] if i >= 0 else "", reference[j] if j >= 0 else ""
            edit = "insert" if i < 0 else "delete" if j < 0 else "match" if ours == theirs else "substitute"
            steps.append((edit, ours, theirs))
        return cls(shifts, steps)

    def draw(self, candidate: list[str]) -> list[str]:
        """Lines for a fixed-width screen: the shifts in brackets, then both captions word under word."""
        lines = []
        for number, shift in enumerate(self.shifts, 1):
            if number == 1:
                lines.append(f"candidate  {_mark(candidate, shift.start, len(shift.block))}")
            lines.append(f"shift {number:<4} {_mark(shift.after, shift.to, len(shift.block))}")
        signs = {"match": "", "substitute": "sub", "insert": "ins", "delete": "del"}
        edits, ours, theirs = ([step[k] for step in self.steps] for k in range(3))
        rows = word_rows(("candidate", ours), ("edit", [signs[edit] for edit in edits]), ("reference", theirs))
        return [*lines, *([""] if lines else []), *rows]


def _mark(words: list[str], start: int, length: int) -> str:
    end = start + length
    return " ".join([*words[:start], f"[{' '.join(words[start:end])}]", *words[end:]])
