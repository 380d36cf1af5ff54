"""100 batches of 50 samples, as `benchmarks.speed.commits` times them: CIDEr-D of strings and of lists of words.

    python -m benchmarks.speed.reward_batches ANNOTATIONS

The references are indexed in the same process, since another tree may not read a saved index. Samples are pieces of the
image's own references and of others', so that n-grams of every order are found and missed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

from vericap.reward import Reward

BATCHES, IMAGES, SAMPLES, WORDS = 100, 10, 5, 20


def references(path: Path) -> dict[int, list[str]]:
    """Return the captions of each image of a file of COCO annotations."""
    found: dict[int, list[str]] = {}
    for annotation in json.loads(path.read_text("utf-8"))["annotations"]:
        found.setdefault(annotation["image_id"], []).append(annotation["caption"])
    return found


def batches(given: dict[int, list[str]], seed: int = 0) -> list[tuple[list[list[str]], list[int]]]:
    """Samples as lists of words, and the image id of each.

    >>> [(samples, ids), *_] = batches({image: ["a dog runs", "a cat"] for image in range(10)})
    >>> len(samples), len(ids), set(map(len, samples)) <= set(range(8, 13))
    (50, 50, True)
    """
    random = Random(seed)
    every = [caption.split() for own in given.values() for caption in own]
    made = []
    for _ in range(BATCHES):
        samples, ids = [], []
        for image in random.sample(list(given), IMAGES):
            for _ in range(SAMPLES):
                parts = [random.choice(given[image]).split(), *random.choices(every, k=3)]
                samples.append([word for part in parts for word in part][:WORDS])
                ids.append(image)
        made.append((samples, ids))
    return made


def main(annotations: Path) -> None:
    given = references(annotations)
    reward = Reward("cider-d", given)
    for samples, ids in batches(given):
        reward([" ".join(words) for words in samples], ids)
        reward(samples, ids)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
