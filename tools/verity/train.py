"""Trains Verity on the captions of COCO train2014 alone, without a human judgement, on one core.

    python -m tools.verity.train OUT.pt [--resume] [--until STEP]                          what ships: 20 minutes
    python -m tools.verity.train OUT.pt --start vectors --recipe contrast --soft 0.3 --rate 3e-4 --steps 900

The second takes no weight from a BERT: only the word vectors that ship and COCO's captions.

Each step scores one caption of each of sixty pictures, similar ones among them, against the references of all. What is
asked of z: that a caption finds its own picture (contrast), that z follows a teacher's targets (graded), or both, while
whole texts stay as alike as the teacher finds them (joint); an absolute scale on which a picture's own captions are
told from others (logistic); and that a caption comes before a spoilt version of itself (rank). A checkpoint holds the
optimiser and the state of the random numbers: a run that is stopped and resumed gives the same weights, bit by bit.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch

from tools.verity.captions import likeness, read_captions
from tools.verity.network import Network, of_minilm, of_vectors
from tools.verity.recipes import Contrast, Graded, Joint, Losses, Recipe
from tools.verity.teacher import teacher
from vericap.encoders.installed import find_minilm
from vericap.encoders.weights import open_weights
from vericap.encoders.wordpiece import WordPiece

RECIPES = ("contrast", "graded", "joint")
LAYERS_FROM_NOTHING = 2


def _option(default: Any, text: str) -> Any:
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True)
class Settings:
    """The settings that change the weights."""

    recipe: str = _option("joint", "contrast, graded or joint")
    steps: int = _option(480, "steps of the whole run")
    seed: int = _option(0, "of all random numbers")
    pictures: int = _option(10, "pictures drawn per step")
    soft: float = _option(0.0, "contrast: share of the targets that goes to similar pictures")
    rate: float = _option(4e-5, "learning rate of the encoder")
    layers: str = _option("0,1,2,3,4,5", "layers of all-MiniLM-L6-v2 that are kept")
    start: str = _option("minilm", "minilm, or vectors: two layers from nothing above the word vectors that ship")
    frozen: int = _option(3, "how many of the lowest layers of a BERT are not trained")
    pool: int = _option(60_000, "captions that spoilt ones take words from")
    longest: int = _option(32, "word pieces of a caption")


class Training:
    """A run: network, optimiser, random numbers and the step it has come to."""

    def __init__(self, network: Network, pieces: WordPiece, recipe: Recipe, settings: Settings) -> None:
        self.network, self.pieces, self.recipe, self.settings = network, pieces, recipe, settings
        # What words mean is known; what captions need is learned above that.
        network.encoder.words.weight.requires_grad_(False)
        network.encoder.position.weight.requires_grad_(settings.start == "vectors")
        if settings.start == "minilm" and settings.frozen:
            network.encoder.norm.requires_grad_(False)
            for layer in network.encoder.layers[: settings.frozen]:
                layer.requires_grad_(False)
        learned = [(name, weight) for name, weight in network.named_parameters() if weight.requires_grad]
        self.encoder = [weight for name, weight in learned if name.startswith("encoder")]
        pieces_of = [weight for name, weight in learned if name.startswith(("project", "weigh"))]
        sums = [network.raw, network.own, network.bias, network.single, network.count]
        self.rates = [settings.rate, 1e-3, 1e-2]
        groups = [
            {"params": weights, "lr": rate, "weight_decay": decay}
            for weights, rate, decay in zip((self.encoder, pieces_of, sums), self.rates, (0.01, 0.0, 0.0), strict=True)
        ]
        self.optimiser = torch.optim.AdamW(groups, betas=(0.9, 0.98))
        self.step = 0

    def advance(self) -> Losses:
        """Take one step."""
        share = self.step / self.settings.steps
        for group, rate in zip(self.optimiser.param_groups, self.rates, strict=True):
            group["lr"] = rate * min(1, (self.step + 1) / 40) * (1 - share)
        found = self.recipe.losses(self.network, self.pieces, self.settings.longest)
        self.optimiser.zero_grad()
        found.total.backward()
        torch.nn.utils.clip_grad_norm_(self.encoder, 1.0)
        self.optimiser.step()
        self.step += 1
        return found

    def save(self, path: Path) -> None:
        """Write a checkpoint, whole or not at all."""
        version, numbers, gauss = self.recipe.random.getstate()
        beside = path.with_suffix(".part")
        torch.save(
            {
                "state": self.network.state_dict(),
                "optimiser": self.optimiser.state_dict(),
                "step": self.step,
                "random": [version, list(numbers), gauss],
                "order": self.recipe.order,
                "settings": asdict(self.settings),
            },
            beside,
        )
        beside.replace(path)

    def resume(self, path: Path) -> None:
        """Go on from a checkpoint of the same settings."""
        found = torch.load(path, weights_only=True)
        if found["settings"] != asdict(self.settings):
            changed = [name for name, value in asdict(self.settings).items() if found["settings"].get(name) != value]
            raise SystemExit(f"{path} was made with other settings: {', '.join(changed)}")
        self.network.load_state_dict(found["state"])
        self.optimiser.load_state_dict(found["optimiser"])
        self.step, self.recipe.order = found["step"], found["order"]
        version, numbers, gauss = found["random"]
        self.recipe.random.setstate((version, tuple(numbers), gauss))

    def run(self, path: Path, until: int, every: int = 100) -> None:
        """Train up to a step, write checkpoints and report progress."""
        told: list[list[float]] = []
        start = time.monotonic()
        while self.step < min(until, self.settings.steps):
            told.append(list(self.advance()[1:]))
            if self.step % 20 == 0:
                means = np.mean(told[-20:], axis=0)
                shown = " ".join(f"{name} {mean:.3f}" for name, mean in zip(Losses._fields[1:], means, strict=True))
                print(f"{self.step:>6} {time.monotonic() - start:6.0f} s  {shown}", flush=True)
            if self.step % every == 0:
                self.save(path)
        self.save(path)


def start(settings: Settings, minilm: Path) -> Training:
    """Return a run at its first step."""
    torch.set_num_threads(1)  # sums in one order, whatever the machine
    torch.manual_seed(settings.seed)
    captions, alike = read_captions("train2014"), likeness("train2014")
    random = Random(settings.seed)
    recipe: Recipe
    if settings.recipe == "contrast":
        recipe = contrast = Contrast(captions, alike, random, settings.pool, settings.pictures)
        contrast.soft = settings.soft
    else:
        kind = Joint if settings.recipe == "joint" else Graded
        recipe = graded = kind(captions, alike, random, settings.pool, settings.pictures)
        graded.teacher = teacher(captions, alike, minilm)
    if settings.start == "vectors":
        network = of_vectors(minilm, LAYERS_FROM_NOTHING)
    else:
        network = of_minilm(minilm, [int(layer) for layer in settings.layers.split(",")])
    return Training(network, WordPiece(open_weights(minilm).pieces), recipe, settings)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="file of the checkpoint")
    parser.add_argument("--minilm", type=Path, help="folder of all-MiniLM-L6-v2; that of the installed package")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint")
    parser.add_argument("--until", type=int, help="stop after this step")
    for each in fields(Settings):
        kind = type(each.default)
        choices = RECIPES if each.name == "recipe" else None
        help_text = each.metadata["help"]
        parser.add_argument(f"--{each.name}", type=kind, default=each.default, choices=choices, help=help_text)
    given = vars(parser.parse_args())
    settings = Settings(**{each.name: given[each.name] for each in fields(Settings)})
    training = start(settings, given["minilm"] or find_minilm("the training"))
    if given["resume"]:
        training.resume(given["out"])
    training.run(given["out"], given["until"] or settings.steps)


if __name__ == "__main__":
    main()
