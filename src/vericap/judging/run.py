"""`judge`: one run for each draw of references, read beside what people said."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from vericap.errors import InputError
from vericap.judging.agreement import Resampling, agreement_of, check
from vericap.judging.benchmarks import benchmark
from vericap.judging.checked import read_checked
from vericap.judging.contrasts import contrasts, with_beaten
from vericap.judging.disagreements import disagreements
from vericap.judging.external import TableColumns, read_scores, score_columns
from vericap.judging.judgements import Choices, Judgements, Ratings, Systems
from vericap.judging.options import JudgeOptions, Task, task_of
from vericap.judging.protocols import Protocol, named
from vericap.judging.published import beside
from vericap.judging.scoring import KnownScores, Scores, divided, scores_of
from vericap.judging.tests import AgreementTests
from vericap.options.inputs import columns_of
from vericap.readers.fields import Fields
from vericap.readers.judgements import Folder
from vericap.results.verdict import Verdict
from vericap.run.measure import Progress
from vericap.run.selection import MetricChoice
from vericap.stats.significance import out_of_reach


def load(
    name: str,
    data: str | Path,
    protocol: str | None = None,
    subset: str | None = None,
    *,
    table: TableColumns | None = None,
    **choices: Any,
) -> tuple[Judgements, Protocol]:
    """A benchmark's judgements, and the protocol with its choices made; `table` names the columns of your own."""
    about = benchmark(name)
    if subset and subset not in about.subsets:
        some = ", ".join(about.subsets) or "none"
        raise InputError(f"{about.name} has no subset {subset!r}", field="subset", fix=f"it has {some}")
    chosen = named(about.protocols, protocol, about.name).changed(subset=subset or None, **choices)
    folder = Folder.find(Path(data), about.name, about.folders, about.source)
    if table is not None:
        folder = replace(folder, columns=table.columns, score_columns=table.scores, missing=table.missing)
    return read_checked(about, folder, chosen), chosen


def judge(
    name: str,
    data: str | Path,
    *,
    metrics: MetricChoice = "default",
    scores: Sequence[str | Path] = (),
    progress: Progress | None = None,
    known: KnownScores | None = None,
    **options: Unpack[JudgeOptions],
) -> Verdict:
    """How well the metrics agree with the people of a benchmark.

    Parameters
    ----------
    name
        A benchmark: `vericap judge list` names them.
    data
        The benchmark's folder, or one that holds it; your own table for `ratings` and `pairs`.
    metrics
        As `evaluate` takes them.
    scores
        Files with the scores of other tools: each becomes a row of the table.
    progress
        Called with what is about to be done, how many steps are behind, and how many there are.
    known
        Keeps scores between calls: protocols that differ only in what they do with the same scores (ties, judges,
        measure) compute them once.
    **options
        `protocol` names a protocol; `subset`, `references_used`, `drawn`, `draws`, `judges`, `ties`, `label`, `df`,
        `level`, `over`, `tokenizer` change single choices of it. `objects`, `regions`, `images`, `detector`, `cache`,
        `confidence`, `missing`, `workers` and `seed` are those of `evaluate`. `bootstrap` is the number of resamples,
        `test` is "studentised" or "bootstrap", and `against` names the one metric that all others are tested against.
        `curves=True` adds what a page draws over caption length and number of references.
    """
    task, tests = task_of(name, data, metrics, options, scores)
    return judge_task(task, tests, progress, known)


def judge_task(
    task: Task, tests: AgreementTests, progress: Progress | None = None, known: KnownScores | None = None
) -> Verdict:
    """What `judge` does, from a task and its tests."""
    settings = replace(task.settings, workers=task.settings.workers or os.cpu_count() or 1)
    task = replace(task, settings=settings)
    judged, protocol = load_task(task)
    check(judged, protocol, str(task.data))
    judged, scores = scores_of(judged, protocol, task, progress, known)
    scores = scores.with_columns(_outside(task, judged))
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
    if not tests.curves:
        return verdict
    from vericap.judging.curves import page_curves  # which imports this file

    return replace(verdict, curves=page_curves(task, progress))


def load_task(task: Task) -> tuple[Judgements, Protocol]:
    """The judgements that a task is about, and its protocol."""
    seed = task.settings.seed or None  # 0 leaves the protocol's own
    columns = Fields(columns_of(task.inputs.columns)).columns
    table = TableColumns(columns, score_columns(task.score_columns), task.settings.missing)
    return load(task.benchmark, task.data, task.choice.protocol, table=table, seed=seed, **task.choice.changes())


def _outside(task: Task, judged: Judgements) -> dict[str, Any]:
    """The scores of other tools, by metric."""
    names = tuple(judged.names) if isinstance(judged, Systems) else ()
    own = dict(judged.columns) if isinstance(judged, Ratings) else {}
    return own | {key: column for path in task.scores for key, column in read_scores(path, len(judged), names).items()}


def _notes(judged: Judgements, scores: Scores, tests: AgreementTests, pairs: int) -> tuple[str, ...]:
    """Everything there is to say: of the judgements, of the runs, and of the tests."""
    divided_people = divided(scores.draws) if isinstance(judged, Choices) else []
    unreachable = out_of_reach(tests.test, tests.bootstrap, pairs, option="--bootstrap")
    return (*judged.notes, *scores.notes, *divided_people, *([unreachable] if unreachable else []))
