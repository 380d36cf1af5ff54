"""Protocols: every choice that moves an agreement figure, by name. Papers' own are presets of their benchmarks; a user
names one and changes single choices of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from vericap.errors import InputError
from vericap.options.declared import Between, Without, check_fields, option
from vericap.options.inputs import Inputs
from vericap.options.keywords import Keywords, former_words, present_words, say_former, with_former_words
from vericap.options.settings import Resamples, Settings
from vericap.run.keywords import PictureOptions

if TYPE_CHECKING:
    from vericap.run.selection import MetricChoice

Measure: TypeAlias = Literal["kendall_b", "kendall_c", "spearman", "pearson", "accuracy"]
Judges: TypeAlias = Literal["apart", "averaged"]
Sampling: TypeAlias = Literal["all", "first", "random"]
Ties: TypeAlias = Literal["half", "random", "lose", "win"]
Level: TypeAlias = Literal["caption", "system"]
Correlation: TypeAlias = Literal["pooled", "image"]
Documents: TypeAlias = Literal["rows", "images"]
Count: TypeAlias = Annotated[int, Between(0, 1_000_000)]
AgreementTest: TypeAlias = Literal["studentised", "bootstrap"]


@with_former_words
@dataclass(frozen=True)
class Protocol:
    """The way in which judgements and scores are compared.

    `measure`: what the table is ordered and tested by. `judges`: each judge's rating is a row of its own (apart), or
    their mean is. `own`: what happens to a candidate that is one of its own references (each benchmark says what it
    offers). `sampling`: which of an item's references are used, `references_used` of them (None: all); random ones are
    drawn `draws` times from `seed`, and figures are means over the draws. `df`: a document of CIDEr's idf is an item
    as shown (rows) or an image (images); or COCO's document frequencies (coco), or those of a file. `label`: which
    human label of several. `ties`: what a forced choice between two equal scores earns. `rows`: which candidates.
    `level`: captions, or means of systems. `correlation`: one over all captions, or the mean of the images' own.

    >>> print(Protocol("mine", measure="kendall_b", references_used=5, sampling="random", draws=2).spell())
    measure kendall_b; judges apart; own captions kept; references 5 drawn at random, 2 draws, seed 0; df over rows;
    rows all; level caption, pooled; tokenizer ptb
    """

    name: str
    of: str = ""
    measure: Measure = "kendall_c"
    judges: Judges = "apart"
    own: str = "kept"
    references_used: Count | None = None
    sampling: Sampling = field(default="all", metadata={"former": ("drawn",)})
    draws: int = 1
    seed: int = 0
    df: str = "rows"
    label: str = ""
    ties: Ties | None = None
    rows: str = "all"
    level: Level = "caption"
    correlation: Correlation = field(default="pooled", metadata={"former": ("over",)})
    tokenizer: str = "ptb"
    # The program of a metric may read the text in its own way: metric's name → tokenizer.
    tokenizers: Mapping[str, str] = field(default_factory=dict)
    subset: str = ""

    def __post_init__(self) -> None:
        check_fields(self, "a protocol")

    def choices(self) -> dict[str, Any]:
        """Return every choice, as plain data, in the words that results of `judge` have had from the first version."""
        found = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in ("name", "of")}
        former = {name: word for word, name in former_words(Protocol).items()}
        return {former.get(name, name): value for name, value in found.items()} | {"tokenizers": dict(self.tokenizers)}

    def scoring(self) -> tuple[Any, ...]:
        """Return the choices that scores of the same captions and references depend on."""
        names = ("references_used", "sampling", "draws", "seed", "df", "tokenizer")
        return (*(getattr(self, name) for name in names), tuple(self.tokenizers.items()))

    def spell(self) -> str:
        """Return every choice, in one line."""
        used = "all" if self.references_used is None else str(self.references_used)
        drawn = {
            "all": "",
            "first": ", the first",
            "random": f" drawn at random, {self.draws} draws, seed {self.seed}",
        }[self.sampling]
        parts = [
            f"measure {self.measure}",
            f"judges {self.judges}",
            f"own captions {self.own}",
            f"references {used}{drawn}",
            f"df over {self.df}",
            *([f"label {self.label}"] if self.label else []),
            *([f"ties {self.ties}"] if self.ties else []),
            f"rows {self.rows}",
            *([f"subset {self.subset}"] if self.subset else []),
            f"level {self.level}, {self.correlation if self.correlation == 'pooled' else 'each image alone'}",
            f"tokenizer {self.tokenizer}",
            *(f"{metric} on {tokenizer}" for metric, tokenizer in self.tokenizers.items()),
        ]
        return "; ".join(parts)

    def changed(self, **choices: Any) -> Protocol:
        """Return the protocol with some choices changed; None leaves a choice as it is, and `df="corpus"` counts
        documents as the protocol does.

        >>> Protocol("mine").changed(judges="averaged", ties=None).judges
        'averaged'
        """
        given = present_words(choices, former_words(Protocol))
        known = {name: value for name, value in given.items() if value is not None}
        if known.get("df") == "corpus":
            known["df"] = self.df if self.df in ("rows", "images") else "rows"
        if "references_used" in known and self.sampling == "all":
            known.setdefault("sampling", "first")
        changed = {name: value for name, value in known.items() if getattr(self, name) != value}
        return replace(self, **changed) if changed else self


def named(protocols: tuple[Protocol, ...], name: str | None, benchmark: str) -> Protocol:
    """Return the protocol of a name; without one, the benchmark's first."""
    known = {protocol.name: protocol for protocol in protocols}
    if name is not None and name not in known:
        fix = f"use one of {', '.join(known)}"
        raise InputError(f"{benchmark} has no protocol {name!r}", field="protocol", fix=fix)
    return protocols[0] if name is None else known[name]


