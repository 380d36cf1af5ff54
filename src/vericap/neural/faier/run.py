"""A whole training run: data, model, training, and the checkpoint with what is to be known about it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save_file

from vericap.errors import InputError
from vericap.neural.faier import checkpoint
from vericap.neural.faier.config import Config
from vericap.neural.faier.examples import Parse, Prepared, prepare
from vericap.neural.faier.model import Model
from vericap.neural.faier.retrieval import retrieval_scores
from vericap.neural.faier.training import Report, State, Trainer, Weights
from vericap.neural.faier.words import WordVectors, lexicon
from vericap.version import __version__

RESUME_WEIGHTS, RESUME = "resume.safetensors", "resume.json"
_QUANTILES = np.linspace(0, 1, 101)


def train(
    config: Config,
    folder: Path,
    output: Path,
    parse: Parse,
    vectors: WordVectors,
    *,
    resume: bool = False,
    report: Callable[[Report], None] | None = None,
) -> Trainer:
    """Trains with the data that the configuration names and writes the best checkpoint to `output`, with log.csv."""
    data = prepare(config, folder, parse, vectors)
    return train_prepared(config, data, output, vectors, folder, resume=resume, report=report)


def train_prepared(
    config: Config,
    data: Prepared,
    output: Path,
    vectors: WordVectors,
    folder: Path = Path(),
    *,
    resume: bool = False,
    report: Callable[[Report], None] | None = None,
) -> Trainer:
    """As `train`, with data that have been read."""
    output.mkdir(parents=True, exist_ok=True)
    words = frequent_words(data, config.training.learned)
    torch.manual_seed(config.training.seed)
    features = 0 if data.examples.regions is None else data.examples.regions.dimension
    model = Model(config.model, features, vectors.dimension, len(words) + 1)
    if config.training.start:
        begin_with(model, words, folder / config.training.start)
    learned = {word: row for row, word in enumerate(words, 1)}
    known = lexicon(data.examples.words, learned, vectors)
    trainer = Trainer(config, model, known, data.examples, data.train, data.validation)
    if resume:
        load_state(trainer, output)
    else:
        (output / "log.csv").unlink(missing_ok=True)

    def save(trainer: Trainer) -> None:
        save_state(trainer, output)

    trainer.run(output, report, save)
    with Weights(model, trainer.best):
        model.eval()
        calibration = calibrate(trainer)
    about = {
        "vericap": __version__,
        "features": features,
        "symbolic": not config.data.regions,
        "word_dimension": vectors.dimension,
        "vectors": vectors.hash,
        "data": data.facts,
        "step": trainer.state.best_step,
        "curve": trainer.state.curve,
        "calibration": calibration,
    }
    checkpoint.save(output, trainer.best, config, words, about)
    return trainer


def begin_with(model: Model, words: list[str], folder: Path) -> None:
    """The weights of a checkpoint as those to begin with; it has to be of the same model, with the same words."""
    given = checkpoint.load(folder)
    if given.config.model != model.config or given.words != words:
        raise InputError(
            "its model or its words are others than those of this run",
            source=str(folder),
            field="training.start",
            fix="use the same [model] and the same captions",
        )
    model.load_state_dict(given.model.state_dict())


def frequent_words(data: Prepared, least: int) -> list[str]:
    """The words of at least so many training captions, and "."; triplets' words count where they stand."""
    examples = data.examples
    rows, _ = examples.of_image.take(data.train)
    counts: Counter[int] = Counter(examples.captions.words.take(rows)[0].tolist())
    triplets, _ = examples.captions.of_caption.take(rows)
    counts.update(examples.captions.triplets.take(triplets)[0].tolist())
    return sorted({".", *(examples.words[word] for word, count in counts.items() if count >= least)})


def calibrate(trainer: Trainer) -> dict[str, Any]:
    """Percentiles of the scores of matching and of other pairs of validation captions and images, by the number of
    references: what a map from scores to 0–1 is made of."""
    found = {}
    fixed = trainer.config.model.variant == "fier"
    for references in (0,) if fixed else (0, 1, 4):
        scores = retrieval_scores(trainer.model, trainer.lexicon, trainer.examples, trainer.validation, references)
        if not len(scores):
            return {}
        others = scores[~np.eye(len(scores), dtype=bool)]
        found[str(references)] = {
            "matched": np.quantile(scores.diagonal(), _QUANTILES).round(4).tolist(),
            "mismatched": np.quantile(others, _QUANTILES).round(4).tolist(),
        }
    return {"n": found}


def save_state(trainer: Trainer, folder: Path) -> None:
    """Everything that a run needs to go on: weights, their mean, the best ones, Adam's moments, and where it stands."""
    tensors: dict[str, torch.Tensor] = {}
    for name, parameter in trainer.model.named_parameters():
        tensors |= {f"weights.{name}": parameter.detach(), f"mean.{name}": trainer.mean[name]}
        tensors[f"best.{name}"] = trainer.best[name]
        tensors |= {f"adam.{key}.{name}": value for key, value in trainer.optimizer.state[parameter].items()}
    save_file({name: value.contiguous().clone() for name, value in tensors.items()}, folder / RESUME_WEIGHTS)
    facts = {"config": trainer.config.to_dict(), "state": vars(trainer.state)}
    (folder / RESUME).write_text(json.dumps(facts, indent=1), "utf-8")


def load_state(trainer: Trainer, folder: Path) -> None:
    """Goes on from a saved state; one of other settings is refused."""
    source = str(folder / RESUME)
    try:
        facts = json.loads((folder / RESUME).read_text("utf-8"))
        state = State(**facts["state"])
    except OSError as error:
        problem = f"there is no state to go on from ({error.strerror})"
        raise InputError(problem, source=source, fix="train without --resume") from None
    except (ValueError, KeyError, TypeError):
        raise InputError("the state is damaged or cut off", source=source, fix="train without --resume") from None
    if facts["config"] != json.loads(json.dumps(trainer.config.to_dict())):
        raise InputError("the state is of a run with other settings", source=source, fix="use the same configuration")
    tensors = checkpoint.read_tensors(folder / RESUME_WEIGHTS)
    with torch.no_grad():
        for name, parameter in trainer.model.named_parameters():
            parameter.copy_(tensors[f"weights.{name}"])
            trainer.mean[name], trainer.best[name] = tensors[f"mean.{name}"], tensors[f"best.{name}"]
            moments = ("step", "exp_avg", "exp_avg_sq")
            trainer.optimizer.state[parameter] = {key: tensors[f"adam.{key}.{name}"] for key in moments}
    trainer.state = state
