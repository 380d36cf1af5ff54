"""`vericap train`: models of your own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from vericap.cli import options
from vericap.errors import InputError

app = typer.Typer(help="Train models of your own.", no_args_is_help=True)


@app.command("language-model")
def language_model(
    captions: Annotated[list[str], typer.Argument(help="Captions in any format that score reads as references.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="A file (ngram) or a folder (rnn).")],
    kind: Annotated[
        Literal["ngram", "rnn"], typer.Option(help="Kneser-Ney n-grams, or an LSTM, which needs torch.")
    ] = "ngram",
    tokenizer: options.Tokenizer = "ptb",
    language: options.Language = "en",
    name: Annotated[str | None, typer.Option(help="What signatures call it; else the output's name.")] = None,
    order: Annotated[int, typer.Option(help="ngram: the longest n-grams.")] = 5,
    least: Annotated[
        str | None, typer.Option(help="ngram: how often n-grams of each order have to stand there, as 1:1:2:2:2.")
    ] = None,
    known: Annotated[
        int | None, typer.Option(help="Words seen less often are unknown; without it 2 (ngram) or 5 (rnn).")
    ] = None,
    settings: Annotated[Path | None, typer.Option(help="rnn: a TOML file with any of its settings.")] = None,
    steps: Annotated[int | None, typer.Option(help="rnn: batches to train on.")] = None,
    width: Annotated[int | None, typer.Option(help="rnn: units of a layer.")] = None,
    seed: Annotated[int | None, typer.Option(help="rnn: seed of everything random.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="rnn: go on from the state saved in the folder.")] = False,
) -> None:
    """Train a language model for `fluency(model=…)`."""
    from vericap.cli.output import progress_bar
    from vericap.readers import read_references

    read = read_references(options.files(captions))
    # By image, as a corpus has them: whether PTB keeps the period of a last "K." depends on the caption after it.
    texts = [read.captions[i] for i in read.image.argsort(kind="stable").tolist()]
    called = name or output.stem
    if kind == "ngram":
        from vericap.lexicon.language_model import train

        wanted = _counts(least) if least else [1, 1, *[2] * (order - 2)][:order]
        ngrams = train(
            texts, name=called, tokenizer=tokenizer, language=language, order=order, least=wanted, known=known or 2
        )
        ngrams.save(output)
        typer.echo(f"{output}: {len(texts):,} captions, {len(ngrams):,} n-grams, {output.stat().st_size:,} bytes")
        return
    try:
        from vericap.neural.language_model_training import Settings
        from vericap.neural.language_model_training import train as train_recurrent
    except ImportError:
        raise InputError("torch or safetensors is not installed", fix="pip install 'vericap[neural]'") from None
    given = {"steps": steps, "width": width, "seed": seed, "known": known}
    with progress_bar() as progress:
        model = train_recurrent(
            texts,
            output,
            read_settings(Settings, settings, given),
            name=called,
            tokenizer=tokenizer,
            language=language,
            resume=resume,
            progress=progress,
        )
    last = model.facts.training["history"][-1]
    typer.echo(f"{output}: {len(texts):,} captions, perplexity {last['perplexity']:.1f} on those held out")


@app.command("faier")
def faier(
    config: Annotated[Path, typer.Option("--config", help="Settings as TOML: [model], [training], [data].")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the checkpoint, its state and log.csv.")],
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the state in the output folder.")] = False,
    workers: Annotated[int, typer.Option(help="Cores that parse captions; 0 is all of them.")] = 0,
) -> None:
    """Train FAIEr or one of its variants, and write the checkpoint of the best validation R@1."""
    import os

    from vericap.cli.output import progress_bar
    from vericap.neural import require
    from vericap.scene.captions import caption_propositions

    require("vericap train faier", "torch", "safetensors")
    from vericap.neural.faier.config import read_config
    from vericap.neural.faier.examples import prepare
    from vericap.neural.faier.run import open_folder, train_prepared
    from vericap.neural.faier.training import Report
    from vericap.neural.faier.words import shipped_vectors

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
    state = trainer.state
    best = f"validation R@1 {state.best:.4f}" if len(trainer.validation) else "no validation; the weights"
    typer.echo(f"{output}: {best} at step {state.best_step:,} of {trainer.steps:,}")
    for count, found in about["retrieval"].items():
        ways = [
            f"{way.replace('_', ' ')} {' '.join(f'{100 * r:.1f}' for r in of.values())}" for way, of in found.items()
        ]
        typer.echo(f"held-out images, {count} references, R@1 R@5 R@10 in per cent: {', '.join(ways)}")


def _counts(text: str) -> list[int]:
    from vericap.declared import value_of

    try:
        return list(value_of(text, tuple[int, ...]))
    except InputError as error:
        raise InputError(error.problem, field="least", fix="write them as in 1:1:2:2:2") from None


def read_settings(kind: type[Any], path: Path | None, options: dict[str, Any]) -> Any:
    """Settings, a dataclass, from a TOML file and from options, which win."""
    from dataclasses import replace

    from vericap.declared import fill, read_toml

    settings = kind() if path is None else fill(kind, read_toml(path), str(path))
    return replace(settings, **{name: value for name, value in options.items() if value is not None})
