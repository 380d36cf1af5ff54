"""A captioner small enough to watch: one row of word scores for each position of each image, trained by self-critical
sequence training (Rennie et al. 2017) with any reward, as the CIDEr-R paper trains (Oliveira dos Santos et al. 2021).

    python -m benchmarks.papers.toy_captioner cider-d

It can only say a few of the words that the one long reference has, which is the situation of the CIDEr-R paper: the
length penalty of CIDEr-D asks for a caption as long as the reference, and a captioner with no more to say repeats
itself.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
import torch

from vericap.reward import Reward, Vocabulary

# One reference for each image; the captioner knows four words of each.
REFERENCES = {
    1: ["a brown dog runs beside two children who throw yellow balls across some grass near an old wooden fence"],
    2: ["the red bus waits behind three taxis that block every lane along this busy street under tall gray buildings"],
}
KNOWN = ["brown", "dog", "children", "grass", "red", "bus", "taxis", "street"]
END = 0
POSITIONS = 20


def make_reward(metric: str) -> Reward:
    """Return a reward on the toy's references; captions are rows of word numbers, 0 ends one."""
    return Reward(metric, REFERENCES, tokenizer="whitespace", vocabulary=Vocabulary(["<end>", *KNOWN], end=END))


@dataclass(frozen=True)
class Trained:
    """Mean reward of the samples at each step, and the greedy captions at the end."""

    rewards: list[float]
    captions: dict[int, list[str]]


def train(reward: Reward, *, steps: int = 150, samples: int = 24, learning_rate: float = 0.3, seed: int = 0) -> Trained:
    """REINFORCE with the mean of the other samples as baseline. The first words are no wiser than chance."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # its matrices are so small that threads would only wait for each other
    images = list(REFERENCES)
    scores = torch.zeros(len(images), POSITIONS, len(KNOWN) + 1, requires_grad=True)
    optimizer = torch.optim.Adam([scores], learning_rate)
    history = []
    for _ in range(steps):
        policy = torch.distributions.Categorical(logits=scores.repeat_interleave(samples, 0))
        words = policy.sample()
        found = reward.leave_one_out(words, np.repeat(images, samples))
        ended = torch.cumsum(words == END, 1)
        said = (ended == 0) | ((words == END) & (ended == 1))  # what comes after the end was not said
        advantage = torch.from_numpy(found.advantages)
        loss = -(advantage[:, None] * policy.log_prob(words) * said).sum(1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(float(found.rewards.mean()))
    greedy = scores.argmax(-1)
    spelled = Vocabulary(["<end>", *KNOWN], end=END)
    return Trained(history, {image: spelled.spell(row) for image, row in zip(images, greedy, strict=True)})


def repetition(caption: list[str]) -> float:
    """Words for each different word: 1 where none comes twice.

    >>> repetition(["dog", "dog", "grass", "dog"])
    2.0
    """
    return len(caption) / max(len(set(caption)), 1)


if __name__ == "__main__":
    for metric in sys.argv[1:] or ["cider", "cider-d", "cider-r"]:
        run = train(make_reward(metric))
        print(f"{metric}: {np.mean(run.rewards[:10]):.3f} → {np.mean(run.rewards[-10:]):.3f}")
        for image, caption in run.captions.items():
            print(f"  {image}: {' '.join(caption)}")
