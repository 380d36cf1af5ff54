"""`compare`: several captioners on the same images, and whether their differences are more than chance."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.evaluation import MetricResult, Progress, Result, choose, finite, frequencies_of
from vericap.metrics import Metric
from vericap.metrics.base import Statistics
from vericap.readers import SYSTEM, Missing, Repeated, load_systems
from vericap.readers.objects import CONFIDENCE
from vericap.show.comparisons import contrast_grid
from vericap.show.grids import Grid, page
from vericap.show.tables import Row, ScoreTable
from vericap.stats.bootstrap import replicates
from vericap.stats.contrast import Contrast, Scored, Test, better_by, contrast
from vericap.stats.holm import holm
from vericap.stats.resampling import draw, estimate
from vericap.stats.significance import beaten, letters, marks
from vericap.version import __version__
from vericap.views import Views
from vericap.vision.add_pictures import add_pictures

if TYPE_CHECKING:
    from vericap.lexicon.frequencies import DocumentFrequencies
    from vericap.vision.detectors import Detector

Against: TypeAlias = Literal["first", "all"]


@dataclass(frozen=True)
class Example:
    """An image whose captions differ much. `difference` is the mean over the metrics of how much better the captioner's
    caption is, each in standard deviations of its differences."""

    image_id: int | str
    system: str
    against: str
    difference: float
    captions: Mapping[str, str]
    scores: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, eq=False)
class Comparison(Mapping[str, Result]):
    """What `compare` gives: the result of each captioner by name, contrasts by metric, captions that differ most."""

    results: Mapping[str, Result]
    contrasts: Mapping[str, Sequence[Contrast]]
    examples: Sequence[Example]
    images: int
    test: Test
    resamples: int
    seed: int
    notes: tuple[str, ...] = ()

    def __getitem__(self, system: str) -> Result:
        return self.results[system]

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def score_table(self) -> ScoreTable:
        """A row a captioner; superscripts name the rows it beats significantly."""
        whole = [result.score_table() for result in self.values()]
        superscripts = [self._marks(key) for key in self.contrasts]
        rows = [
            replace(_only(table), label=f"{letters(i)} {name}", marks=[column[i] for column in superscripts])
            for i, (name, table) in enumerate(zip(self, whole, strict=True))
        ]
        return ScoreTable(whole[0].columns, rows)

    def table(self, format: str = "plain", scale: float = 1.0) -> str:
        """The table of a paper: plain, rich, markdown, latex, csv or html."""
        return self.score_table().draw(format, scale)

    def contrast_table(self, format: str = "plain", scale: float = 1.0) -> str:
        """A row for each two captioners and metric: difference, interval, p, effect, images won, tied and lost."""
        return contrast_grid(self.contrasts, scale).draw(format)

    def to_html(self, path: str | Path | None = None, scale: float = 1.0) -> str:
        """A page by itself: both tables, the captions that differ most, signatures; written to `path` if given."""
        examples = Grid(
            ["image", "captioner", "caption", "better by"],
            [
                [str(each.image_id), name, caption, f"{each.difference:+.1f}" if name == each.system else ""]
                for each in self.examples
                for name, caption in each.captions.items()
            ],
            self.examples_title(),
        )
        signatures = [result.signature for result in next(iter(self.values())).values()]
        text = page(
            f"{' · '.join(self)}, {self.images:,} images",
            [
                self.table("html", scale),
                f"<p>{html.escape(self.legend())}</p>",
                self.contrast_table("html", scale),
                examples.draw("html"),
                "<ul>" + "".join(f"<li>{html.escape(line)}</li>" for line in (*self.notes, *signatures)) + "</ul>",
            ],
        )
        if path is not None:
            Path(path).write_text(text, "utf-8")
        return text

    def examples_title(self) -> str:
        """What the examples are, and by which metrics they were chosen."""
        keys = ", ".join(self.contrasts)
        over = f"mean over {keys}" if len(self.contrasts) > 1 else f"by {keys}"
        return f"Captions that differ most, in standard deviations of a metric's differences, {over}"

    def legend(self) -> str:
        """What a reader of the tables must know."""
        return (
            "± is half the 95 % interval; superscripts name the rows beaten at the level of 5 %: "
            f"paired {self.test} with {self.resamples:,} resamples of {self.images:,} images, "
            "Holm over the pairs of a metric; effect is Cohen's d, + is better"
        )

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `vericap compare --json`. Numbers that do not exist are None."""
        first = next(iter(self.values()))
        return {
            "vericap": __version__,
            "systems": list(self),
            "images": self.images,
            "test": {
                "name": self.test,
                "resamples": self.resamples,
                "seed": self.seed,
                "correction": "holm, over the pairs of each metric",
            },
            "metrics": {
                key: {
                    "signature": first[key].signature,
                    "range": list(first[key].metric.range),
                    "higher_is_better": first[key].metric.higher_is_better,
                    "systems": {
                        name: {"score": finite(result[key].score), "interval": _listed(result[key].interval)}
                        for name, result in self.items()
                    },
                    "pairs": [_plain(each) for each in contrasts],
                }
                for key, contrasts in self.contrasts.items()
            },
            "examples": [
                {
                    "image_id": each.image_id,
                    "system": each.system,
                    "against": each.against,
                    "difference": each.difference,
                    "captions": dict(each.captions),
                    "scores": {name: {k: finite(v) for k, v in row.items()} for name, row in each.scores.items()},
                }
                for each in self.examples
            ],
            "notes": list(self.notes),
        }

    def _marks(self, key: str) -> list[str]:
        """Superscripts of one metric's column."""
        names = list(self)
        p = np.full((len(names), len(names)), np.nan)
        for each in self.contrasts[key]:
            i, j = names.index(each.system), names.index(each.against)
            p[i, j] = p[j, i] = each.corrected
        results = [result[key] for result in self.values()]
        upwards = results[0].metric.higher_is_better
        return [marks(rows) for rows in beaten([result.score for result in results], p, higher_is_better=upwards)]


