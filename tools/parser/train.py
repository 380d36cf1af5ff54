"""Trains the network on silver trees: a number of steps, whose data and random numbers follow from the seed and the
step, so that a run that was stopped goes on from its last checkpoint and ends with the same weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from tools.parser.network import Student, Swap, Vocabulary
from tools.parser.silver import Silver

AVERAGE = 0.9985
EVERY = 200  # steps between checkpoints
# Long captions are few and hard: those of this many words and more come this often in an epoch.
OFTEN = ((25, 8), (20, 4), (15, 2), (0, 1))


@dataclass(frozen=True)
class Schedule:
    """Settings of the training: `rate` is the highest learning rate, reached after `warm` of the steps, held until
    `flat` of them and then lowered to zero."""

    seed: int = 1
    steps: int = 10_300
    rate: float = 3e-3
    dropout: float = 0.0
    words: int = 1800  # in a batch
    warm: float = 0.02
    flat: float = 0.3

    def rate_at(self, step: int) -> float:
        """Return the learning rate of a step.

        >>> [round(Schedule(steps=100, rate=1.0).rate_at(step), 2) for step in (0, 1, 2, 30, 65)]
        [0.0, 0.5, 1.0, 1.0, 0.5]
        """
        done = step / self.steps
        return self.rate * min(1.0, done / self.warm) * (1 - max(0.0, (done - self.flat) / (1 - self.flat)))


def train(
    vocabulary: Vocabulary, sentences: list[Silver], schedule: Schedule, checkpoint: Path, start: Path | None = None
) -> dict[str, torch.Tensor]:
    """Return the moving average of the weights after all steps; goes on from `checkpoint` if there is one, and begins
    with the weights in `start` if that is given."""
    torch.set_num_threads(1)
    torch.manual_seed(schedule.seed)
    buckets = vocabulary.encode(sentences)
    swap = Swap(vocabulary, buckets)
    student = Student(vocabulary, schedule.dropout)
    if start is not None:
        student.load_state_dict(torch.load(start, weights_only=True))
    optimizer = torch.optim.AdamW(student.parameters(), lr=schedule.rate, betas=(0.9, 0.98), weight_decay=0.01)
    average = {name: value.clone() for name, value in student.state_dict().items()}
    step = 0
    if checkpoint.exists():
        kept = torch.load(checkpoint, weights_only=True)
        student.load_state_dict(kept["weights"])
        optimizer.load_state_dict(kept["optimizer"])
        average, step = kept["average"], kept["step"]
    counts = torch.from_numpy(vocabulary.counts)
    for length, rows in batches(buckets, schedule, step):
        torch.manual_seed(schedule.seed * 1_000_003 + step)
        batch = {name: buckets[length][name][rows] for name in "xhtr"}
        batch["x"] = hidden(swap(batch["x"], batch["t"]), counts)
        for group in optimizer.param_groups:
            group["lr"] = schedule.rate_at(step)
        loss = learn(student, optimizer, batch, schedule.words)
        step += 1
        decay = min(AVERAGE, (1 + step) / (10 + step))
        with torch.no_grad():
            for name, value in student.state_dict().items():
                average[name].lerp_(value, 1 - decay)
        if step % EVERY == 0:
            print(f"step {step} of {schedule.steps}, loss {loss:.3f}", flush=True)
            kept = {"weights": student.state_dict(), "optimizer": optimizer.state_dict()}
            save({**kept, "average": average, "step": step}, checkpoint)
    return average


def batches(
    buckets: dict[int, dict[str, torch.Tensor]], schedule: Schedule, first: int
) -> Iterator[tuple[int, torch.Tensor]]:
    """Length and rows of each batch from step `first` to the last."""
    step = epoch = 0
    while step < schedule.steps:
        random = np.random.default_rng((schedule.seed, epoch))
        found = []
        for length, bucket in buckets.items():
            times = next(times for least, times in OFTEN if length >= least)
            order = torch.from_numpy(np.concatenate([random.permutation(len(bucket["x"])) for _ in range(times)]))
            found += [(length, part) for part in order.split(max(8, schedule.words // (length + 1)))]
        random.shuffle(found)
        for length, rows in found[: schedule.steps - step]:
            if step >= first:
                yield length, rows
            step += 1
        epoch += 1


def hidden(x: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    """Hide rare words now and then, so that affixes learn to replace words never seen."""
    seen = counts[x[..., 0]]
    x[..., 0][torch.rand(seen.shape) < 0.5 / (0.5 + seen) + 0.01] = 0
    return x


def learn(student: Student, optimizer: torch.optim.Optimizer, batch: dict[str, torch.Tensor], words: int) -> float:
    """Take one step and return the loss."""
    tag, arc, label = student(batch["x"], batch["h"])
    loss = (
        functional.cross_entropy(arc.flatten(0, 1), batch["h"].flatten())
        + 0.5 * functional.cross_entropy(tag.flatten(0, 1), batch["t"].flatten())
        + 0.7 * functional.cross_entropy(label.flatten(0, 1), batch["r"].flatten())
    )
    optimizer.zero_grad()
    (loss * (batch["h"].numel() / words) ** 0.5).backward()
    nn.utils.clip_grad_norm_(student.parameters(), 2.0)
    optimizer.step()
    return loss.item()


def save(what: dict[str, Any], path: Path) -> None:
    """Write a file so that a run that is stopped never leaves half of it."""
    unfinished = path.with_suffix(".tmp")
    torch.save(what, unfinished)
    unfinished.replace(path)
