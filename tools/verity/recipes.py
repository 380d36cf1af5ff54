"""The recipes of Verity's training: which pictures a step takes, how captions are spoilt, what is asked of z."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

import torch
import torch.nn.functional as F

from tools.verity import spoilt
from tools.verity.captions import Captions, Likeness
from tools.verity.network import Network
from tools.verity.teacher import Teacher
from vericap.encoders.wordpiece import WordPiece

TRIES = 3  # ways to spoil a caption that are tried
REFERENCES = (1, 2, 3, 4, 4, 4)  # how many references a picture has, drawn from this
MARGIN = 0.6  # how far z of a spoilt caption should at least be below that of the original
SHARES = {
    "objects": 3.0, "nouns": 5.0, "attribute": 2.0, "action": 2.0, "relation": 1.5, "count": 1.0, "negation": 1.0,
    "roles": 1.5, "invented": 2.0, "repeated": 1.0, "truncated": 0.7, "shuffled": 1.0, "dropped": 0.7, "keywords": 0.7,
}  # fmt: skip


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
    reference_which: list[int]  # of the captions of its picture


class Losses(NamedTuple):
    """The loss, its parts, and how often the network was right."""

    total: torch.Tensor
    order: float  # cross entropy over captions and over pictures
    logistic: float
    rank: float
    found: float  # share of captions that find their own picture
    ordered: float  # share of spoilt captions below the original


class Recipe(ABC):
    """Draws the texts of one step after the other; its state is that of its random numbers and what is left to draw."""

    shares: Mapping[str, float] = SHARES  # how often a caption is spoilt in each way
    margins: Mapping[str, float] = {"dropped": 0.1, "truncated": 0.3, "keywords": 0.3}
    spoilt = 1.0  # share of captions that are spoilt
    weights = (1.0, 1.5)  # of the logistic loss and of the loss on spoilt captions

    def __init__(self, captions: Captions, alike: Likeness, random: Random, pool: int, pictures: int) -> None:
        self.captions, self.alike, self.random, self.pictures = captions, alike, random, pictures
        self.order: list[int] = []
        self.pool = spoilt.make_pool(random.sample(captions.texts, min(pool, len(captions.texts))), random)

    @abstractmethod
    def choose(self) -> list[int]:
        """Return the pictures of a step."""

    @abstractmethod
    def objective(self, own: torch.Tensor, batch: Batch) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """From z [captions, pictures]: what is to be made small, the part of it that is about order, and how likely
        each caption is one of each picture."""

    def kept(self, captions: torch.Tensor, references: torch.Tensor, batch: Batch) -> torch.Tensor | float:
        """Return further losses, from the vectors of whole captions and references."""
        return 0.0

    def fill(self, images: Sequence[int]) -> None:
        """Draw a new order where too few pictures are left for a step."""
        if len(self.order) < self.pictures:
            self.order = self.random.sample(images, len(images))

    def draw(self) -> Batch:
        """Return the texts of a step."""
        batch = Batch(list(dict.fromkeys(self.choose())), [], [], [], [], [], [], [], [])
        for place, picture in enumerate(batch.pictures):
            self._add(batch, place, self.captions.of(picture))
        return batch

    def _add(self, batch: Batch, place: int, captions: Sequence[str]) -> None:
        random = self.random
        order = random.sample(range(len(captions)), len(captions))
        own, used = captions[order[0]], order[1 : 1 + random.choice(REFERENCES)]
        batch.which.append(order[0])
        batch.captions.append(own)
        batch.references.extend(captions[number] for number in used)
        batch.reference_of.extend([place] * len(used))
        batch.reference_which.extend(used)
        if self.spoilt < 1 and random.random() >= self.spoilt:
            return
        words, names = spoilt.split(own), list(spoilt.KINDS)
        for kind in random.choices(names, [self.shares[name] for name in names], k=TRIES):
            found = spoilt.KINDS[kind](words, random, self.pool)
            if found and found != words:
                batch.spoilt.append(" ".join(found))
                batch.spoilt_of.append(place)
                batch.kinds.append(kind)
                break

    def losses(self, network: Network, pieces: WordPiece, longest: int) -> Losses:
        """Return the losses of the next step."""
        batch = self.draw()
        texts = network.texts(list(pieces([*batch.captions, *batch.spoilt, *batch.references], longest).ids))
        number, both = len(batch.captions), len(batch.captions) + len(batch.spoilt)
        z = network(texts.rows(0, both), texts.rows(both), torch.tensor(batch.reference_of))
        own = z[:number]
        small, order, likely = self.objective(own, batch)
        # The other pictures together weigh four times as much as the own one.
        weights = torch.where(torch.eye(number) > 0, 1.0, 4.0 / number)
        logistic = (F.binary_cross_entropy_with_logits(own, likely, reduction="none") * weights).sum() / number
        place = torch.tensor(batch.spoilt_of, dtype=torch.long)
        above = z[place, place] - z[torch.arange(number, both), place]
        rank = F.softplus(-(2 * above - torch.tensor([self.margins.get(kind, MARGIN) for kind in batch.kinds]))).mean()
        total = small + self.weights[0] * logistic + self.weights[1] * rank
        total = total + self.kept(texts.wholes[:number], texts.wholes[both:], batch)
        found = (own.argmax(1) == torch.arange(number)).float().mean()
        parts = (order, logistic, rank, found, (above > 0).float().mean())
        return Losses(total, *(part.item() for part in parts))


def cross_entropy(own: torch.Tensor, over_captions: torch.Tensor, over_pictures: torch.Tensor) -> torch.Tensor:
    """Return the loss of z with targets that sum to 1 over captions, and with others that sum to 1 over pictures."""
    first = -(over_pictures * own.log_softmax(1)).sum(1).mean()
    return first - (over_captions * own.log_softmax(0)).sum(0).mean()


def softened(alike: Likeness, pictures: Sequence[int], soft: float) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the likelihood of each caption for each picture: 1 for its own, of which a share goes to pictures whose
    captions share words with it; as shares of 1, and each by itself."""
    own = torch.eye(len(pictures))
    if not soft:
        return own, own
    vectors = torch.from_numpy(alike.vectors[list(pictures)])
    similar = vectors @ vectors.T
    likely = torch.maximum(own, soft * ((similar - 0.3) / 0.7).clamp_min(0))
    return (1 - soft) * own + soft * (similar / 0.08).softmax(1), likely