def compare(
    systems: Mapping[str, Any],
    references: Any = None,
    *,
    objects: Any = None,
    confidence: float | Sequence[float] = CONFIDENCE,
    regions: Any = None,
    images: str | Path | None = None,
    detector: str | Detector | None = None,
    metrics: str | Iterable[str | Metric] = "default",
    tokenizer: str = "ptb",
    language: str = "en",
    df: str | Path | DocumentFrequencies = "corpus",
    missing: Missing = "error",
    repeated: Repeated = "error",
    workers: int = 1,
    test: Test = "bootstrap",
    against: Against = "first",
    resamples: int = 1000,
    seed: int = 0,
    examples: int = 10,
    progress: Progress | None = None,
) -> Comparison:
    """Scores several captioners on the same images and tests their differences.

    `systems` is {name: candidates}, each as `evaluate` takes them, all over the same images. References are tokenized
    and document frequencies counted once for all; each captioner's captions are a text of their own, so that its
    numbers are those of `evaluate`. Each captioner is tested against the first, or each two (`against="all"`), by the
    paired bootstrap over images or by exchanging captions image by image (`test="permutation"`); p-values are
    corrected by Holm over the pairs of a metric.

    >>> references = {i: [f"a {animal} runs"] for i, animal in enumerate(["dog", "cat", "cow", "pig"])}
    >>> found = compare({"exact": {i: given[0] for i, given in references.items()},
    ...                  "vague": dict.fromkeys(references, "an animal")}, references, metrics="rouge-l", resamples=99)
    >>> [each] = found.contrasts["rouge-l"]
    >>> each.system, each.against, each.difference, (each.wins, each.ties, each.losses)
    ('vague', 'exact', -1.0, (0, 0, 4))
    """
    tell = progress or (lambda what, done, steps: None)
    tell("reading", 0, 1)
    if against not in get_args(Against):
        raise InputError(f"captioners are tested against {against!r}", field="against", fix="choose first or all")
    corpus = load_systems(systems, references, missing=missing, repeated=repeated)
    corpus = add_pictures(corpus, objects, regions, images, detector, confidence=confidence, missing=missing)
    frequencies = frequencies_of(df, tokenizer, language)
    names = list(systems)
    owner = np.array([names.index(name) for name in corpus.fields[SYSTEM]])
    views = Views(
        corpus,
        tokenizer=tokenizer,
        language=language,
        frequencies=frequencies,
        workers=workers,
        first_rows=(np.flatnonzero(np.diff(owner)) + 1).tolist(),
    )
    chosen, left_out = choose(metrics, views)
    rows = [np.flatnonzero(owner == i) for i in range(len(names))]
    count = int(corpus.image.max()) + 1
    drawn = draw(count, resamples, seed)
    pairs = [(later, earlier) for earlier, later in combinations(range(len(names)), 2)]
    pairs = [pair for pair in pairs if against == "all" or pair[1] == 0]
    scored: dict[str, list[Scored]] = {}
    contrasts: dict[str, list[Contrast]] = {}
    signatures = {}
    for done, metric in enumerate(chosen, 1):
        tell(metric.key, done, len(chosen) + 1)
        whole = views.get(Statistics(metric))
        signatures[metric.key] = metric.signature(views)
        scored[metric.key] = [_scored(metric, whole[own], corpus.image[own], drawn) for own in rows]
        made = [
            contrast(
                metric,
                (names[i], names[j]),
                scored[metric.key][i],
                scored[metric.key][j],
                count,
                test=test,
                resamples=resamples,
                seed=seed,
            )
            for i, j in pairs
        ]
        corrected = holm([each.p for each in made]).tolist()
        contrasts[metric.key] = [replace(each, corrected=p) for each, p in zip(made, corrected, strict=True)]
    results = {
        name: Result(
            corpus.keep(own),
            {
                metric.key: MetricResult(
                    metric,
                    (mine := scored[metric.key][i]).score,
                    mine.captions,
                    signatures[metric.key],
                    mine.statistics,
                    estimate(mine.score, mine.replicates).interval,
                )
                for metric in chosen
            },
            label=name,
        )
        for i, (name, own) in enumerate(zip(names, rows, strict=True))
    }
    found = [
        example for pair in pairs for example in _examples(corpus, chosen, scored, rows, names, pair, count, examples)
    ]
    notes = (*corpus.notes, *views.notes, *left_out)
    return Comparison(results, contrasts, found, count, test, resamples, seed, notes)


