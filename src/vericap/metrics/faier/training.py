"""Training (sections 3.4 and 4.2): Adam on the triplet loss, early stop on validation R@1, states that resume exactly.

What a step draws depends on the seed and the step's number alone, so a run that was stopped goes on as if it were not.
"""

from __future__ import annotations

import csv
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from vericap.arrays import Integers
from vericap.metrics.faier.batch import Batch
from vericap.metrics.faier.config import Config
from vericap.metrics.faier.data import Examples, draw
from vericap.metrics.faier.inputs import Lexicon
from vericap.metrics.faier.loss import triplet_loss
from vericap.metrics.faier.model import Model
from vericap.metrics.faier.recall import recall, retrieval_scores

LOG = ("step", "epoch", "loss", "learning_rate", "image_to_text", "text_to_image", "first", "seconds")


@dataclass
class State:
    """Where training stands."""

    step: int = 0
    best: float = -1.0
    best_step: int = 0
    curve: list[dict[str, float]] = field(default_factory=list)


@dataclass
class Report:
    """What is told after each step: its number out of how many, its loss, and the best validation R@1 so far."""

    step: int
    steps: int
    loss: float
    best: float
    validated: bool  # R@1 was measured after this step


class Trainer:
    """A model, its optimizer and the running mean of its weights.

    `train` and `validation` are rows of the examples; `validation` may be empty, then the last weights are the best.
    """

    def __init__(
        self, config: Config, model: Model, lexicon: Lexicon, examples: Examples, train: Integers, validation: Integers
    ) -> None:
        self.config, self.model, self.lexicon, self.examples = config, model, lexicon, examples
        self.train, self.validation = train, validation
        model.embedding.dropout.p = config.training.dropout
        self.optimizer = torch.optim.Adam(model.parameters(), lr=config.training.learning_rate, fused=True)
        self.mean = {name: value.detach().clone() for name, value in model.named_parameters()}
        self.best = {name: value.clone() for name, value in self.mean.items()}
        self.state = State()
        self.epoch_steps = max(1, len(train) // config.training.batch)
        self.steps = config.training.epochs * self.epoch_steps

    def learning_rate(self, step: int) -> float:
        """A rise over the first hundredth of the steps, then a cosine down to the share `decay`."""
        settings = self.config.training
        rise = min(1.0, (step + 1) / max(1, self.steps // 100))
        down = 0.5 * (1 + math.cos(math.pi * step / self.steps))
        return settings.learning_rate * rise * (settings.decay + (1 - settings.decay) * down)

    def draw(self, step: int) -> Batch:
        """The mini-batch of a step."""
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
        """One update; gives the loss."""
        settings, step = self.config.training, self.state.step
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate(step)
        torch.manual_seed(settings.seed * 1_000_003 + step)  # dropout
        self.model.train()
        warm = step < settings.warm_up * self.epoch_steps
        scores = self.scores(self.draw(step))
        loss = triplet_loss(scores, settings.margin, hardest=not warm)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), settings.clip)
        self.optimizer.step()
        self.state.step += 1
        self._average()
        return float(loss.detach()) / len(scores)

    def _average(self) -> None:
        # Short memory at first: the mean must not hold on to random weights.
        keep = min(self.config.training.average, (1 + self.state.step) / (10 + self.state.step))
        keep = keep if self.config.training.average else 0.0
        with torch.no_grad():
            for name, value in self.model.named_parameters():
                self.mean[name].lerp_(value, 1 - keep)

    def validate(self) -> dict[str, float]:
        """R@1 of the mean weights on the validation images: without references and with four for a model trained with
        r, else with as many as it was trained with."""
        wanted = {"r": (0, 4)}.get(self.config.training.references) or (int(self.config.training.references),)
        if self.config.model.variant == "fier":
            wanted = (0,)
        with Weights(self.model, self.mean):
            self.model.eval()
            found = {
                n: recall(retrieval_scores(self.model, self.lexicon, self.examples, self.validation, n), (1,))
                for n in wanted
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
        """Trains to the end, to an early stop, or until a step; `save` is called whenever a validation is due."""
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
        """Measures R@1, writes the log and keeps the weights if they are the best."""
        state = self.state
        row = self.validate()
        row |= {"step": state.step, "epoch": state.step / self.epoch_steps, "loss": loss, "seconds": seconds}
        row["learning_rate"] = self.learning_rate(state.step - 1)
        state.curve.append(row)
        if row["first"] > state.best:
            state.best, state.best_step = row["first"], state.step
            self.best = {name: value.clone() for name, value in self.mean.items()}
        if folder is not None:
            _log(folder / "log.csv", state.curve)

    @property
    def stopped(self) -> bool:
        """Whether R@1 has not risen for `patience` validations."""
        return sum(row["step"] > self.state.best_step for row in self.state.curve) >= self.config.training.patience


class Weights:
    """Other weights in a model for a while."""

    def __init__(self, model: Model, weights: dict[str, Tensor]) -> None:
        self.model, self.weights = model, weights

    def __enter__(self) -> None:
        self.own = {name: value.detach().clone() for name, value in self.model.named_parameters()}
        self._set(self.weights)

    def __exit__(self, *error: Any) -> None:
        self._set(self.own)

    def _set(self, weights: dict[str, Tensor]) -> None:
        with torch.no_grad():
            for name, value in self.model.named_parameters():
                value.copy_(weights[name])


def _log(path: Path, curve: list[dict[str, float]]) -> None:
    # Written whole: a run that was killed and goes on has no row twice.
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, LOG, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(curve)
