"""The rows of the input with the scores of their captions, as `vericap score --output` writes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vericap.corpus import Corpus
from vericap.options.row_filter import passing
from vericap.results.scores import Result


@dataclass(frozen=True)
class ScoreRows:
    """Columns of equal length, those of the input first; `notes` say what was done to them."""

    columns: dict[str, list[Any]]
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), []))

    def keep(self, expression: str, find: Callable[[str], str] = str) -> ScoreRows:
        """Return the rows that pass an expression such as `vifidel > .4 and fluency > .01`.

        >>> ScoreRows({"x": [1, 2, 3]}).keep("x > 1").columns
        {'x': [2, 3]}
        """
        kept = np.flatnonzero(passing(expression, self.columns, find)).tolist()
        columns = {name: [column[row] for row in kept] for name, column in self.columns.items()}
        return ScoreRows(columns, (*self.notes, f"{len(kept):,} of {len(self):,} rows pass {expression}"))


def score_rows(result: Result) -> ScoreRows:
    """Return the columns that the corpus kept, or image id and caption if it kept none, and one column per metric. A
    score that does not exist is None.

    >>> import vericap
    >>> score_rows(vericap.evaluate({7: "a dog"}, {7: ["a dog"]}, metrics="rouge-l")).columns
    {'image_id': [7], 'caption': ['a dog'], 'rouge-l': [1.0]}
    """
    corpus = result.corpus
    own = _named(corpus)
    if not own:
        own = {"image_id": corpus.image_ids, "caption": corpus.candidates}
    scores = dict(zip(result, result.score_columns(), strict=True))
    replaced = [name for name in own if name in scores]
    notes = [f"the column {name} of the input is replaced by the new scores" for name in replaced]
    kept = {name: list(column) for name, column in own.items() if name not in scores}
    return ScoreRows({**kept, **scores}, tuple(notes))


def _named(corpus: Corpus) -> dict[str, Sequence[Any]]:
    """Return the columns of the input. A row that is not in the input (an image without a caption, counted as an empty
    one) gets its image id and caption in the columns that hold them."""
    columns: dict[str, Sequence[Any]] = {**corpus.fields}
    added = {row for row in range(len(corpus)) if all(column[row] is None for column in columns.values())}
    if not added:
        return columns
    given = [row for row in range(len(corpus)) if row not in added]
    for name, column in columns.items():
        for known in (corpus.image_ids, corpus.candidates):
            if given and all(column[row] == known[row] for row in given):
                columns[name] = [known[row] if row in added else value for row, value in enumerate(column)]
    return columns


def ordered_rows(result: Result, key: str, *, best: bool = False) -> list[int]:
    """Return rows from the worst score to the best, or the other way round; those without a score are left out.

    >>> import vericap
    >>> given = {1: "a cat", 2: "a dog runs"}
    >>> ordered_rows(vericap.evaluate(given, dict.fromkeys(given, ["a dog runs"]), metrics="ter"), "ter")
    [0, 1]
    """
    metric = result[key]
    upwards = metric.captions if metric.higher_is_better != best else -metric.captions
    order = np.argsort(upwards, kind="stable")
    found: list[int] = order[~np.isnan(upwards[order])].tolist()
    return found
