"""The information of a picture's labels about its caption: a plain model of p(labels | caption), a yardstick for
retrieval.

Each of COCO's eighty labels gets a probability from the caption's bag of words, learned on the captions that FAIEr is
trained on. A caption c and a picture with the labels y are then ranked by how much more often they go together than by
chance, log p(y | c) − log p(y): the best order there is if the model is right. It is not FAIEr and no metric; it shows
how far a caption leads to a picture of which no more is known than its labels.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vericap.arrays import Integers
from vericap.metrics.faier.examples import Examples, Prepared
from vericap.metrics.faier.pictures import PICTURE
from vericap.metrics.faier.retrieval import Recall, recall

_EPOCHS, _BATCH, _HIDDEN, _MARGINAL = 4, 250, 256, 6000


class Likelihood(nn.Module):
    """Log odds of the labels [captions, labels]: linear in the counts of words, and a hidden layer besides."""

    def __init__(self, words: int, labels: int) -> None:
        super().__init__()
        self.linear = nn.EmbeddingBag(words, labels, mode="sum")
        self.embedding = nn.EmbeddingBag(words, _HIDDEN, mode="sum")
        self.out = nn.Linear(_HIDDEN, labels)
        nn.init.zeros_(self.linear.weight)
        nn.init.normal_(self.embedding.weight, std=0.1)

    def forward(self, words: Tensor, offsets: Tensor) -> Tensor:
        hidden = functional.dropout(torch.relu(self.embedding(words, offsets)), 0.3, self.training)
        odds: Tensor = self.linear(words, offsets) + self.out(hidden)
        return odds


def retrieved(data: Prepared, ranks: tuple[int, ...]) -> Recall:
    """R@k on the held-out pictures, each with its first caption."""
    examples, truth = data.examples, _labels(data.examples)
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    model = Likelihood(len(examples.words), truth.shape[1])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.002)
    for epoch in range(_EPOCHS * 5):
        order = rng.permutation(data.train)
        for group in optimizer.param_groups:
            group["lr"] = 0.002 * 0.7 ** (epoch // 5)
        for start in range(0, len(order), _BATCH):
            images = order[start : start + _BATCH]
            odds = model(*_bags(examples, images, epoch))
            loss = functional.binary_cross_entropy_with_logits(odds, truth[images], reduction="sum") / len(images)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    model.eval()
    with torch.inference_mode():
        shown = truth[data.held_out]
        given = _log_likelihood(model(*_bags(examples, data.held_out, 0)), shown)
        some = rng.permutation(data.train)[:_MARGINAL]
        chance = torch.logsumexp(_log_likelihood(model(*_bags(examples, some, 1)), shown), dim=0)
        return recall((given - chance).double().numpy().round(4), ranks)


def _log_likelihood(odds: Tensor, shown: Tensor) -> Tensor:
    """log p(y | c) [captions, images] for labels that are independent given the caption."""
    return odds @ shown.T - functional.softplus(odds).sum(dim=1, keepdim=True)


def _labels(examples: Examples) -> Tensor:
    """Return the labels of each image [images, labels]."""
    regions = examples.regions
    if regions is None or regions.labels is None:
        raise ValueError("the images have no labels")
    names = np.array(regions.labels)
    rows = np.repeat(np.arange(len(examples)), np.diff(regions.offsets))[names != PICTURE]
    classes, column = np.unique(names[names != PICTURE], return_inverse=True)
    truth = torch.zeros(len(examples), len(classes))
    truth[torch.from_numpy(rows), torch.from_numpy(column)] = 1
    return truth


def _bags(examples: Examples, images: Integers, turn: int) -> tuple[Tensor, Tensor]:
    """Return the words of each image's caption number `turn`, one caption after the other, and where each begins."""
    rows = np.array([own[turn % len(own)] for own in map(examples.captions_of, images.tolist())])
    words = examples.captions.words.take(rows)
    return torch.from_numpy(words.values), torch.from_numpy(words.offsets[:-1])