class Contrast(Recipe):
    """A caption has to find its own picture among similar ones; a share of the target, `soft`, goes to those whose
    captions share words with it."""

    soft = 0.0
    each, near = 6, 12  # pictures per drawn one, itself among them; half of the others are of the 12 nearest

    def choose(self) -> list[int]:
        self.fill(range(len(self.captions.images)))
        chosen: list[int] = []
        for _ in range(self.pictures):
            first = self.order.pop()
            others = self.alike.neighbours[first][1:].tolist()
            near, far = others[: self.near], others[self.near :]
            half = self.each // 2
            chosen += [first, *self.random.sample(near, half), *self.random.sample(far, self.each - 1 - half)]
        return chosen

    def objective(self, own: torch.Tensor, batch: Batch) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        target, likely = softened(self.alike, batch.pictures, self.soft)
        order = cross_entropy(own, target, target)
        return 0.5 * order, order, likely


class Graded(Recipe):
    """z has to follow the teacher's targets: in order, over captions and pictures, and in distance (correlation)."""

    shares = SHARES | {"invented": 1.0, "truncated": 0.5, "dropped": 0.3, "keywords": 0.5}
    margins: Mapping[str, float] = {"dropped": 0.0, "truncated": 0.2, "keywords": 0.2, "invented": 0.3}
    spoilt = 0.7
    weights = (0.2, 0.5)
    temperature = 0.06
    near, others = 3, 20  # neighbours of each drawn picture, and other pictures
    teacher: Teacher

    def choose(self) -> list[int]:
        images, place = self.teacher.images, self.teacher.place
        self.fill(images)
        chosen: list[int] = []
        for _ in range(self.pictures):
            first = self.order.pop()
            near = [other for other in self.alike.neighbours[first][1:].tolist() if other in place]
            chosen += [first, *self.random.sample(near, min(self.near, len(near)))]
        return chosen + self.random.sample(images, min(self.others, len(images)))

    def objective(self, own: torch.Tensor, batch: Batch) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        targets = self.teacher.targets(batch.pictures, batch.which)
        wished = targets / self.temperature
        order = cross_entropy(own, wished.softmax(0), wished.softmax(1))
        centred, wanted = own - own.mean(), targets - targets.mean()
        correlation = (centred * wanted).sum() / (centred.norm() * wanted.norm())
        likely = torch.maximum(torch.eye(len(own)), ((targets - 0.25) / 0.5).clamp(0, 1))
        return 0.5 * order + 4 * (1 - correlation), order, likely


class Joint(Graded):
    """Both at once, while the vectors of whole texts stay as alike as the teacher finds them."""

    weights = (0.5, 1.0)
    near, others = 4, 12
    soft = 0.3
    keep = 40.0  # weight of the mean squared change of a cosine

    def objective(self, own: torch.Tensor, batch: Batch) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        graded, _, likely = super().objective(own, batch)
        target, also = softened(self.alike, batch.pictures, self.soft)
        order = cross_entropy(own, target, target)
        return 0.5 * (graded + order), order, (likely + also) / 2

    def kept(self, captions: torch.Tensor, references: torch.Tensor, batch: Batch) -> torch.Tensor | float:
        vectors = self.teacher.vectors[[self.teacher.place[picture] for picture in batch.pictures]]
        own = vectors[torch.arange(len(vectors)), batch.which]
        others = vectors[batch.reference_of, batch.reference_which]
        return self.keep * (captions @ references.T - own @ others.T).pow(2).mean()
