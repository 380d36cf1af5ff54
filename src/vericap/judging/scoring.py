"""The scores that metrics give a benchmark's captions: one run for each draw of the references a protocol uses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np

from vericap.corpus import Corpus
from vericap.encoders.encoder import remembering_vectors
from vericap.errors import InputError
from vericap.judging.judgements import Choices, Floats, Integers, Ratings, WithCaptions
from vericap.judging.pictures import with_pictures
from vericap.judging.protocols import Protocol, Task
from vericap.lexicon.frequencies import DocumentFrequencies, from_references
from vericap.metrics import Metric, asked
from vericap.options.inputs import Inputs
from vericap.options.settings import Settings
from vericap.run.measure import Measured, MeasuredMetric, Progress, measure
from vericap.run.prepare import prepare
from vericap.run.selection import MetricChoice, Selection, select
from vericap.scene.caption_graphs import remembering
from vericap.views import Views

_NUMBER = re.compile(r"(?<![\w.-])\d[\d,.]*(?![\w-])")  # a count; not the 4 of bleu-4


@dataclass(frozen=True, eq=False)
class Draw:
    """One choice of references: `used[item]` are their places among the item's references."""

    judged: Ratings | Choices
    used: Sequence[Integers]

    def references(self) -> list[list[str]]:
        """The references used, one list per item."""
        return [
            [given[k] for k in places.tolist()] for given, places in zip(self.judged.references, self.used, strict=True)
        ]

    def preferred(self) -> Integers:
        """Return the choices of people: if single votes are known, by majority of the votes that belong to the
        references."""
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
    if protocol.sampling != "random" or wanted == 0 or wanted >= most:
        yield Draw(judged, [np.arange(min(wanted, count)) for count in counts])
        return
    random = np.random.default_rng(protocol.seed)
    for _ in range(protocol.draws):
        yield Draw(judged, [random.permutation(count)[:wanted] for count in counts])


