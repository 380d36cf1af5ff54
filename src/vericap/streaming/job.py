"""The work on a span of rows: read it, score it, and sum up what the corpus scores are made of."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson
import pyarrow as pa

from vericap.arrays import Floats, Integers, Ragged, rows_of, sum_columns
from vericap.corpus import Corpus, ImageId
from vericap.corpus.columns import take
from vericap.corpus.references import References
from vericap.errors import InputError
from vericap.metrics import metric_key
from vericap.metrics.base import Metric
from vericap.options.choices import BadRows, Missing
from vericap.options.row_filter import passing
from vericap.readers.messages import shown
from vericap.readers.ranges import Span
from vericap.run.measure import measure_metric
from vericap.streaming.batch import BatchCaptions, StreamBatch
from vericap.streaming.rows import BadRow, Layout, Rows, good_rows_after, read_rows
from vericap.streaming.shards import Shards
from vericap.views import Views

if TYPE_CHECKING:
    from vericap.lexicon.frequencies import DocumentFrequencies
_LINE = orjson.OPT_APPEND_NEWLINE


@dataclass(frozen=True, eq=False)
class Job:
    """All that a worker has to know, the same for every span."""

    shards: Shards
    layout: Layout
    metrics: tuple[Metric, ...] = ()
    tokenizer: str = "ptb"
    language: str = "en"
    missing: Missing = "error"
    bad_rows: BadRows = "error"
    references: References | None = None
    frequencies: DocumentFrequencies | None = None
    condition: str | None = None  # rows to write, as in `cider-d > 0.5`; None: all
    as_lines: bool = False  # results as JSON Lines besides the Arrow batch

    @property
    def has_references(self) -> bool:
        return self.references is not None or bool(self.layout.references)

    def rows(self, span: Span) -> GoodRows:
        """The rows of a span that can be scored."""
        rows, bad = read_rows(self.shards, span, self.layout)
        images = np.full(len(rows), -1, np.int64)
        kept = []
        for i in range(len(rows)):
            try:
                images[i] = self._image(rows, i)
                if self._lacks(images[i]) and self.missing == "error":
                    raise self._no_references(rows, i)
            except InputError as error:
                source, row = self.shards.paths[span.file], span.first + rows.row[i] + 1
                there = InputError(error.problem, source=source, row=row, field=error.field, fix=error.fix)
                bad.append((rows.row[i], there))
            else:
                if not self._lacks(images[i]):
                    kept.append(i)
        bad.sort(key=lambda each: each[0])
        if bad and self.bad_rows == "error":
            raise bad[0][1]
        if len(kept) < len(rows):
            rows = Rows(*([column[i] for i in kept] for column in vars(rows).values()))
        return GoodRows(rows, images[kept], bad)

    def _image(self, rows: Rows, i: int) -> int:
        """Return the image of a row in the reference set, or 0 for a row with references of its own; -1 without."""
        if self.references is not None:
            return self.references.find(rows.image_ids[i])
        return 0 if rows.references[i] else -1

    def _lacks(self, image: int) -> bool:
        """Return whether a row of such an image cannot be scored for want of references."""
        return image < 0 and self.has_references and self.missing != "zero"

    def _no_references(self, rows: Rows, i: int) -> InputError:
        fix = "add them, or choose --missing drop or --missing zero"
        if self.references is None:
            return InputError("the row has no references", field=self.layout.references[0], fix=fix)
        return InputError(f"image {shown(rows.image_ids[i])} has no references in {self.references.source}", fix=fix)

    def following(self, span: Span, *, references: bool) -> Iterator[str]:
        """The captions, or the references, of the good rows behind a span."""
        for rows in good_rows_after(self.shards, span, self.layout):
            if references:
                yield from rows.references[0]
            elif not self._is_left_out(rows):
                yield rows.captions[0]

    def _is_left_out(self, rows: Rows) -> bool:
        try:
            return self.missing != "zero" and self._lacks(self._image(rows, 0))
        except InputError:
            return True

    def views(self, good: GoodRows, span: Span) -> Views:
        """Return the rows as metrics look at them."""
        corpus, known = self._corpus(good)
        batch = StreamBatch(
            corpus,
            BatchCaptions(corpus.candidates, lambda: self.following(span, references=False)),
            BatchCaptions(corpus.references, lambda: self.following(span, references=True)),
            known,
        )
        return Views(batch, tokenizer=self.tokenizer, language=self.language, frequencies=self.frequencies)

    def _corpus(self, good: GoodRows) -> tuple[Corpus, tuple[dict[str, int], Ragged] | None]:
        rows = good.rows
        if self.references is not None:
            images, image = np.unique(good.images, return_inverse=True)
            places, offsets = self.references.places(images)
            corpus = Corpus(rows.image_ids, rows.captions, image, take(self.references.captions, places), offsets)
            return corpus, (self.references.word_numbers, self.references.tokens.take(places))
        if not self.layout.references:
            return Corpus(rows.image_ids, rows.captions, np.arange(len(rows))), None
        return Corpus.from_lists(rows.captions, rows.references, rows.image_ids), None

    def measure(self, span: Span) -> Piece:
        """Scores of every row of a span, and what the corpus scores add up."""
        start = time.perf_counter()
        good = self.rows(span)
        piece = Piece(span, len(good.rows), [self._bad_row(span, *each) for each in good.bad])
        piece.left_out = span.rows - len(good.rows) - len(piece.bad)
        piece.seconds["reading"] = time.perf_counter() - start
        scores: dict[str, Floats] = {}
        if len(good.rows):
            views = self.views(good, span)
            piece.empty = sum(not caption or caption.isspace() for caption in good.rows.captions)
            if self.has_references:
                piece.fewest, piece.most = views.corpus.reference_counts
            start = time.perf_counter()
            _ = views.words  # apart from the metric that happens to ask first
            piece.seconds["tokens"] = time.perf_counter() - start
            for metric in self.metrics:
                each = measure_metric(metric, views)
                scores[metric.key] = each.scores
                piece.sums[metric.key] = sum_columns(metric.summands(each.statistics))
                piece.undefined[metric.key] = int(np.isnan(each.scores).sum())
                piece.seconds[metric.key] = each.seconds
            piece.notes = views.notes
        start = time.perf_counter()
        piece.batch = self._batch(good.rows, scores)
        if self.condition is not None and len(good.rows):
            columns = piece.batch.to_pydict()
            piece.batch = piece.batch.filter(pa.array(passing(self.condition, columns, metric_key)))
        piece.written = piece.batch.num_rows
        if self.as_lines:
            piece.lines = b"".join(orjson.dumps(row, option=_LINE) for row in piece.batch.to_pylist())
        piece.seconds["results"] = time.perf_counter() - start
        return piece

    def _bad_row(self, span: Span, place: int, error: InputError) -> BadRow:
        shard = self.shards[span.file]
        return BadRow(shard.path, span.first + place + 1, _reason(error), shard.raw(span, place))

    def _batch(self, rows: Rows, scores: dict[str, Floats]) -> Any:
        fields = [pa.field("image_id", pa.int64() if self.layout.numbers else pa.string()), ("caption", pa.string())]
        schema = pa.schema([*fields, *((metric.key, pa.float64()) for metric in self.metrics)])
        columns = [scores.get(metric.key, np.zeros(0)) for metric in self.metrics]
        # An undefined score is null: NaN means other things in other programs.
        arrays = [pa.array(column, pa.float64(), from_pandas=True) for column in columns]
        ids = pa.array(rows.image_ids, schema.field(0).type)
        return pa.record_batch([ids, pa.array(rows.captions, pa.string()), *arrays], schema=schema)

    def count(self, spans: tuple[Span, ...], order: int) -> tuple[dict[str, Any], int]:
        """Return the arrays of a trie that has in how many rows' references each n-gram of some spans occurs, and the
        number of rows."""
        from vericap.lexicon.trie import count_documents
        from vericap.text.tokenizers import tokenizer
        from vericap.text.vocabulary import split_at_white_space

        given = [group for span in spans for group in self.rows(span).rows.references]
        captions = [caption for group in given for caption in group]
        vocabulary: dict[str, int] = {}
        seen = BatchCaptions(captions, lambda: self.following(spans[-1], references=True))
        tokens = tokenizer(self.tokenizer)(seen, vocabulary)
        tokens, words = split_at_white_space(tokens, list(vocabulary))
        document = rows_of([len(group) for group in given])
        trie = count_documents(Ragged(tokens.values, tokens.offsets), document, words, order=order, least=1)
        return trie.arrays, len(given)

    def images(self, span: Span) -> tuple[Integers, set[ImageId]]:
        """Return the images of the reference set that the rows of a span describe, and the ids that it lacks."""
        good = self.rows(span)
        without = {good.rows.image_ids[i] for i in np.flatnonzero(good.images < 0).tolist()}
        return np.unique(good.images[good.images >= 0]), without


@dataclass(frozen=True, eq=False)
class GoodRows:
    """Rows that can be scored, their images in the reference set (-1: none), and those that cannot, with the error."""

    rows: Rows
    images: Integers
    bad: list[tuple[int, InputError]]


@dataclass
class Piece:
    """The output of a span."""

    span: Span
    rows: int
    bad: list[BadRow] = field(default_factory=list)
    left_out: int = 0
    written: int = 0  # of the rows, those that pass the condition
    empty: int = 0
    fewest: int | None = None  # references of a row
    most: int | None = None
    sums: dict[str, tuple[Floats, Floats]] = field(default_factory=dict)  # of each metric, and what rounding lost
    undefined: dict[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    batch: Any = None
    lines: bytes = b""


def _reason(error: InputError) -> str:
    """Return why a row is bad, without the file and the row, which are given with it."""
    where = f'field "{error.field}": ' if error.field else ""
    return f"{where}{error.problem}" + (f"; {error.fix}" if error.fix else "")