@dataclass(frozen=True)
class ProtocolChoice:
    """The protocol that a user asks for: its name, and what is changed in it; None leaves a choice as the protocol has
    it. `Protocol` says what each choice means.

    >>> ProtocolChoice("own-kept", ties="lose").changes()
    {'ties': 'lose'}
    """

    protocol: str | None = option(None, "Named protocol; without it, the first that `judge list` names.")
    subset: str | None = option(None, "Part of the benchmark, such as coco of composite.")
    references_used: Count | None = option(None, "Number of references per image; 0 for none.")
    sampling: Sampling | None = option(
        None, "Which references are used: all, the first, or a random sample.", former=("drawn",)
    )
    draws: Count | None = option(None, "Number of random samples of references.")
    judges: Judges | None = option(None, "Ratings of several judges: one row each, or their mean.")
    ties: Ties | None = option(None, "What equal scores earn in a forced choice.")
    label: str | None = option(None, "Human label to use, where there are several.")
    df: str | None = option(None, "Document frequencies of CIDEr: corpus (the references used), coco, or a file.")
    documents: Documents | None = option(None, "What counts as a document of the corpus: each row, or each image.")
    level: Level | None = option(None, "Compare captions, or the means of systems.")
    correlation: Correlation | None = option(
        None, "One correlation over all captions, or the mean over images.", former=("over",)
    )
    tokenizer: str | None = option(None, "Tokenizer to use instead of the protocol's.")
    measure: Measure | None = option(None, "Measure that the table is ordered and tested by.", flags=None)
    own: str | None = option(None, "What happens to a candidate that is one of its own references.", flags=None)
    rows: str | None = option(None, "Which candidates are judged.", flags=None)

    def __post_init__(self) -> None:
        check_fields(self, "judge")
        if self.df in ("rows", "images"):
            say_former(f"df={self.df}", f"documents={self.df}")
        elif self.documents is not None and self.df not in (None, "corpus"):
            fix = "leave out documents, or use df=corpus"
            raise InputError(f"df={self.df} has documents of its own", field="documents", fix=fix)

    def changes(self) -> dict[str, Any]:
        """Return the choices that differ from the protocol, by the names that `Protocol` has for them."""
        given = {name: value for name, value in vars(self).items() if name != "protocol" and value is not None}
        documents = given.pop("documents", None)
        return given if documents is None else given | {"df": documents}


