"""`judge`: one run for each draw of references, compared with what people said."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from vericap.arrays import Floats
from vericap.judging.agreement import Resampling, agreement_of, check
from vericap.judging.benchmarks import benchmark
from vericap.judging.contrasts import contrasts, with_beaten
from vericap.judging.curves import page_curves
from vericap.judging.disagreements import disagreements
from vericap.judging.external import read_scores
from vericap.judging.judgements import Choices, Judgements, Ratings, Systems
from vericap.judging.protocols import JUDGE, AgreementTests, JudgeOptions, Task, task_of
from vericap.judging.published import beside
from vericap.judging.reading import load_task
from vericap.judging.scoring import KnownScores, ScoredCaptions, Scores, caption_scores, divided
from vericap.results.verdict import Verdict
from vericap.run.measure import Progress
from vericap.run.selection import MetricChoice
from vericap.stats.significance import out_of_reach


@JUDGE
def judge(
    name: str,
    data: str | Path,
    *,
    metrics: MetricChoice = "default",
    progress: Progress | None = None,
    known: KnownScores | None = None,
    **options: Unpack[JudgeOptions],
) -> Verdict:
    """Return how well the metrics agree with the people of a benchmark.

    Parameters
    ----------
    name
        A benchmark: `vericap judge list` names them.
    data
        The benchmark's folder, or one that holds it; your own table for `ratings` and `pairs`.
    metrics
        As `evaluate` takes them.
    progress
        Called with what is about to be done, the number of completed steps, and how many there are.
    known
        Keeps scores between calls: protocols that differ only in what they do with the same scores (ties, judges,
        measure) compute them once.
    """
    task, tests = task_of(name, data, metrics, options)
    return judge_task(task, tests, progress, known)


def judge_task(
    task: Task, tests: AgreementTests, progress: Progress | None = None, known: KnownScores | None = None
) -> Verdict:
    """Return the verdict on a task with its tests."""
    settings = replace(task.settings, workers=task.settings.workers or os.cpu_count() or 1)
    task = replace(task, settings=settings)
    judged, protocol = load_task(task)
    check(judged, protocol, str(task.data))
    if isinstance(judged, Systems):
        scores = Scores([], {key: ScoredCaptions(key, [column]) for key, column in judged.scores.items()})
    else:
        judged, scores = caption_scores(judged, protocol, task, progress, known)
    outside = {key: ScoredCaptions(key, [column], "scores from a file") for key, column in _outside(task, judged)}
    scores = replace(scores, metrics={**scores.metrics, **outside})
    found = agreement_of(judged, scores, protocol, Resampling(tests.bootstrap, settings.seed, settings.workers))
    measure = judged.measure(protocol)
    compared = contrasts(found.rows, measure, tests, found.units)
    about = benchmark(task.benchmark)
    verdict = Verdict(
        about.name,
        about.what,
        about.citation,
        protocol.name,
        f"{protocol.name} ({protocol.of}): {protocol.spell()}",
        protocol.choices(),
        found.judgements,
        with_beaten(found.rows, compared),
        measure,
        tests.bootstrap,
        judged.ceiling(),
        notes=_notes(judged, scores, tests, len(compared)),
        contrasts=compared,
        test=tests.test,
        disagreements=disagreements(judged, scores),
    )
    verdict = replace(verdict, published=beside(verdict, task.inputs.images is not None))
    return replace(verdict, curves=page_curves(task, progress)) if tests.curves else verdict


def _outside(task: Task, judged: Judgements) -> Iterator[tuple[str, Floats]]:
    """Yield the scores of other tools, by metric."""
    names = tuple(judged.names) if isinstance(judged, Systems) else ()
    if isinstance(judged, Ratings):
        yield from judged.columns.items()
    for path in task.others.scores:
        yield from read_scores(Path(path), len(judged), names).items()


def _notes(judged: Judgements, scores: Scores, tests: AgreementTests, pairs: int) -> tuple[str, ...]:
    """Everything there is to say: of the judgements, of the runs, and of the tests."""
    divided_people = divided(scores.draws) if isinstance(judged, Choices) else []
    unreachable = out_of_reach(tests.test, tests.bootstrap, pairs, option="--bootstrap")
    return (*judged.notes, *scores.notes, *divided_people, *([unreachable] if unreachable else []))
