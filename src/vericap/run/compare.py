"""`compare`: several captioners on the same images, and whether their differences are more than chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Unpack

import numpy as np

from vericap.arrays import Integers
from vericap.errors import InputError, not_a_set
from vericap.metrics.base import Metric
from vericap.options.inputs import Captioners, Inputs
from vericap.options.settings import Settings, Tests
from vericap.readers.captions.systems import SYSTEM
from vericap.results.comparison import Comparison, Example
from vericap.results.scores import Result
from vericap.run.evaluate import metric_result
from vericap.run.explain import RowExplainer
from vericap.run.keywords import COMPARE, CompareOptions, inputs_and_settings
from vericap.run.measure import Measured, MeasuredMetric, Progress, measure
from vericap.run.prepare import prepare
from vericap.run.selection import MetricChoice
from vericap.stats.bootstrap import replicates
from vericap.stats.contrast import Contrast, Scored, better_by, contrast, standardised
from vericap.stats.resampling import draw, estimate
from vericap.stats.significance import holm, out_of_reach


@COMPARE
def compare(
    systems: Mapping[str, Any],
    references: Any = None,
    *,
    metrics: MetricChoice = "default",
    progress: Progress | None = None,
    **options: Unpack[CompareOptions],
) -> Comparison:
    """Scores several captioners on the same images and tests their differences.

    `systems` is {name: candidates}, each as `evaluate` takes them, all over the same images. References are tokenized
    and document frequencies counted once for all; each captioner's captions are a text of their own, so that its
    numbers are those of `evaluate`. Each captioner is tested against the first, against another (`against="NAME"`),
    or every two (`against="all"`): by the paired bootstrap over images, by exchanging captions image by image
    (`test="permutation"`), or by Student's t with the bootstrap's standard error (`test="studentised"`). p-values are
    corrected by Holm over the pairs of a metric.

    >>> references = {i: [f"a {animal} runs"] for i, animal in enumerate(["dog", "cat", "cow", "pig"])}
    >>> found = compare({"exact": {i: given[0] for i, given in references.items()},
    ...                  "vague": dict.fromkeys(references, "an animal")}, references, metrics="rouge-l", bootstrap=99)
    >>> [each] = found.contrasts["rouge-l"]
    >>> each.system, each.against, each.difference, (each.wins, each.ties, each.losses)
    ('vague', 'exact', -1.0, (0, 0, 4))
    """
    given = COMPARE.read(options)
    inputs, settings = inputs_and_settings(Captioners(systems), references, given)
    return compare_inputs(inputs, settings, metrics, Tests(**given[Tests]), progress)


def compare_inputs(
    inputs: Inputs,
    settings: Settings,
    metrics: MetricChoice = "default",
    tests: Tests | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Return the comparison of inputs whose candidates are `Captioners`, under settings."""
    tests, names = tests or Tests(), list(inputs.candidates.candidates)
    if tests.against not in ("first", "all", *names):
        fix = f"use first, all, or one of {', '.join(names)}"
        raise InputError(f"{tests.against!r} is not a captioner", field="against", fix=fix)
    if progress is not None:
        progress("reading", 0, 1)
    metrics = metrics if isinstance(metrics, str) else list(not_a_set(metrics, "metrics"))
    measured = measure(prepare(inputs, settings, metrics=metrics, progress=progress), metrics, progress)
    read = _Reading(measured, names, tests, settings)
    unreachable = out_of_reach(tests.test, tests.bootstrap, len(read.pairs), option="--bootstrap")
    return Comparison(
        {name: read.result(place) for place, name in enumerate(names)},
        {key: read.contrasts(each.metric) for key, each in measured.items()},
        [example for pair in read.pairs for example in read.examples(pair)],
        read.images,
        tests.test,
        tests.bootstrap,
        settings.seed,
        (*measured.notes, *([unreachable] if unreachable else [])),
    )


class _Reading:
    """A run over the captions of several captioners, read as contrasts between them.

    `rows` are those of each captioner, `pairs` the pairs that are tested (of every two captioners, the later against
    the earlier one), `scored` the captions of each captioner as each metric sees them.
    """

    def __init__(self, measured: Measured, names: Sequence[str], tests: Tests, settings: Settings) -> None:
        self.measured, self.names, self.tests, self.settings = measured, names, tests, settings
        self.corpus = measured.corpus
        self.images = int(self.corpus.image.max()) + 1
        owner = np.array([names.index(name) for name in self.corpus.fields[SYSTEM]])
        self.rows = [np.flatnonzero(owner == i) for i in range(len(names))]
        baseline = 0 if tests.against in ("first", "all") else names.index(tests.against)
        self.pairs = [(place, baseline) for place in range(len(names)) if place != baseline]
        if tests.against == "all":
            self.pairs = [(later, earlier) for earlier, later in combinations(range(len(names)), 2)]
        drawn = draw(self.images, tests.bootstrap, settings.seed)
        self.scored = {key: [self._scored(each, own, drawn) for own in self.rows] for key, each in measured.items()}

    def _scored(self, each: MeasuredMetric, own: Integers, drawn: Integers) -> Scored:
        statistics, image = each.statistics[own], self.corpus.image[own]
        again = replicates(each.metric, statistics, image, drawn)
        return Scored(each.metric.aggregate(statistics), statistics, each.scores[own], image, again)

    def contrasts(self, metric: Metric) -> list[Contrast]:
        """Return the contrasts of a metric's pairs, corrected by Holm."""
        scored = self.scored[metric.key]
        how: dict[str, Any] = {"test": self.tests.test, "resamples": self.tests.bootstrap, "seed": self.settings.seed}
        made = [
            contrast(metric, (self.names[i], self.names[j]), scored[i], scored[j], self.images, **how)
            for i, j in self.pairs
        ]
        corrected = holm([each.p for each in made]).tolist()
        return [replace(each, corrected=p) for each, p in zip(made, corrected, strict=True)]

    def result(self, place: int) -> Result:
        """Return the result of one captioner, with an interval for each score."""
        own = self.rows[place]
        results = {}
        for key, each in self.measured.items():
            mine = self.scored[key][place]
            part = replace(each, statistics=mine.statistics, scores=mine.captions)
            results[key] = metric_result(part, estimate(mine.score, mine.replicates).interval)
        explainer = RowExplainer(tuple(each.metric for each in self.measured.values()), self.settings)
        return Result(self.corpus.keep(own), results, label=self.names[place], explainer=explainer)

    def examples(self, pair: tuple[int, int]) -> list[Example]:
        """The images whose captions differ most, by the mean over metrics of standardised differences."""
        system, against = pair
        apart = standardised(
            [
                better_by(each.metric, self.scored[key][system], self.scored[key][against], self.images)
                for key, each in self.measured.items()
            ]
        )
        order = np.argsort(-np.abs(apart), kind="stable")[: self.tests.examples]
        return [self._example(pair, image, float(apart[image])) for image in order[apart[order] != 0].tolist()]

    def _example(self, pair: tuple[int, int], image: int, apart: float) -> Example:
        own = {i: self.rows[i][self.corpus.image[self.rows[i]] == image].tolist() for i in pair}
        system, against = pair
        return Example(
            self.corpus.image_ids[own[system][0]],
            self.names[system],
            self.names[against],
            apart,
            {self.names[i]: " / ".join(self.corpus.candidates[row] for row in rows) for i, rows in own.items()},
            {
                self.names[i]: {key: float(each[i].by_image(self.images)[image]) for key, each in self.scored.items()}
                for i in pair
            },
            self.corpus.references_of(own[system][0]),
        )
