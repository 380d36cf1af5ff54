"""A whole training run: data, model, training, and the checkpoint with what is to be known about it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from vericap.arrays import Integers
from vericap.errors import InputError
from vericap.metrics.faier import checkpoint
from vericap.metrics.faier.config import Config
from vericap.metrics.faier.examples import Prepared
from vericap.metrics.faier.model import Model
from vericap.metrics.faier.recall import recall, retrieval_scores
from vericap.metrics.faier.training import Report, State, Trainer, Weights
from vericap.metrics.faier.words import WordVectors, lexicon
from vericap.version import __version__
from vericap.written import whole_path

RESUME = "resume.safetensors"
_QUANTILES = np.linspace(0, 1, 101)


def open_folder(output: Path, resume: bool) -> None:
    """Makes the folder of a run, or says why a run cannot be there, before data are read, which takes minutes."""
    try:
        output.mkdir(parents=True, exist_ok=True)
        (output / "log.csv").open("a").close()
    except OSError as error:
        problem = f"nothing can be written there ({error.strerror})"
        raise InputError(problem, source=str(output), field="output", fix="name a folder of your own") from None
    if resume and not (output / RESUME).is_file():
        problem = "there is no state to go on from"
        raise InputError(problem, source=str(output / RESUME), fix="train without --resume")


def train_prepared(
    config: Config,
    data: Prepared,
    output: Path,
    vectors: WordVectors,
    folder: Path = Path(),
    *,
    resume: bool = False,
    report: Callable[[Report], None] | None = None,
) -> tuple[Trainer, dict[str, Any]]:
    """Trains with data that have been read, and writes the best checkpoint to `output`, with log.csv; `folder` is where
    `training.start` is looked for. Gives the trainer, and what the checkpoint says about itself."""
    open_folder(output, resume)
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
        calibration, found = calibrate(trainer), retrieve(trainer, data.held_out)
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
        "retrieval": found,
    }
    checkpoint.save(output, trainer.best, config, words, about)
    return trainer, about


def begin_with(model: Model, words: list[str], folder: Path) -> None:
    """The weights of a checkpoint as those to begin with; it has to be of the same model, with the same words."""
    given, own = checkpoint.load(folder), model.state_dict()
    same_shapes = all(value.shape == own[name].shape for name, value in given.model.state_dict().items() if name in own)
    if given.config.model != model.config or given.words != words or not same_shapes:
        raise InputError(
            "its model, its words or the length of its regions' vectors differ from those of this run",
            source=str(folder),
            field="training.start",
            fix="use the same [model], the same captions and the same detector",
        )
    model.load_state_dict(given.model.state_dict())


def frequent_words(data: Prepared, least: int) -> list[str]:
    """The words with at least this many occurrences in training captions and in their triplets, and "."."""
    examples, captions = data.examples, data.examples.captions
    rows = examples.of_image.take(data.train).values
    counts: Counter[int] = Counter(captions.words.take(rows).values.tolist())
    counts.update(captions.triplets.take(captions.of_caption.take(rows).values).values.tolist())
    return sorted({".", *(examples.words[word] for word, count in counts.items() if count >= least)})


def calibrate(trainer: Trainer) -> dict[str, Any]:
    """Percentiles of the scores of matching and of other pairs of validation captions and images, by the number of
    references: what a map from scores to 0–1 is made of."""
    if len(trainer.validation) < 2:
        return {}
    found = {}
    fixed = trainer.config.model.variant == "fier"
    for references in (0,) if fixed else (0, 1, 4):
        scores = retrieval_scores(trainer.model, trainer.lexicon, trainer.examples, trainer.validation, references)
        others = scores[~np.eye(len(scores), dtype=bool)]
        found[str(references)] = {
            "matched": np.quantile(scores.diagonal(), _QUANTILES).round(4).tolist(),
            "mismatched": np.quantile(others, _QUANTILES).round(4).tolist(),
        }
    return {"n": found}


def retrieve(trainer: Trainer, held_out: Integers) -> dict[str, Any]:
    """R@1, 5 and 10 both ways on images that neither training nor validation saw, by the number of references that the
    model takes (Table 6)."""
    if not len(held_out):
        return {}
    trained, found = trainer.config.training.references, {}
    counts = (0,) if trainer.config.model.variant == "fier" else (0, 4) if trained == "r" else (int(trained),)
    for references in counts:
        one = recall(retrieval_scores(trainer.model, trainer.lexicon, trainer.examples, held_out, references))
        found[str(references)] = {"image_to_text": one.image_to_text, "text_to_image": one.text_to_image}
    return found


def save_state(trainer: Trainer, folder: Path) -> None:
    """Everything that a run needs to go on: weights, their mean, the best ones, Adam's moments, and where it stands.

    One file, put in place when it is whole: a run that is killed while it writes goes on from the state before.
    """
    tensors: dict[str, torch.Tensor] = {}
    for name, parameter in trainer.model.named_parameters():
        tensors |= {f"weights.{name}": parameter.detach(), f"mean.{name}": trainer.mean[name]}
        tensors[f"best.{name}"] = trainer.best[name]
        tensors |= {f"adam.{key}.{name}": value for key, value in trainer.optimizer.state[parameter].items()}
    facts = {"config": trainer.config.to_dict(), "state": vars(trainer.state), "data": _digest(trainer)}
    whole = {name: value.contiguous().clone() for name, value in tensors.items()}
    with whole_path(folder / RESUME) as partial:
        save_file(whole, partial, metadata={"run": json.dumps(facts)})


def _digest(trainer: Trainer) -> str:
    """A hash of the words, captions, triplets and images that a run draws from."""
    examples = trainer.examples
    digest = hashlib.sha256("\n".join(examples.words).encode())
    columns = [examples.captions.words.values, examples.captions.triplets.values, examples.of_image.offsets]
    columns += [trainer.train, trainer.validation]
    if examples.regions is not None:
        columns.append(examples.regions.offsets)
    for column in columns:
        digest.update(np.ascontiguousarray(column).data)
    return digest.hexdigest()[:16]


def load_state(trainer: Trainer, folder: Path) -> None:
    """Goes on from a saved state; one of other settings or of other data is refused."""
    source = str(folder / RESUME)
    try:
        with safe_open(folder / RESUME, framework="pt") as file:
            facts = json.loads(file.metadata()["run"])
        state = State(**facts["state"])
    except (OSError, SafetensorError, ValueError, KeyError, TypeError):
        raise InputError("the state is damaged or cut off", source=source, fix="train without --resume") from None
    if facts["config"] != json.loads(json.dumps(trainer.config.to_dict())):
        raise InputError("the state is of a run with other settings", source=source, fix="use the same configuration")
    if facts["data"] != _digest(trainer):
        fix = "use the same captions and objects, or train without --resume"
        raise InputError("the state is of a run with other data", source=source, fix=fix)
    tensors = checkpoint.read_tensors(folder / RESUME)
    with torch.no_grad():
        for name, parameter in trainer.model.named_parameters():
            parameter.copy_(tensors[f"weights.{name}"])
            trainer.mean[name], trainer.best[name] = tensors[f"mean.{name}"], tensors[f"best.{name}"]
            moments = ("step", "exp_avg", "exp_avg_sq")
            trainer.optimizer.state[parameter] = {key: tensors[f"adam.{key}.{name}"] for key in moments}
    trainer.state = state
