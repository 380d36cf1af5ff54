"""Trains Verity on the captions of COCO train2014 alone, without a human judgement, on one core.

    python -m tools.verity.train OUT.pt [--steps 520] [--seed 0] [--resume] [--until STEP]

Each step scores one caption of each of sixty pictures, similar ones among them, beside the references of all. What is
asked of z: the order and the distances of the teacher's targets (tools/verity/teacher.py), an absolute scale on which a
picture's own captions are told from others (logistic), and that a caption comes before a spoilt version of itself
(rank). A checkpoint holds the optimiser and the state of the random numbers: a run that is stopped and resumed gives
the same weights, bit by bit.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F

from tools.verity import spoilt
from tools.verity.captions import Captions, Likeness, likeness, read_captions
from tools.verity.network import Network, of_minilm
from tools.verity.teacher import Teacher, teacher
from vericap.encoders.installed import find_minilm
from vericap.encoders.weights import open_weights
from vericap.encoders.wordpiece import WordPiece

# How often a caption is spoilt in each way, and how far below the original it should at least be.
SHARES = {
    "objects": 3.0, "nouns": 5.0, "attribute": 2.0, "action": 2.0, "relation": 1.5, "count": 1.0, "negation": 1.0,
    "roles": 1.5, "invented": 1.0, "repeated": 1.0, "truncated": 0.5, "shuffled": 1.0, "dropped": 0.3, "keywords": 0.5,
}  # fmt: skip
MARGIN, MARGINS = 0.6, {"dropped": 0.0, "truncated": 0.2, "keywords": 0.2, "invented": 0.3}
SPOILT, TRIES = 0.7, 3  # share of captions that are spoilt, and ways that are tried
REFERENCES = (1, 2, 3, 4, 4, 4)  # how many references a picture has, drawn from this


def _option(default: Any, text: str) -> Any:
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True)
class Settings:
    """What changes the weights."""

    steps: int = _option(520, "steps of the whole run")
    seed: int = _option(0, "of all random numbers")
    pictures: int = _option(10, "pictures drawn per step")
    near: int = _option(3, "neighbours drawn for each of them")
    random: int = _option(20, "other pictures per step")
    rate: float = _option(5e-5, "learning rate of the encoder")
    layers: str = _option("0,2,5", "layers of all-MiniLM-L6-v2 that are kept")
    temperature: float = _option(0.06, "of the teacher's targets")
    logistic: float = _option(0.2, "weight of the logistic loss")
    rank: float = _option(0.5, "weight of the loss on spoilt captions")
    pool: int = _option(60_000, "captions that spoilt ones take words from")
    longest: int = _option(32, "word pieces of a caption")


class Batch(NamedTuple):
    """The texts of a step: one caption of each picture, spoilt ones, references."""

    pictures: list[int]
    captions: list[str]
    which: list[int]  # of the captions of its picture
    spoilt: list[str]
    spoilt_of: list[int]  # the picture of each, as a place in `pictures`
    kinds: list[str]
    references: list[str]
    reference_of: list[int]


class Sampler:
    """Draws the texts of one step after the other; its state is that of its random numbers and what is left to draw."""

    def __init__(self, captions: Captions, alike: Likeness, soft: Teacher, settings: Settings, random: Random) -> None:
        self.captions, self.alike, self.teacher = captions, alike, soft
        self.settings, self.random = settings, random
        self.order: list[int] = []
        many = min(settings.pool, len(captions.texts))
        self.pool = spoilt.make_pool(random.sample(captions.texts, many), random)

    def draw(self) -> Batch:
        """The texts of a step."""
        random, settings, images = self.random, self.settings, self.teacher.images
        if len(self.order) < settings.pictures:
            self.order = random.sample(images, len(images))
        chosen: list[int] = []
        for _ in range(settings.pictures):
            first = self.order.pop()
            near = [other for other in self.alike.neighbours[first][1:].tolist() if other in self.teacher.place]
            chosen += [first, *random.sample(near, min(settings.near, len(near)))]
        chosen += random.sample(images, settings.random)
        batch = Batch(list(dict.fromkeys(chosen)), [], [], [], [], [], [], [])
        for place, picture in enumerate(batch.pictures):
            self._add(batch, place, self.captions.of(picture))
        return batch

    def _add(self, batch: Batch, place: int, captions: Sequence[str]) -> None:
        random = self.random
        order = random.sample(range(len(captions)), len(captions))
        own, *rest = (captions[number] for number in order)
        batch.which.append(order[0])
        batch.captions.append(own)
        used = rest[: random.choice(REFERENCES)]
        batch.references.extend(used)
        batch.reference_of.extend([place] * len(used))
        if random.random() >= SPOILT:
            return
        words, names = spoilt.split(own), list(spoilt.KINDS)
        for kind in random.choices(names, [SHARES[name] for name in names], k=TRIES):
            found = spoilt.KINDS[kind](words, random, self.pool)
            if found and found != words:
                batch.spoilt.append(" ".join(found))
                batch.spoilt_of.append(place)
                batch.kinds.append(kind)
                break


class Losses(NamedTuple):
    """The loss, its parts, and how often the network was right."""

    total: torch.Tensor
    order: float  # cross entropy with the teacher's targets over captions and over pictures
    correlation: float  # of z with the targets
    logistic: float
    rank: float
    found: float  # share of captions that find their own picture
    ordered: float  # share of spoilt captions below the original


def losses(network: Network, pieces: WordPiece, batch: Batch, soft: Teacher, settings: Settings) -> Losses:
    """The losses of a step."""
    given = [*batch.captions, *batch.spoilt, *batch.references]
    texts = network.texts(list(pieces(given, settings.longest).ids))
    number, both = len(batch.captions), len(batch.captions) + len(batch.spoilt)
    z = network(texts.rows(0, both), texts.rows(both), torch.tensor(batch.reference_of))
    own, same = z[:number], torch.eye(number)
    targets = soft.targets(batch.pictures, batch.which)
    wished = targets / settings.temperature
    by_caption, by_picture = (-(wished.softmax(d) * own.log_softmax(d)).sum(d).mean() for d in (0, 1))
    order = by_caption + by_picture
    centred, wanted = own - own.mean(), targets - targets.mean()
    correlation = (centred * wanted).sum() / (centred.norm() * wanted.norm())
    # The other pictures together weigh four times as much as the own one.
    weights = torch.where(same > 0, 1.0, 4.0 / number)
    likely = torch.maximum(same, ((targets - 0.25) / 0.5).clamp(0, 1))
    logistic = (F.binary_cross_entropy_with_logits(own, likely, reduction="none") * weights).sum() / number
    place = torch.tensor(batch.spoilt_of, dtype=torch.long)
    above = z[place, place] - z[torch.arange(number, both), place]
    margins = torch.tensor([MARGINS.get(kind, MARGIN) for kind in batch.kinds])
    rank = F.softplus(-(2 * above - margins)).mean()
    total = 0.5 * order + 4 * (1 - correlation) + settings.logistic * logistic + settings.rank * rank
    found = (own.argmax(1) == torch.arange(number)).float().mean()
    parts = (order, correlation, logistic, rank, found, (above > 0).float().mean())
    return Losses(total, *(part.item() for part in parts))


class Training:
    """A run: network, optimiser, random numbers and the step it has come to."""

    def __init__(self, network: Network, pieces: WordPiece, sampler: Sampler, settings: Settings) -> None:
        self.network, self.pieces, self.sampler, self.settings = network, pieces, sampler, settings
        # What words mean is known; what captions need is learned above that.
        network.encoder.words.weight.requires_grad_(False)
        network.encoder.position.weight.requires_grad_(False)
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
        """One step."""
        share = self.step / self.settings.steps
        for group, rate in zip(self.optimiser.param_groups, self.rates, strict=True):
            group["lr"] = rate * min(1, (self.step + 1) / 40) * (1 - share)
        found = losses(self.network, self.pieces, self.sampler.draw(), self.sampler.teacher, self.settings)
        self.optimiser.zero_grad()
        found.total.backward()
        torch.nn.utils.clip_grad_norm_(self.encoder, 1.0)
        self.optimiser.step()
        self.step += 1
        return found

    def save(self, path: Path) -> None:
        """Writes a checkpoint, whole or not at all."""
        version, numbers, gauss = self.sampler.random.getstate()
        beside = path.with_suffix(".part")
        torch.save(
            {
                "state": self.network.state_dict(),
                "optimiser": self.optimiser.state_dict(),
                "step": self.step,
                "random": [version, list(numbers), gauss],
                "order": self.sampler.order,
                "settings": asdict(self.settings),
            },
            beside,
        )
        beside.replace(path)

    def resume(self, path: Path) -> None:
        """Goes on from a checkpoint of the same settings."""
        found = torch.load(path, weights_only=True)
        if found["settings"] != asdict(self.settings):
            changed = [name for name, value in asdict(self.settings).items() if found["settings"].get(name) != value]
            raise SystemExit(f"{path} was made with other settings: {', '.join(changed)}")
        self.network.load_state_dict(found["state"])
        self.optimiser.load_state_dict(found["optimiser"])
        self.step, self.sampler.order = found["step"], found["order"]
        version, numbers, gauss = found["random"]
        self.sampler.random.setstate((version, tuple(numbers), gauss))

    def run(self, path: Path, until: int, every: int = 100) -> None:
        """Trains up to a step, writes checkpoints and tells how it goes."""
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
    """A run at its first step."""
    torch.set_num_threads(1)  # sums in one order, whatever the machine
    torch.manual_seed(settings.seed)
    captions, alike = read_captions("train2014"), likeness("train2014")
    soft = teacher(captions, alike, minilm)
    sampler = Sampler(captions, alike, soft, settings, Random(settings.seed))
    network = of_minilm(minilm, [int(layer) for layer in settings.layers.split(",")])
    return Training(network, WordPiece(open_weights(minilm).pieces), sampler, settings)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="file of the checkpoint")
    parser.add_argument("--minilm", type=Path, help="folder of all-MiniLM-L6-v2; that of the installed package")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint")
    parser.add_argument("--until", type=int, help="stop after this step")
    for each in fields(Settings):
        kind = type(each.default)
        parser.add_argument(f"--{each.name}", type=kind, default=each.default, help=each.metadata["help"])
    given = vars(parser.parse_args())
    settings = Settings(**{each.name: given[each.name] for each in fields(Settings)})
    training = start(settings, given["minilm"] or find_minilm("the training"))
    if given["resume"]:
        training.resume(given["out"])
    training.run(given["out"], given["until"] or settings.steps)


if __name__ == "__main__":
    main()
