"""The rewards of captions that people would not write: CIDEr, CIDEr-D and CIDEr-R on repetition, endless text,
punctuation and soups of frequent n-grams, on captions of the CIDEr-R paper (Oliveira dos Santos et al. 2021), and on
those that a toy captioner finds by itself. Writes the tables of docs/reward.md.

    python -m benchmarks.papers.reward_hacks [IMAGES]
"""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np

from benchmarks import coco
from benchmarks.pages import replace, table
from benchmarks.papers.toy_captioner import REFERENCES, make_reward, train
from benchmarks.places import ROOT
from vericap.reward import Reward

PAGE = ROOT / "docs" / "reward.md"
METRICS = ("cider", "cider-d", "cider-r")

# Of the paper's Figure 4: one reference, and what models say that were trained with CIDEr-D and with CIDEr-R; of its
# Table 3: right captions, and wrong ones that repeat words of the reference.
PAPER = {
    "Two kayaks are sitting on a river bank empty.": {
        "trained with CIDEr-D": "a yellow and yellow boat sitting on the side of a beach next to a boat",
        "trained with CIDEr-R": "a yellow surfboard sitting on the beach next to the ocean",
    },
    "A cat stares at itself in a mirror.": {
        "trained with CIDEr-D": "a black and white cat sitting in a mirror looking in a mirror",
        "trained with CIDEr-R": "a cat sitting in front of a mirror",
    },
    "A bird sitting on the back of a cow and a dog and bird standing on the ground next to the cow.": {
        "wrong, repeats": "A bird sitting on the on on on cat and a dog and a dog and and sitting on next to.",
        "right": "A dog and a cow with a bird sitting on its back.",
    },
    "Dog laying on couch looking into distance with remote control by paw": {
        "wrong, repeats": "Cat looking into distance distance distance with a remote control.",
        "right": "A dog laying with a remote control.",
    },
}


def soup(captions: list[str], length: int = 20) -> str:
    """Return the most frequent four-grams of the captions, one after the other."""
    counts = Counter(
        tuple(words[i : i + 4]) for words in (c.lower().split() for c in captions) for i in range(len(words) - 3)
    )
    return " ".join(" ".join(ngram) for ngram, _ in counts.most_common(length // 4))


def hacks(caption: str, others: str, frequent: str) -> dict[str, str]:
    """Captions made from a person's, by name."""
    words = caption.rstrip(". ").split()
    return {
        "a person's caption": caption,
        "every word twice in a row": " ".join(word for word in words for _ in range(2)),
        "the caption three times": " ".join(words * 3),
        "its last word until there are 20": " ".join([*words, *[words[-1]] * max(20 - len(words), 1)]),
        "its first half, twice": " ".join(words[: len(words) // 2 + 1] * 2),
        "endless text: 100 words of other captions behind it": f"{' '.join(words)} {others}",
        "40 full stops behind it": f"{caption}{' .' * 40}",
        "a soup of COCO's most frequent four-grams": frequent,
    }


def on_coco(images: int) -> list[list[str]]:
    """Mean scores of hacks made from the first caption of each image, against the other four."""
    captions = dict(list(coco.captions().items())[:images])
    reward = Reward(dict.fromkeys(METRICS, 1.0), {i: group[1:] for i, group in captions.items()}, df="coco")
    texts = [group[0] for group in captions.values()]
    others = " ".join(" ".join(texts).split()[:100])
    frequent = soup([caption for group in captions.values() for caption in group])
    rows = [hacks(text, others, frequent) for text in texts]
    lines = [["caption", *METRICS]]
    for name in rows[0]:
        parts = reward.parts([row[name] for row in rows], list(captions))
        lines.append([name, *(f"{np.mean(parts[metric]):.3f}" for metric in METRICS)])
    return lines


def on_the_paper() -> list[list[str]]:
    """Return the captions of the paper's Figure 4 and Table 3."""
    lines = [["reference", "what it is", "caption", *METRICS]]
    reward = Reward(dict.fromkeys(METRICS, 1.0), {text: [text] for text in PAPER}, df="coco")
    for reference, captions in PAPER.items():
        parts = reward.parts(list(captions.values()), [reference] * len(captions))
        for at, (name, caption) in enumerate(captions.items()):
            lines.append([reference, name, caption, *(f"{parts[each][at]:.3f}" for each in METRICS)])
    return lines


def on_the_toy() -> list[list[str]]:
    """Return the toy captioner's captions of its first image, trained with each metric, scored by all."""
    reward = make_reward("cider-d").with_metrics(dict.fromkeys(METRICS, 1.0))
    [image, *_] = REFERENCES
    lines = [["trained with", "what it says in the end", *METRICS]]
    for metric in METRICS:
        caption = train(make_reward(metric)).captions[image]
        parts = reward.parts([caption], [image])
        lines.append([metric, " ".join(caption), *(f"{parts[each][0]:.3f}" for each in METRICS)])
    return lines


def main() -> None:
    images = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for name, lines in (("hacks", on_coco(images)), ("paper", on_the_paper()), ("toy", on_the_toy())):
        print(table(lines), end="\n\n")
        if len(sys.argv) < 2:
            replace(PAGE, name, table(lines))


if __name__ == "__main__":
    main()