@dataclass(frozen=True, eq=False)
class ScoredCaptions:
    """One metric on one benchmark: its scores of the rows, one array per draw."""

    key: str
    scores: list[Floats] = field(default_factory=list)
    signature: str = ""
    higher_is_better: bool = True
    seconds: float = 0.0

    def of_draw(self, number: int) -> Floats:
        """The scores with one draw of references; scores from elsewhere are the same for all draws."""
        return self.scores[min(number, len(self.scores) - 1)]


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of every metric by key, the draws of references they were computed with, and notes."""

    draws: Sequence[Draw]
    metrics: Mapping[str, ScoredCaptions]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class KnownScores:
    """Scores that were computed before, found again by what they are scores of: captions, references, metrics, pictures
    and the choices of the protocol that scores depend on."""

    kept: list[tuple[tuple[Any, ...], Scores]] = field(default_factory=list)


def caption_scores(
    judged: WithCaptions,
    protocol: Protocol,
    task: Task,
    progress: Progress | None = None,
    known: KnownScores | None = None,
) -> tuple[WithCaptions, Scores]:
    """The judgements whose captions can be scored, and the scores of all metrics of a task."""
    judged, pictures, notes = with_pictures(judged, task.inputs, task.settings, task.metrics)
    inputs, texts = task.inputs, (list(judged.candidates), [list(each) for each in judged.references])
    objects = (inputs.objects, inputs.field, inputs.regions, inputs.confidence, task.settings.missing)
    shown = (*objects, inputs.images, inputs.detector)
    what = (texts, list(judged.image_ids), task.metrics, shown, protocol.scoring())
    kept = [] if known is None else known.kept
    found = next((scores for of, scores in kept if of == what), None)
    if found is None:
        found = score(judged, protocol, task.metrics, pictures, task.settings, progress, inputs)
        kept.append((what, found))
    # They may be of the same captions under another label.
    return judged, Scores([replace(each, judged=judged) for each in found.draws], found.metrics, (*notes, *found.notes))


def score(
    judged: Ratings | Choices,
    protocol: Protocol,
    metrics: MetricChoice,
    pictures: Corpus | None = None,
    settings: Settings | None = None,
    progress: Progress | None = None,
    inputs: Inputs | None = None,
) -> Scores:
    """The scores of each metric in each draw of references. `pictures` has the objects and regions of the items;
    `inputs` say where the pictures themselves are."""
    all_draws = list(draws(judged, protocol))
    settings, inputs = settings or Settings(), inputs or Inputs(None)
    runs: list[Measured] = []
    with remembering(), remembering_vectors():
        for number, each in enumerate(all_draws):
            corpus = judged.corpus(each.references())
            if pictures is not None:
                corpus = replace(corpus, objects=pictures.objects, regions=pictures.regions)
            # The corpus knows its objects already; metrics that look at pictures find them in the folder.
            given = Inputs(
                corpus,
                images=inputs.images,
                cache=inputs.cache,
                keep_graphs=inputs.keep_graphs,
                megapixels=inputs.megapixels,
            )
            runs.append(_measured(each, protocol, given, settings, metrics, progress, number, len(all_draws)))
    last = runs[-1]  # whose signatures count
    found = {
        key: ScoredCaptions(
            key,
            [run[key].scores for run in runs],
            last[key].signature,
            last[key].metric.higher_is_better,
            sum(run[key].seconds for run in runs),
        )
        for key in runs[0]
        if all(key in run for run in runs)
    }
    return Scores(all_draws, found, _said_once([run.notes for run in runs]))


def _measured(
    draw: Draw,
    protocol: Protocol,
    inputs: Inputs,
    settings: Settings,
    metrics: MetricChoice,
    progress: Progress | None,
    number: int,
    all_draws: int,
) -> Measured:
    """Return every metric in one draw of references, each on the words of its tokenizer."""

    @cache
    def views(tokenizer: str) -> Views:
        df = _frequencies(draw, protocol, tokenizer)
        return prepare(inputs, replace(settings, tokenizer=tokenizer, df=df))

    # What is named together with `default` or `all` is left out like their metrics; what is named alone must be there.
    beside_a_set = not all(by_name for _, by_name in asked(metrics))
    selection = select(metrics, views(protocol.tokenizer), lenient=beside_a_set)
    parts: dict[str, list[Metric]] = {}
    for metric in selection.metrics:
        parts.setdefault(protocol.tokenizers.get(metric.name, protocol.tokenizer), []).append(metric)
    found: dict[str, MeasuredMetric] = {}
    steps, notes = len(selection.metrics), list(selection.notes)

    def tell(what: str, done: float, _: int) -> None:
        """Say how far all draws are: some of their steps were done before."""
        if progress is not None:
            progress(what, number * steps + len(found) + done - 1, all_draws * steps)

    for tokenizer, some in parts.items():
        run = measure(views(tokenizer), Selection(tuple(some)), progress and tell)
        found |= dict(run)
        notes += run.notes
    return Measured(inputs.candidates, {metric.key: found[metric.key] for metric in selection.metrics}, tuple(notes))


def _frequencies(draw: Draw, protocol: Protocol, tokenizer: str) -> DocumentFrequencies | str:
    if protocol.df == "rows" or protocol.references_used == 0:
        return "corpus"  # an item as it is shown is a document of the corpus
    if protocol.df != "images":
        return protocol.df
    by_image: dict[str, dict[str, None]] = {}
    for image, references in zip(draw.judged.image_ids, draw.references(), strict=True):
        by_image.setdefault(str(image), {}).update(dict.fromkeys(references))
    given = {image: list(references) for image, references in by_image.items() if references}
    return from_references(given, tokenizer, name="images")


def _said_once(notes: Sequence[Iterable[str]]) -> tuple[str, ...]:
    """The notes of all draws; what an earlier draw said with other numbers is not said again.

    >>> _said_once([["wmd is undefined for 3 of 9 captions"], ["wmd is undefined for 4 of 9 captions", "no objects"]])
    ('wmd is undefined for 3 of 9 captions', 'no objects')
    """
    said: dict[str, None] = {}
    patterns: set[str] = set()
    for of_draw in notes:
        new = [note for note in of_draw if _NUMBER.sub("#", note) not in patterns]
        said |= dict.fromkeys(new)
        patterns |= {_NUMBER.sub("#", note) for note in new}
    return tuple(said)


def divided(all_draws: Sequence[Draw]) -> list[str]:
    """A note on the pairs that no majority decides; where votes go with references, others in each draw."""
    counts = [int(np.count_nonzero(each.preferred() == 0)) for each in all_draws]
    low, high, pairs = min(counts), max(counts), len(all_draws[0].preferred())
    if not high:
        return []
    said = f"{high:,}" if low == high else f"by draw of references {low:,} to {high:,}"
    return [f"{said} of {pairs:,} pairs left out: people were divided"]
