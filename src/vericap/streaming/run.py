"""`vericap.stream`: captions of any number, scored batch by batch."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from vericap.corpus.references import References
from vericap.engine import Engine, run_in_order
from vericap.errors import InputError
from vericap.options.choices import BadRows
from vericap.options.inputs import columns_of
from vericap.options.row_filter import check_condition
from vericap.options.settings import Settings
from vericap.readers import read_references
from vericap.results.scores import StreamedMetric, StreamResult
from vericap.run.keywords import RUN, Options, inputs_and_settings
from vericap.run.selection import MetricChoice, select
from vericap.streaming.checkpoint import Checkpoint, Totals, load
from vericap.streaming.first_pass import Tell, count_frequencies
from vericap.streaming.job import Job, Piece
from vericap.streaming.lock import locked
from vericap.streaming.options import StreamOptions
from vericap.streaming.rows import layout_of
from vericap.streaming.shards import Shards, find_files, reads
from vericap.streaming.writers import Writer, writer_for
from vericap.text.tokenizers import encode_sides, tokenizer
from vericap.version import __version__
from vericap.views import CorpusSize, Facts

if TYPE_CHECKING:
    from vericap.lexicon.frequencies import DocumentFrequencies
    from vericap.options.inputs import Inputs


@RUN
def stream(
    candidates: Any,
    references: Any = None,
    *,
    metrics: MetricChoice = "default",
    batch_size: int = 10_000,
    bad_rows: BadRows = "error",
    engine: Engine | None = None,
    **options: Unpack[Options],
) -> Stream:
    """Captions that need not fit into memory, as an iterator of Arrow batches with their scores.

    Parameters
    ----------
    candidates
        Parquet, JSON Lines, CSV or TSV files: a path, a folder, a pattern such as "shards/*.parquet", or a list of
        them. A row with a field `references` has its own references, and is then an image of its own.
    references
        A file or an object with references by image id, where the rows have none of their own. It is held in memory.
    metrics
        As in `evaluate`. Metrics that look at pictures are left out.
    batch_size
        Rows that are read and scored at once.
    bad_rows
        What to do with a row that cannot be scored: "error", or "collect": `Stream.bad` has them, with reasons.
    engine
        `Engine(workers=8)` for processes, `Engine("ray", address="auto")` for a cluster.
    **options
        `tokenizer`, `language`, `df`, `missing` and `workers` of `vericap.options.settings.Settings`. With df "corpus",
        document frequencies are counted in a pass of their own before the first batch comes.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "captions.jsonl"
    >>> _ = file.write_text('{"caption": "a dog", "references": ["a dog runs"]}\\n{"caption": "a cat", '
    ...                     '"references": ["the cat"]}\\n')
    >>> found = stream(file, metrics="bleu-1", batch_size=1)
    >>> [batch.to_pydict()["bleu-1"][0] for batch in found]
    [0.606..., 0.499...]
    >>> round(found.result.scores["bleu-1"], 3)
    0.584
    """
    inputs, settings = inputs_and_settings(candidates, references, RUN.read(options))
    refuse_pictures(inputs)
    engine = engine or Engine(workers=settings.workers)
    return Stream(inputs, settings, metrics, StreamOptions(batch_size=batch_size, bad_rows=bad_rows), engine)


@dataclass
class Stream:
    """Going through it gives Arrow batches: image id, caption, one column per metric. When it ends, `result` has the
    corpus scores. `write` puts the batches into files instead, and goes on where it was stopped."""

    inputs: Inputs
    settings: Settings
    metrics: MetricChoice
    options: StreamOptions
    engine: Engine
    condition: str | None = None
    bad: list[Any] = field(default_factory=list)
    _result: StreamResult | None = None

    def __iter__(self) -> Iterator[Any]:
        for piece in self._pieces(_silent):
            yield piece.batch

    def _pieces(self, tell: Tell) -> Iterator[Piece]:
        plan, totals = self._plan(), Totals()
        self.bad = []
        with self.engine.session():
            plan.count_frequencies(None, tell)
            for piece in plan.pieces(0):
                totals.add(piece)
                self.bad += piece.bad
                tell("scoring", totals.read, totals.share)
                yield piece
        self._result = plan.result(totals)

    @property
    def result(self) -> StreamResult:
        """The corpus scores, once all batches have been seen."""
        if self._result is None:
            raise InputError("the stream is not at its end", fix="go through all batches, or call write")
        return self._result

    def write(self, output: str | os.PathLike[str] | None, progress: Tell | None = None) -> StreamResult:
        """Writes the results to `output`, JSON Lines or a folder of Parquet files, with checkpoints; None: nowhere.

        Called again after a stop, it goes on at the last checkpoint; the files have the same bytes as without a stop.
        """
        if output is None:
            for _ in self._pieces(progress or _silent):
                pass
            return self.result
        writer = writer_for(output)
        _refuse_output_in_input(writer, self.inputs.candidates)
        plan = self._plan(writer)
        with self.engine.session(), locked(writer.lock, writer.path):
            self._result = _write(plan, writer, progress or _silent)
        return self._result

    def _plan(self, writer: Writer | None = None) -> _Plan:
        settings, engine = self.settings, self.engine
        _refuse_choices(settings)
        if self.condition is not None:
            check_condition(self.condition)
        paths = find_files(self.inputs.candidates)
        # Workers of a cluster have another working folder.
        shards = Shards([str(Path(path).resolve()) for path in paths] if engine.name == "ray" else paths)
        columns = columns_of(self.inputs.field)
        given = self._references(columns)
        layout = layout_of(shards.first_with_rows(), columns, own_references=given is None)
        if given is not None and layout.image_id is None:
            raise InputError(
                f"it has no image ids, by which {given.source} has its references",
                source=paths[0],
                fix="add a field image_id, or put the references into the rows",
            )
        job = Job(
            shards,
            layout,
            tokenizer=settings.tokenizer,
            language=settings.language,
            missing=settings.missing,
            bad_rows=self.options.bad_rows,
            references=given,
            frequencies=_given_frequencies(settings),
            condition=self.condition,
            as_lines=writer is not None and writer.as_lines,
        )
        plan = _Plan(job, settings, self.options, engine, writer)
        plan.select(self.metrics)
        return plan

    def _references(self, columns: Mapping[str, str]) -> References | None:
        if self.inputs.references is None:
            return None
        given = read_references(self.inputs.references, columns=columns, split=self.inputs.split).with_ids()
        encode = tokenizer(self.settings.tokenizer)
        return given.tokenised(lambda captions, number: encode_sides(encode, [captions], number, self.engine.cores))


@dataclass
class _Plan:
    """A stream made ready: the job of its workers, and what belongs to the whole."""

    job: Job
    settings: Settings
    options: StreamOptions
    engine: Engine
    writer: Writer | None = None
    notes: tuple[str, ...] = ()
    documents: int = 0

    def select(self, metrics: MetricChoice) -> None:
        """Chooses the metrics, before any work starts."""
        some = 2 if self.job.has_references else 0  # as many as it takes to be more than one
        facts = self._facts(CorpusSize(images=some))
        selection = select(metrics, facts)
        for metric in selection.metrics:
            if not metric.adds_up:
                raise InputError(
                    f"{metric.key} needs all captions at once, so a stream cannot compute it",
                    field="metrics",
                    fix="leave it out, or score without --stream",
                )
        self.notes = (*facts.notes, *selection.notes)
        self.job = replace(self.job, metrics=selection.metrics)

    def _facts(self, size: CorpusSize, *, own_frequencies: bool = False) -> Facts:
        """Return what metrics may ask of the whole stream, with document frequencies of a table or its own."""
        frequencies = None if own_frequencies else self.job.frequencies
        tokenizer, language = self.settings.tokenizer, self.settings.language
        notes = () if frequencies is None else frequencies.check(tokenizer, language)
        return Facts(size, tokenizer, language, frequencies, notes)

    @property
    def order(self) -> int:
        """The longest n-grams whose document frequencies a first pass has to count; 0: there is none to make."""
        if self.settings.df != "corpus" or not self.job.has_references:
            return 0
        return max((metric.frequency_order() for metric in self.job.metrics), default=0)

    def count_frequencies(self, kept: Path | None, tell: Tell | None = None) -> None:
        """The first pass, if document frequencies are the corpus's own; where `kept` has them, they are read."""
        from vericap.lexicon.frequencies import load as load_frequencies

        if not self.order:
            return
        if kept is not None and kept.exists():
            frequencies = load_frequencies(kept)
        else:
            frequencies = count_frequencies(self.job, self.order, self.options.batch_size, self.engine, tell or _silent)
            if kept is not None:
                frequencies.save(kept)
        if frequencies.documents < 2:
            for metric in self.job.metrics:  # what is undefined for one image says so itself
                metric.check(self._facts(CorpusSize(images=1)))
        self.documents = frequencies.documents
        self.job = replace(self.job, frequencies=frequencies)

    def pieces(self, done: int) -> Iterator[Piece]:
        """Yield the outputs of the spans, without the first `done` of them."""
        spans = islice(self.job.shards.spans(self.options.batch_size), done, None)
        gc.collect()
        gc.freeze()  # what is shared with forked workers is not touched by their search for cycles
        try:
            yield from run_in_order(self.job.measure, spans, self.engine)
        finally:
            gc.unfreeze()

    def facts(self) -> dict[str, Any]:
        """All that changes the output, by name."""
        job, options = self.job, self.options
        known = self._facts(CorpusSize(images=2))
        return {
            "vericap": __version__,
            "metrics": [metric.signature(known) for metric in job.metrics],
            "missing": job.missing,
            "bad_rows": job.bad_rows,
            "filter": job.condition,
            "batch_size": options.batch_size,
            "checkpoint": options.checkpoint,
            "fields": vars(job.layout),
            "references": None if job.references is None else job.references.digest,
            "input": job.shards.facts(),
        }

    def result(self, totals: Totals) -> StreamResult:
        """Corpus scores from what was added up."""
        if not totals.rows:
            raise InputError("there is no row to score", source=self.job.shards.paths[0], fix="check the input")
        size = CorpusSize(totals.rows, self.documents or totals.rows, (totals.fewest or 0, totals.most or 0))
        facts = self._facts(size, own_frequencies=self.settings.df == "corpus")
        found = {
            metric.key: StreamedMetric(
                metric.key,
                metric.from_sums(totals.sums[metric.key].value),
                metric.signature(facts),
                metric.range,
                metric.higher_is_better,
            )
            for metric in self.job.metrics
        }
        writer = self.writer
        return StreamResult(
            found,
            totals.rows,
            totals.bad,
            (*self.notes, *(note for note in totals.notes if note not in self.notes), *self._notes(totals)),
            Path(self.job.shards.paths[0]).name,
            None if writer is None else str(writer.path),
            str(writer.bad_rows) if writer is not None and totals.bad else None,
            dict(totals.seconds),
        )

    def _notes(self, totals: Totals) -> Iterator[str]:
        if self.job.layout.image_id is not None and self.settings.repeated == "error":
            yield (
                "a stream does not look for image ids that occur more than once: every row is scored; choose "
                "--repeated keep if that is what you want, or score without --stream to have them refused"
            )
        if self.job.condition is not None:
            yield f"{totals.written:,} of {totals.rows:,} rows pass {self.job.condition}"
        if totals.bad:
            yield f"{totals.bad:,} of {totals.read:,} rows could not be scored and are set apart with their reasons"
        if totals.left_out:
            yield f"{totals.left_out:,} rows without references left out"
        if totals.empty:
            yield f"{totals.empty:,} of {totals.rows:,} captions empty"
        for key, undefined in totals.undefined.items():
            if undefined:
                yield f"{key} is undefined for {undefined:,} of {totals.rows:,} captions, which its mean leaves out"