@dataclass(frozen=True)
class AgreementTests:
    """The tests of metrics against each other.

    >>> AgreementTests(test="t")
    Traceback (most recent call last):
    vericap.errors.InputError: field "test": test=t is not a choice of judge; use one of studentised, bootstrap
    """

    bootstrap: Resamples = option(1000, "Number of resamples of images for intervals and tests; 0 for none.")
    test: AgreementTest = option(
        "studentised", "Student's t with the bootstrap's standard error, or the share of resamples beyond 0."
    )
    against: str | None = option(
        "all", "What each metric is compared with: first, all (every two), or a metric's name."
    )
    curves: bool = option(False, "Add curves against caption length and number of references to the page of --html.")

    def __post_init__(self) -> None:
        check_fields(self, "judge")


@dataclass(frozen=True)
class OtherScores:
    """Scores that other tools gave the captions of a benchmark."""

    scores: Sequence[str | Path] = option(
        (), "Scores of another tool: a table with id and score; may be repeated.", type=list[Path]
    )
    score_column: Sequence[str] = option(
        (),
        "Column of your table with a metric's scores, NAME or NAME=KEY; may be repeated.",
        type=list[str],
        former=("score_columns",),
    )


# A benchmark has its own captions, and a protocol its own way of reading them.
JudgedInputs: TypeAlias = Annotated[Inputs, Without({"candidates", "references", "split"})]
JudgedSettings: TypeAlias = Annotated[Settings, Without({"tokenizer", "language", "df", "repeated", "uncaptioned"})]
JUDGE = Keywords(ProtocolChoice, AgreementTests, OtherScores, JudgedInputs, JudgedSettings)


class JudgeOptions(PictureOptions, total=False):
    """The keywords of `judge` and of the curves, for static checkers."""

    protocol: str | None
    subset: str | None
    references_used: int | None
    sampling: Sampling | None
    drawn: Sampling | None  # a former word
    draws: int | None
    judges: Judges | None
    ties: Ties | None
    label: str | None
    df: str | None
    documents: Documents | None
    level: Level | None
    correlation: Correlation | None
    over: Correlation | None  # a former word
    tokenizer: str | None
    measure: Measure | None
    own: str | None
    rows: str | None
    bootstrap: int
    test: AgreementTest
    against: str | None
    curves: bool
    scores: Sequence[str | Path]
    score_column: Sequence[str]
    score_columns: Sequence[str]  # a former word


@dataclass(frozen=True, eq=False)
class Task:
    """The task of a judgement: the metrics, on a benchmark whose files are in `data`, under a protocol; `others` has
    the scores of other tools, `inputs` the objects and regions of the pictures, or the pictures themselves."""

    benchmark: str
    data: Path
    metrics: MetricChoice = "default"
    choice: ProtocolChoice = field(default_factory=ProtocolChoice)
    inputs: Inputs = field(default_factory=lambda: Inputs(None))
    settings: Settings = field(default_factory=Settings)
    others: OtherScores = field(default_factory=OtherScores)


def task_of(
    benchmark: str, data: str | Path, metrics: MetricChoice, options: Mapping[str, Any]
) -> tuple[Task, AgreementTests]:
    """Return the task and its tests, from keyword arguments.

    >>> task, tests = task_of("composite", "DATA", "bleu-4", {"subset": "coco", "seed": 3, "bootstrap": 200})
    >>> task.choice.subset, task.settings.seed, tests.bootstrap
    ('coco', 3, 200)
    """
    given = JUDGE.read(options)
    choice, others = ProtocolChoice(**given[ProtocolChoice]), OtherScores(**given[OtherScores])
    inputs, settings = Inputs(None, **given[Inputs]), Settings(**given[Settings])
    return Task(benchmark, Path(data), metrics, choice, inputs, settings, others), AgreementTests(
        **given[AgreementTests]
    )
