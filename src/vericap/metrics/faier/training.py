"""Training (sections 3.4 and 4.2): Adam on the triplet loss, early stop on validation R@1, states that resume exactly.

What a step draws depends on the seed and the step's number alone, so a run that was stopped goes on as if it were not.
"""

from __future__ import annotations

import csv
import hashlib
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from vericap.arrays import Integers
from vericap.encoders.tensor_files import read_tensors
from vericap.errors import InputError
from vericap.metrics.faier import checkpoint
from vericap.metrics.faier.config import FaierConfig
from vericap.metrics.faier.equations import triplet_loss
from vericap.metrics.faier.examples import Examples, Prepared, draw
from vericap.metrics.faier.inputs import Batch, Lexicon, WordVectors, lexicon
from vericap.metrics.faier.layers import Layers
from vericap.metrics.faier.model import Model, random_weights, weight_shapes
from vericap.metrics.faier.retrieval import recall, retrieval_scores
from vericap.metrics.faier.torch_layers import TorchLayers
from vericap.version import __version__
from vericap.written import whole_path

LOG = ("step", "epoch", "loss", "learning_rate", "image_to_text", "text_to_image", "first", "seconds")
RESUME = "resume.safetensors"
_QUANTILES = np.linspace(0, 1, 101)


@dataclass
class State:
    """The progress of training."""

    step: int = 0
    best: float = -1.0
    best_step: int = 0
    curve: list[dict[str, float]] = field(default_factory=list)


@dataclass
class Report:
    """The report after each step: its number and the total, its loss, and the best validation R@1 so far."""

    step: int
    steps: int
    loss: float
    best: float
    validated: bool  # R@1 was measured after this step