def _write(plan: _Plan, writer: Writer, tell: Tell) -> StreamResult:
    """Score what is not scored yet, and write it with checkpoints."""
    facts = plan.facts()
    kept = writer.state.with_name(writer.state.name.replace("state.json", "frequencies.df"))
    if writer.state.exists():
        state = load(writer.state, facts)
    else:
        if (earlier := writer.earlier()) is not None:
            raise InputError(
                "there is something already, without the state of a stream",
                source=str(earlier),
                field="output",
                fix="choose another place, or delete it",
            )
        state = Checkpoint(facts)
        kept.unlink(missing_ok=True)
    writer.check(state.written)
    if state.finished:
        plan.count_frequencies(kept)
        return plan.result(state.totals)
    writer.start(state.written)
    try:
        # The state comes first: whatever is found later next to it belongs to it.
        state.written = writer.checkpoint()
        state.save(writer.state)
        plan.count_frequencies(kept, tell)
        for piece in plan.pieces(state.totals.spans):
            writer.add(piece)
            state.totals.add(piece)
            tell("scoring", state.totals.read, state.totals.share)
            if state.totals.spans % plan.options.spans_per_checkpoint == 0:
                state.written = writer.checkpoint()
                state.save(writer.state)
        state.written = writer.checkpoint()
        state.finished = True
        state.save(writer.state)
    finally:
        writer.close()
    return plan.result(state.totals)