def _scored(metric: Metric, statistics: Any, image: NDArray[np.int64], drawn: NDArray[Any]) -> Scored:
    again = replicates(metric, statistics, image, drawn)
    return Scored(metric.aggregate(statistics), statistics, metric.score(statistics), image, again)


def _examples(
    corpus: Corpus,
    chosen: Sequence[Metric],
    scored: Mapping[str, Sequence[Scored]],
    rows: Sequence[NDArray[np.int64]],
    names: Sequence[str],
    pair: tuple[int, int],
    images: int,
    most: int,
) -> list[Example]:
    """The images whose captions by the two differ most, those of the largest difference first."""
    apart = np.zeros(images)
    for metric in chosen:
        system, against = (scored[metric.key][i] for i in pair)
        better = better_by(metric, system, against, images)
        spread = float(np.nanstd(better)) if not np.isnan(better).all() else 0.0
        if spread > 0:
            apart += np.nan_to_num(better) / spread / len(chosen)
    order = np.argsort(-np.abs(apart), kind="stable")[:most]
    found = []
    for image in order[apart[order] != 0].tolist():
        own = [rows[i][corpus.image[rows[i]] == image] for i in pair]
        found.append(
            Example(
                corpus.image_ids[int(own[0][0])],
                names[pair[0]],
                names[pair[1]],
                float(apart[image]),
                {
                    names[i]: " / ".join(corpus.candidates[row] for row in mine.tolist())
                    for i, mine in zip(pair, own, strict=True)
                },
                {
                    names[i]: {metric.key: float(scored[metric.key][i].by_image(images)[image]) for metric in chosen}
                    for i in pair
                },
            )
        )
    return found


def _only(table: ScoreTable) -> Row:
    [row] = table.rows
    return row


def _plain(each: Contrast) -> dict[str, Any]:
    numbers = {name: finite(getattr(each, name)) for name in ("difference", "p", "corrected", "effect")}
    counts = {"wins": each.wins, "ties": each.ties, "losses": each.losses}
    return {"system": each.system, "against": each.against, **numbers, "interval": _listed(each.interval), **counts}


def _listed(interval: tuple[float, float] | None) -> list[float] | None:
    return list(interval) if interval else None
