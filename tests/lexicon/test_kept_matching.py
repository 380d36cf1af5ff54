"""METEOR as a reward: what is looked up once gives the same numbers as what is looked up again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tests.reward.captions import REFERENCES
from vericap import evaluate
from vericap.lexicon import kept_matching
from vericap.reward import Reward

SAMPLES = ["a st. bernard runs", "a black-and-white hound", "zyzzyva's of the two men", ""]


def by_itself(samples: list[str], ids: list[int], **options: str) -> list[float]:
    """METEOR of each sample, by a run of its own over all of them."""
    candidates = [{"image_id": n, "caption": sample} for n, sample in enumerate(samples)]
    references = {n: REFERENCES[image_id] for n, image_id in enumerate(ids)}
    key = options.pop("metric", "meteor")
    result = evaluate(candidates, references=references, metrics=key, tokenizer="whitespace", **options)
    return np.float32(result[key].captions).tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize("metric", ["meteor", "meteor(modules=exact+stem)", "meteor(text=given)"])
def test_words_and_images_that_came_before_change_nothing(metric: str) -> None:
    reward = Reward(metric, REFERENCES, tokenizer="whitespace")
    ids = list(REFERENCES)
    rounds = [(SAMPLES, ids[:4]), (SAMPLES[::-1], ids[:4]), (["qwxz " + SAMPLES[2], SAMPLES[2]], [ids[3], ids[0]])]
    for samples, images in [*rounds, *rounds]:
        assert reward(samples, images).tolist() == by_itself(samples, images, metric=metric)


def test_images_and_words_beyond_what_is_kept_are_looked_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_matching, "KEPT_IMAGES", 1)
    monkeypatch.setattr(kept_matching, "NEW_WORDS", 2)
    reward = Reward("meteor", REFERENCES, tokenizer="whitespace")
    ids = list(REFERENCES)[:3]
    for turn in range(3):
        samples = [f"word{turn} a{turn} dog", f"hound{turn} the man", f"other{turn}"]
        assert reward(samples, ids).tolist() == by_itself(samples, ids)
    [kept] = reward.index.kept.values()
    assert len(kept._images) == 1 and len(kept._new) <= 7


def test_threads_share_what_was_looked_up() -> None:
    reward = Reward("meteor", REFERENCES, tokenizer="whitespace")
    ids = list(REFERENCES)[:2]
    batches = [[f"new{n} dogs run", f"a man and another{n}"] for n in range(40)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda samples: reward(samples, ids).tolist(), batches))
    assert found == [by_itself(samples, ids) for samples in batches]