class Trainer:
    """A model's weights, their optimizer and their running mean.

    `train` and `validation` are rows of the examples; `validation` may be empty, then the last weights are the best.
    """

    def __init__(
        self,
        config: FaierConfig,
        weights: Mapping[str, NDArray[np.float32]],
        lexicon: Lexicon,
        examples: Examples,
        train: Integers,
        validation: Integers,
    ) -> None:
        self.config, self.lexicon, self.examples = config, lexicon, examples
        self.train, self.validation = train, validation
        self.weights = {name: torch.tensor(value, requires_grad=True) for name, value in weights.items()}
        self.mean = {name: value.detach().clone() for name, value in self.weights.items()}
        self.best = {name: value.clone() for name, value in self.mean.items()}
        self.model = Model(config.model, TorchLayers(self.weights, config.training.dropout))
        self.optimizer = torch.optim.Adam(self.weights.values(), lr=config.training.learning_rate, fused=True)
        self.state = State()
        self.epoch_steps = max(1, len(train) // config.training.batch)
        self.steps = config.training.epochs * self.epoch_steps

    def learning_rate(self, step: int) -> float:
        """Return the rate of a step, which rises over the first hundredth of the steps, then falls on a cosine to the
        share `decay`."""
        settings = self.config.training
        rise = min(1.0, (step + 1) / max(1, self.steps // 100))
        down = 0.5 * (1 + math.cos(math.pi * step / self.steps))
        return settings.learning_rate * rise * (settings.decay + (1 - settings.decay) * down)

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers of references that the model is judged with."""
        trained = self.config.training.references
        return (0,) if self.config.model.variant == "fier" else (0, 4) if trained == "r" else (int(trained),)

    def draw(self, step: int) -> Batch:
        """Return the mini-batch of a step."""
        settings = self.config.training
        epoch, place = divmod(step, self.epoch_steps)
        order = np.random.default_rng([settings.seed, epoch]).permutation(self.train)
        images = order[place * settings.batch : (place + 1) * settings.batch]
        rng = np.random.default_rng([settings.seed, epoch, place])
        regions = self.config.model.regions
        return draw(self.examples, images, epoch, settings.references, rng, regions, settings.classes)

    def scores(self, batch: Batch) -> Tensor:
        """S [candidates, images] of a batch."""
        graphs = self.model.encode(batch, self.lexicon)
        return self.model.score_all(graphs.scenes, graphs.candidates).total

    def step(self) -> float:
        """Update the weights once; return the loss."""
        settings, step = self.config.training, self.state.step
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate(step)
        torch.manual_seed(settings.seed * 1_000_003 + step)  # dropout
        warm = step < settings.warm_up * self.epoch_steps
        scores = self.scores(self.draw(step))
        loss = triplet_loss(scores, settings.margin, hardest=not warm)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.weights.values(), settings.clip)
        self.optimizer.step()
        self.state.step += 1
        # Short memory at first: the mean must not hold on to random weights.
        keep = min(settings.average, (1 + self.state.step) / (10 + self.state.step))
        with torch.no_grad():
            for name, value in self.weights.items():
                self.mean[name].lerp_(value, 1 - keep)
        return float(loss.detach()) / len(scores)

    def validate(self) -> dict[str, float]:
        """R@1 of the mean weights on the validation images: without references and with four for a model trained with
        r, else with as many as it was trained with."""
        model = trained_model(self.config, self.mean)
        found = {
            n: recall(retrieval_scores(model, self.lexicon, self.examples, self.validation, n), (1,))
            for n in self.counts
        }
        row = {"image_to_text": 0.0, "text_to_image": 0.0}
        for n, one in found.items():
            row[f"image_to_text_{n}"], row[f"text_to_image_{n}"] = one.image_to_text[1], one.text_to_image[1]
            row["image_to_text"] += one.image_to_text[1] / len(found)
            row["text_to_image"] += one.text_to_image[1] / len(found)
        row["first"] = (row["image_to_text"] + row["text_to_image"]) / 2
        return row

    def run(
        self,
        folder: Path | None = None,
        report: Callable[[Report], None] | None = None,
        save: Callable[[Trainer], None] | None = None,
        until: int | None = None,
    ) -> State:
        """Train to the end, to an early stop, or until a step; `save` is called whenever a validation is due."""
        settings, state = self.config.training, self.state
        every = max(1, self.epoch_steps // settings.validations)  # steps
        began, losses = time.monotonic() - (state.curve[-1]["seconds"] if state.curve else 0), []
        last = self.steps if until is None else min(until, self.steps)
        while state.step < last and not self.stopped:
            losses.append(self.step())
            due = state.step % every == 0 or state.step == self.steps
            if due and len(self.validation):
                self._judge(float(np.mean(losses)), time.monotonic() - began, folder)
            if due and save is not None:
                save(self)
            if report is not None:
                report(Report(state.step, self.steps, losses[-1], state.best, due and len(self.validation) > 0))
            losses = [] if due else losses
        if not len(self.validation):
            self.best, state.best_step = {name: value.clone() for name, value in self.mean.items()}, state.step
        return state

    def _judge(self, loss: float, seconds: float, folder: Path | None) -> None:
        """Measure R@1, write the log, and keep the weights if they are the best."""
        state = self.state
        row = self.validate()
        row |= {"step": state.step, "epoch": state.step / self.epoch_steps, "loss": loss, "seconds": seconds}
        row["learning_rate"] = self.learning_rate(state.step - 1)
        state.curve.append(row)
        if row["first"] > state.best:
            state.best, state.best_step = row["first"], state.step
            self.best = {name: value.clone() for name, value in self.mean.items()}
        if folder is not None:
            # Written whole: a run that was killed and goes on has no row twice.
            with (folder / "log.csv").open("w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, LOG, extrasaction="ignore")
                writer.writeheader()
                writer.writerows(state.curve)

    @property
    def stopped(self) -> bool:
        """Return whether R@1 has not risen for `patience` validations."""
        return sum(row["step"] > self.state.best_step for row in self.state.curve) >= self.config.training.patience


def trained_model(config: FaierConfig, weights: Mapping[str, Tensor]) -> Model:
    """Return a model that scores with weights as they are now."""
    return Model(config.model, Layers(_arrays(weights)))


def _arrays(weights: Mapping[str, Tensor]) -> dict[str, NDArray[np.float32]]:
    return {name: value.detach().numpy().copy() for name, value in weights.items()}


def open_folder(output: Path, resume: bool) -> None:
    """Make the folder of a run, or say why a run cannot be there, before data are read, which takes minutes."""
    try:
        output.mkdir(parents=True, exist_ok=True)
        (output / "log.csv").open("a").close()
    except OSError as error:
        problem = f"nothing can be written there ({error.strerror})"
        raise InputError(problem, source=str(output), field="output", fix="name a folder of your own") from None
    if resume and not (output / RESUME).is_file():
        problem = "there is no state to continue from"
        raise InputError(problem, source=str(output / RESUME), fix="train without --resume")


def train_prepared(
    config: FaierConfig,
    data: Prepared,
    output: Path,
    vectors: WordVectors,
    folder: Path = Path(),
    *,
    resume: bool = False,
    report: Callable[[Report], None] | None = None,
) -> tuple[Trainer, dict[str, Any]]:
    """Train with data that have been read, and write the best checkpoint to `output`, with log.csv; `folder` is where
    `training.start` is looked for. Gives the trainer, and what the checkpoint says about itself."""
    open_folder(output, resume)
    words = frequent_words(data, config.training.learned)
    features = 0 if data.examples.regions is None else data.examples.regions.dimension
    shapes = weight_shapes(config.model, features, vectors.dimension, len(words) + 1)
    if config.training.start:
        weights = weights_of(folder / config.training.start, config, words, shapes)
    else:
        weights = random_weights(shapes, config.training.seed)
    learned = {word: row for row, word in enumerate(words, 1)}
    known = lexicon(data.examples.words, learned, vectors)
    trainer = Trainer(config, weights, known, data.examples, data.train, data.validation)
    if resume:
        load_state(trainer, output)
    else:
        (output / "log.csv").unlink(missing_ok=True)
    trainer.run(output, report, partial(save_state, folder=output))
    model = trained_model(config, trainer.best)
    about = {
        "vericap": __version__,
        "features": features,
        "symbolic": not config.data.regions,
        "word_dimension": vectors.dimension,
        "vectors": vectors.hash,
        "data": data.facts,
        "step": trainer.state.best_step,
        "curve": trainer.state.curve,
        "calibration": calibrate(trainer, model),
        "retrieval": retrieve(trainer, model, data.held_out),
    }
    checkpoint.save(output, _arrays(trainer.best), config, words, about)
    return trainer, about


def weights_of(
    folder: Path, config: FaierConfig, words: list[str], shapes: Mapping[str, tuple[int, ...]]
) -> dict[str, NDArray[np.float32]]:
    """Return the weights of a checkpoint to begin with; it has to be of the same model, with the same words."""
    given = checkpoint.load(folder)
    found = {name: value.shape for name, value in given.model.weights.items()}
    if given.config.model != config.model or given.words != words or found != shapes:
        raise InputError(
            "its model, its words or the length of its regions' vectors differ from those of this run",
            source=str(folder),
            field="training.start",
            fix="use the same [model], the same captions and the same detector",
        )
    return dict(given.model.weights)


def frequent_words(data: Prepared, least: int) -> list[str]:
    """Return the words with at least this many occurrences in training captions and in their triplets, and "."."""
    examples, captions = data.examples, data.examples.captions
    rows = examples.of_image.take(data.train).values
    counts: Counter[int] = Counter(captions.words.take(rows).values.tolist())
    counts.update(captions.triplets.take(captions.of_caption.take(rows).values).values.tolist())
    return sorted({".", *(examples.words[word] for word, count in counts.items() if count >= least)})


def calibrate(trainer: Trainer, model: Model) -> dict[str, Any]:
    """Return percentiles of the scores of matching and of other pairs of validation captions and images, by the number
    of references: what a map from scores to 0–1 is made of."""
    if len(trainer.validation) < 2:
        return {}
    found = {}
    fixed = trainer.config.model.variant == "fier"
    for references in (0,) if fixed else (0, 1, 4):
        scores = retrieval_scores(model, trainer.lexicon, trainer.examples, trainer.validation, references)
        others = scores[~np.eye(len(scores), dtype=bool)]
        found[str(references)] = {
            "matched": np.quantile(scores.diagonal(), _QUANTILES).round(4).tolist(),
            "mismatched": np.quantile(others, _QUANTILES).round(4).tolist(),
        }
    return {"n": found}


def retrieve(trainer: Trainer, model: Model, held_out: Integers) -> dict[str, Any]:
    """R@1, 5 and 10 both ways on images that neither training nor validation saw, by the number of references that the
    model takes (Table 6)."""
    if not len(held_out):
        return {}
    return {
        str(n): asdict(recall(retrieval_scores(model, trainer.lexicon, trainer.examples, held_out, n)))
        for n in trainer.counts
    }


def save_state(trainer: Trainer, folder: Path) -> None:
    """Write everything that a run needs to continue: weights, their mean, the best ones, Adam's moments, its progress.

    One file, put in place when it is whole: a run that is killed while it writes goes on from the state before.
    """
    tensors: dict[str, torch.Tensor] = {}
    for name, parameter in trainer.weights.items():
        tensors |= {f"weights.{name}": parameter.detach(), f"mean.{name}": trainer.mean[name]}
        tensors[f"best.{name}"] = trainer.best[name]
        tensors |= {f"adam.{key}.{name}": value for key, value in trainer.optimizer.state[parameter].items()}
    facts = {"config": trainer.config.to_dict(), "state": vars(trainer.state), "data": _digest(trainer)}
    whole = {name: value.contiguous().clone() for name, value in tensors.items()}
    with whole_path(folder / RESUME) as partial:
        save_file(whole, partial, metadata={"run": json.dumps(facts)})


def _digest(trainer: Trainer) -> str:
    """Return a hash of the words, captions, triplets and images that a run draws from."""
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
    """Continue from a saved state; one of other settings or of other data is refused."""
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
    tensors = read_tensors(folder / RESUME)
    with torch.no_grad():
        for name, parameter in trainer.weights.items():
            parameter.copy_(tensors[f"weights.{name}"])
            trainer.mean[name], trainer.best[name] = tensors[f"mean.{name}"], tensors[f"best.{name}"]
            moments = ("step", "exp_avg", "exp_avg_sq")
            trainer.optimizer.state[parameter] = {key: tensors[f"adam.{key}.{name}"] for key in moments}
    trainer.state = state
