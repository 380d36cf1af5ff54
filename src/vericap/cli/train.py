"""`vericap train`: models of your own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import typer

from vericap.cli.options import Reading, files
from vericap.errors import InputError
from vericap.options.command_line import add_verb
from vericap.options.declared import option

app = typer.Typer(help="Train models of your own.", no_args_is_help=True)


@dataclass(frozen=True)
class ModelOptions:
    """Any language model."""

    name: str | None = option(None, "Its name in signatures; by default that of the output.")
    min_word_count: int | None = option(
        None, "Words that occur less often are unknown; by default 2 (ngram) or 5 (rnn).", former=("known",)
    )


@dataclass(frozen=True)
class NgramOptions:
    """A model of n-grams."""

    order: int = option(5, "ngram: length of the longest n-grams.")
    min_count: str | None = option(
        None, "ngram: how often an n-gram of each order must occur to be kept, as in 1:1:2:2:2.", former=("least",)
    )

    def least(self) -> list[int]:
        """Return how often n-grams of each order must occur."""
        from vericap.options.declared import value_of

        if self.min_count is None:
            return [1, 1, *[2] * (self.order - 2)][: self.order]
        try:
            return list(value_of(self.min_count, tuple[int, ...]))
        except InputError as error:
            raise InputError(error.problem, field="min-count", fix="write them as in 1:1:2:2:2") from None


@dataclass(frozen=True)
class RecurrentOptions:
    """An LSTM."""

    settings: Path | None = option(None, "rnn: a TOML file with any of its settings.")
    steps: int | None = option(None, "rnn: number of batches to train on.")
    width: int | None = option(None, "rnn: number of units per layer.")
    seed: int | None = option(None, "rnn: seed of everything random.")
    resume: bool = option(False, "rnn: continue from the state in the folder.", flags=("--resume",))


def language_model(
    captions: Annotated[list[str], typer.Argument(help="Files of captions, in any format that score reads.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="A file (ngram) or a folder (rnn).")],
    *,
    kind: Annotated[
        Literal["ngram", "rnn"], typer.Option(help="Kneser-Ney n-grams, or an LSTM, which needs torch.")
    ] = "ngram",
    model: ModelOptions,
    settings: Reading,
    ngrams: NgramOptions,
    recurrent: RecurrentOptions,
) -> None:
    """Train a language model for `fluency(model=…)`."""
    from vericap.readers import read_references

    read = read_references(files(captions))
    # By image, as a corpus has them: whether PTB keeps the period of a last "K." depends on the caption after it.
    texts = [read.captions[i] for i in read.image.argsort(kind="stable").tolist()]
    about = {"name": model.name or output.stem, "tokenizer": settings.tokenizer, "language": settings.language}
    if kind == "rnn":
        _train_recurrent(texts, output, about, recurrent, model.min_word_count)
        return
    from vericap.lexicon.language_model import train

    made = train(texts, **about, order=ngrams.order, least=ngrams.least(), known=model.min_word_count or 2)
    made.save(output)
    typer.echo(f"{output}: {len(texts):,} captions, {len(made):,} n-grams, {output.stat().st_size:,} bytes")


def _train_recurrent(
    texts: list[str], output: Path, about: dict[str, str], chosen: RecurrentOptions, min_word_count: int | None
) -> None:
    from vericap.cli.output import progress_bar
    from vericap.encoders.installed import require

    require("vericap train language-model --kind rnn", "torch", "safetensors")
    from vericap.lexicon.recurrent_training import LanguageModelSettings, train

    given = {"steps": chosen.steps, "width": chosen.width, "seed": chosen.seed, "min_word_count": min_word_count}
    settings = read_settings(LanguageModelSettings, chosen.settings, given)
    with progress_bar() as progress:
        model = train(texts, output, settings, **about, resume=chosen.resume, progress=progress)
    perplexity = model.facts.training["history"][-1]["perplexity"]
    measured = "none held out" if perplexity is None else f"perplexity {perplexity:.1f} on those held out"
    typer.echo(f"{output}: {len(texts):,} captions, {measured}")


def faier(
    config: Annotated[Path, typer.Option("--config", help="TOML file with the tables model, training and data.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the checkpoint, its state and log.csv.")],
    resume: Annotated[bool, typer.Option("--resume", help="Continue from the state in the output folder.")] = False,
    workers: Annotated[int, typer.Option(help="Cores that parse captions; 0 is all of them.")] = 0,
) -> None:
    """Train FAIEr or one of its variants, and write the checkpoint of the best validation R@1."""
    import os

    from vericap.cli.output import progress_bar
    from vericap.encoders.installed import require
    from vericap.scene.caption_graphs import caption_propositions

    require("vericap train faier", "torch", "safetensors")
    from vericap.metrics.faier.config import read_config
    from vericap.metrics.faier.examples import prepare
    from vericap.metrics.faier.inputs import shipped_vectors
    from vericap.metrics.faier.training import Report, open_folder, train_prepared

    chosen, threads = read_config(config), workers or os.cpu_count() or 1
    open_folder(output, resume)
    vectors = shipped_vectors()
    with progress_bar() as show:
        if show is not None:
            show("reading and parsing captions", 0, 1)
        data = prepare(chosen, config.parent, lambda captions: caption_propositions(captions, threads), vectors)
    typer.echo(data.sentence(), err=True)
    with progress_bar() as show:

        def tell(now: Report) -> None:
            if show is not None:
                show(f"loss {now.loss:.3f}, R@1 {max(now.best, 0):.3f}", now.step, now.steps)

        trainer, about = train_prepared(chosen, data, output, vectors, config.parent, resume=resume, report=tell)
    best = f"validation R@1 {trainer.state.best:.4f}" if len(trainer.validation) else "no validation; the weights"
    typer.echo(f"{output}: {best} at step {trainer.state.best_step:,} of {trainer.steps:,}")
    for count, found in about["retrieval"].items():
        ways = [
            f"{way.replace('_', ' ')} {' '.join(f'{100 * r:.1f}' for r in of.values())}" for way, of in found.items()
        ]
        typer.echo(f"held-out images, {count} references, R@1 R@5 R@10 in per cent: {', '.join(ways)}")


Settings = TypeVar("Settings")


def read_settings(kind: type[Settings], path: Path | None, given: dict[str, Any]) -> Settings:
    """Settings, a dataclass, from a TOML file and from options, which win."""
    from vericap.options.declared import fill, read_toml

    former = {"known": "min_word_count"}
    values = {} if path is None else {former.get(name, name): value for name, value in read_toml(path).items()}
    values |= {name: value for name, value in given.items() if value is not None}
    return fill(kind, values, "options" if path is None else str(path))


add_verb(app, "language-model", language_model)
add_verb(app, "faier", faier)