def _given_frequencies(settings: Settings) -> DocumentFrequencies | None:
    if settings.df == "corpus":
        return None
    from vericap.lexicon.frequencies import resolve

    return resolve(settings.df, settings.tokenizer, settings.language)


def refuse_pictures(inputs: Inputs) -> None:
    """An error for what a stream does not look at."""
    given = [name for name in ("images", "detector", "objects", "regions") if getattr(inputs, name) is not None]
    if not given:
        return
    problem, fix = "a stream compares captions with references only", "leave it out, or score without --stream"
    if given[0] in ("images", "detector"):
        problem = "a stream does not look at pictures: rows of one image may be far apart, and it would look again"
        fix = (
            "run vericap detect DIR -o objects.jsonl, which looks at each picture once, and score with "
            "--objects objects.jsonl and without --stream"
        )
    raise InputError(problem, field=given[0], fix=fix)


def _refuse_output_in_input(writer: Writer, candidates: Any) -> None:
    """A stream that goes on would read what it wrote."""
    for file in writer.files:
        if (given := reads(candidates, file)) is not None:
            raise InputError(
                f"the stream would read its own output: {given} names {file} too",
                source=str(writer.path),
                field="output",
                fix="write it to a folder that is not read",
            )


def _refuse_choices(settings: Settings) -> None:
    """A stream does not remember which images it has seen: it keeps all captions of an image."""
    chosen = {"repeated": settings.repeated, "uncaptioned": settings.uncaptioned}
    for name, allowed in (("repeated", ("error", "keep")), ("uncaptioned", ("skip",))):
        if chosen[name] not in allowed:
            raise InputError(
                f"a stream does not remember images, so `{chosen[name]}` is not a choice there",
                field=name,
                fix=f"use {allowed[-1]}, or score without --stream",
            )


def _silent(what: str, rows: int, share: float) -> None:
    """Progress that is not shown."""
