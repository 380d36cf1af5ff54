"""The scores that metrics give a benchmark's captions, with the references a protocol uses."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from vericap.errors import InputError
from vericap.judge.judgements import Choices, Floats, Integers, Judged, Ratings
from vericap.judge.protocols import Protocol
from vericap.metrics import Metric, asked
from vericap.metrics.base import Statistics
from vericap.run.selection import select
from vericap.views import Views

if TYPE_CHECKING:
    from vericap.corpus import Corpus
    from vericap.lexicon.frequencies import DocumentFrequencies

Progress: TypeAlias = Callable[[str, int, int], None]
Prepare: TypeAlias = "Callable[[Corpus], Corpus]"


@dataclass(frozen=True, eq=False)
class Draw:
    """One choice of references: `used[item]` are their places among the item's references."""

    judged: Ratings | Choices
    used: Sequence[Integers]

    def references(self) -> list[list[str]]:
        """The references used, an item at a time."""
        return [
            [given[k] for k in places.tolist()] for given, places in zip(self.judged.references, self.used, strict=True)
        ]

    def preferred(self) -> Integers:
        """What people chose: where single votes are known, by majority of the votes that belong to the references."""
        if not isinstance(self.judged, Choices):
            raise TypeError("ratings hold no choices")
        votes = self.judged.votes
        if votes is None:
            return self.judged.preferred
        return np.array([np.sign(votes[i, places].sum()) for i, places in enumerate(self.used)], np.int64)


def draws(judged: Ratings | Choices, protocol: Protocol) -> Iterator[Draw]:
    """The references that a protocol uses, once or, drawn at random, several times.

    A draw is a random order of each item's references, of which the first `references_used` count: with one more
    reference the others stay.
    """
    counts = [len(given) for given in judged.references]
    most = max(counts, default=0)
    wanted = most if protocol.references_used is None else protocol.references_used
    if wanted > most:
        raise InputError(
            f"{wanted} references are asked for, and no item has more than {most}",
            field="references-used",
            fix=f"ask for at most {most}",
        )
    if protocol.drawn != "random" or wanted == 0 or wanted >= most:
        yield Draw(judged, [np.arange(min(wanted, count)) for count in counts])
        return
    random = np.random.default_rng(protocol.seed)
    for _ in range(protocol.draws):
        yield Draw(judged, [random.permutation(count)[:wanted] for count in counts])


@dataclass(frozen=True, eq=False)
class Scored:
    """One metric on one benchmark: its scores of the rows, a draw at a time."""

    key: str
    scores: list[Floats] = field(default_factory=list)
    signature: str = ""
    higher_is_better: bool = True
    seconds: float = 0.0


def score(
    judged: Ratings | Choices,
    protocol: Protocol,
    metrics: str | Iterable[str | Metric],
    *,
    prepare: Prepare | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> tuple[list[Draw], dict[str, Scored], tuple[str, ...]]:
    """The draws of references, the scores of each metric, and notes. `prepare` adds objects or regions to a corpus."""
    from vericap.scene.caption_graphs import remembering

    tell = progress or (lambda what, done, steps: None)
    found: dict[str, Scored] = {}
    notes: dict[str, None] = {}
    all_draws = list(draws(judged, protocol))
    # What stands beside `default` or `all` is left out like their metrics; what is named alone must be there.
    beside_a_set = not all(by_name for _, by_name in asked(metrics))
    with remembering():
        for number, each in enumerate(all_draws):
            corpus = judged.corpus(each.references())
            if prepare is not None:
                corpus = prepare(corpus)
            by_tokenizer: dict[str, Views] = {}
            views = _views(corpus, protocol, protocol.tokenizer, judged, each, workers, by_tokenizer)
            selection = select(metrics, views, lenient=beside_a_set)
            chosen = selection.metrics
            notes |= dict.fromkeys((*corpus.notes, *views.notes, *selection.notes))
            for done, metric in enumerate(chosen):
                tell(metric.key, number * len(chosen) + done, len(all_draws) * len(chosen))
                name = protocol.tokenizers.get(metric.name, protocol.tokenizer)
                own = _views(corpus, protocol, name, judged, each, workers, by_tokenizer)
                start = time.perf_counter()
                # Under the metric itself, where a combination finds what its parts have computed.
                scores = metric.score(own.get(Statistics(metric)))
                seconds = time.perf_counter() - start
                before = found.get(metric.key)
                found[metric.key] = Scored(
                    metric.key,
                    [*(before.scores if before else ()), scores],
                    metric.signature(own),
                    metric.higher_is_better,
                    seconds + (before.seconds if before else 0.0),
                )
    for key, scored in found.items():
        undefined = int(np.isnan(scored.scores[0]).sum())
        if undefined:
            notes[
                f"{key} is undefined for {undefined:,} of {len(judged):,} captions, which are left out of its row"
            ] = None
    return all_draws, found, tuple(notes)


def _views(
    corpus: Corpus,
    protocol: Protocol,
    tokenizer: str,
    judged: Judged,
    draw: Draw,
    workers: int,
    known: dict[str, Views],
) -> Views:
    if tokenizer not in known:
        frequencies = _frequencies(protocol, tokenizer, judged, draw)
        known[tokenizer] = Views(corpus, tokenizer=tokenizer, frequencies=frequencies, workers=workers)
    return known[tokenizer]


def _frequencies(protocol: Protocol, tokenizer: str, judged: Judged, draw: Draw) -> DocumentFrequencies | None:
    if protocol.df == "rows" or protocol.references_used == 0:
        return None  # an item as it is shown is a document of the corpus
    from vericap.lexicon.frequencies import from_references, resolve

    if protocol.df == "coco":
        return resolve("coco", tokenizer, "en")
    by_image: dict[str, dict[str, None]] = {}
    for image, references in zip(judged.image_ids, draw.references(), strict=True):
        by_image.setdefault(str(image), {}).update(dict.fromkeys(references))
    given = {image: list(references) for image, references in by_image.items() if references}
    return from_references(given, tokenizer, name="images")
