"""A reward is the metric: the same values as `evaluate` gives, from every shape of samples, in every process."""

from __future__ import annotations

import json
import multiprocessing
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import vericap
from tests.reward.captions import IMAGES, REFERENCES, SAMPLES
from vericap.errors import InputError
from vericap.reward import Reward, Vocabulary

TEXT_METRICS = [
    "cider-d", "cider", "cider-r", "cider-d(sigma=3)", "cider-d(n=2)", "bleu-1", "bleu-4", "bleu-smoothed",
    "bleu-unigram", "rouge-l", "rouge-su4", "meteor", "spice", "spice-exact", "mean(cider-d,rouge-l)", "wmd", "fluency",
]  # fmt: skip


def evaluated(metric: str, **options: Any) -> np.ndarray:
    rows = [{"image_id": image, "caption": text} for image, text in zip(IMAGES, SAMPLES, strict=True)]
    result = vericap.evaluate(rows, REFERENCES, metrics=metric, repeated="keep", **options)
    return result[metric].captions


@pytest.mark.parametrize("metric", TEXT_METRICS)
def test_a_reward_is_the_score_that_evaluate_gives(metric: str) -> None:
    found = Reward(metric, REFERENCES)(SAMPLES, IMAGES)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, evaluated(metric), rtol=1e-6, atol=1e-6)


def test_an_error_rate_is_a_reward_with_a_negative_weight() -> None:
    with pytest.raises(InputError, match="negative weight"):
        Reward("ter", REFERENCES)
    found = Reward({"ter": -1}, REFERENCES)(SAMPLES, IMAGES)
    np.testing.assert_allclose(found, -evaluated("ter"), rtol=1e-6, atol=1e-6)


def test_document_frequencies_of_coco() -> None:
    found = Reward("cider-d", REFERENCES, df="coco")(SAMPLES, IMAGES)
    np.testing.assert_allclose(found, evaluated("cider-d", df="coco"), rtol=1e-6, atol=1e-6)
    assert not np.allclose(found, Reward("cider-d", REFERENCES)(SAMPLES, IMAGES))


WORD = st.sampled_from("a the dog cat red on chair .".split())


@given(st.lists(st.lists(WORD, max_size=12), min_size=1, max_size=6))
def test_any_samples_have_the_metric_s_score(samples: list[list[str]]) -> None:
    texts = [" ".join(words) for words in samples]
    reward = Reward({"cider-d": 1, "cider-r": 1, "bleu-4": 1, "cider": 1}, REFERENCES, tokenizer="none")
    parts = reward.parts(samples, [9] * len(samples))
    rows = [{"image_id": 9, "caption": text} for text in texts]
    result = vericap.evaluate(
        rows,
        REFERENCES,
        metrics="cider-d,cider-r,bleu-4,cider",
        repeated="keep",
        tokenizer="none",
        missing="drop",
        df=reward.index.frequencies,
    )
    for key, scores in parts.items():
        np.testing.assert_allclose(scores, result[key].captions, rtol=1e-9, atol=1e-12)


def test_the_reward_of_a_sample_does_not_depend_on_the_batch() -> None:
    reward = Reward({"cider-d": 1, "meteor": 1}, REFERENCES)
    together = reward(SAMPLES, IMAGES)
    apart = [reward([text], [image])[0] for text, image in zip(SAMPLES, IMAGES, strict=True)]
    np.testing.assert_array_equal(together, np.array(apart))


def test_weights_and_clipping() -> None:
    one, two = (Reward(metric, REFERENCES)(SAMPLES, IMAGES) for metric in ("cider-d", "bleu-4"))
    both = Reward({"cider-d": 1, "bleu-4": 0.5}, REFERENCES)
    np.testing.assert_allclose(both(SAMPLES, IMAGES), one + two / 2, rtol=1e-6)
    clipped = Reward({"cider-d": 1, "bleu-4": 0.5}, REFERENCES, clip=(0.5, 2))
    np.testing.assert_allclose(clipped(SAMPLES, IMAGES), np.clip(one + two / 2, 0.5, 2), rtol=1e-6)


WORDS = ["<end>", *"a dog runs on grass the two people ride bikes street red bus cat sits chair".split()]


def test_token_numbers_are_the_words_they_stand_for() -> None:
    reward = Reward("cider-d", REFERENCES, vocabulary=Vocabulary(WORDS, end=0))
    numbers = np.array([[WORDS.index(w) for w in "a dog runs on grass".split()] + [0, 0], [1, 12, 13, 0, 5, 5, 5]])
    np.testing.assert_array_equal(reward(numbers, [7, 5]), reward(["a dog runs on grass", "a red bus"], [7, 5]))
    cube = np.stack([numbers, numbers])
    np.testing.assert_array_equal(reward(cube, [7, 5]), reward(np.concatenate(cube), [7, 7, 5, 5]).reshape(2, 2))


def test_references_may_be_token_numbers_too() -> None:
    """As {image: array [references, length]}, 0 after the last word, of the self-critical code bases."""
    numbered = Vocabulary([str(i) for i in range(10)], end=0)
    references = {1: np.array([[3, 7, 9, 0], [3, 7, 0, 0]]), 2: np.array([[3, 5, 4, 0]])}
    reward = Reward("cider-d", references, tokenizer="none", vocabulary=numbered, eos="counted")
    spelled = Reward("cider-d", {1: ["3 7 9 0", "3 7 0"], 2: ["3 5 4 0"]}, tokenizer="none")
    samples = np.array([[3, 7, 9, 0], [3, 9, 0, 0], [3, 7, 9, 9]])
    expected = spelled(["3 7 9 0", "3 9 0", "3 7 9 9"], [1, 1, 1])
    np.testing.assert_allclose(reward(samples, [1, 1, 1]), expected, rtol=1e-6)


def test_the_end_counts_in_n_grams_and_nowhere_else() -> None:
    ended = Reward({"cider-d": 1, "meteor": 1, "bleu-2": 1}, REFERENCES, eos="counted")
    plain = Reward({"cider-d": 1, "meteor": 1, "bleu-2": 1}, REFERENCES)
    with_end, without = ended.parts(["a dog"], [7]), plain.parts(["a dog"], [7])
    assert with_end["meteor"] == without["meteor"]
    assert with_end["cider-d"] < without["cider-d"], "no reference ends with dog"
    assert with_end["bleu-2"] != without["bleu-2"]


def test_a_caption_that_stops_early_is_punished_only_where_the_end_counts() -> None:
    """Why the code bases count it: else `a red chair has a` loses nothing by its hanging end."""
    hanging, whole = "a cat sits on a", "a cat sits on a red chair"
    rewards = [Reward("cider-d", REFERENCES, eos=eos)([hanging, whole], [9, 9]) for eos in ("ignored", "counted")]
    gaps = [whole - hanging for hanging, whole in rewards]
    assert gaps[1] > gaps[0]


def test_a_saved_reward_gives_the_same_numbers(tmp_path: Path) -> None:
    reward = Reward(
        {"cider-d": 1, "bleu-4": 0.5}, REFERENCES, vocabulary=Vocabulary(WORDS, end=0), eos="counted", clip=(0, 4)
    )
    reward.save(tmp_path / "index")
    loaded = Reward.load(tmp_path / "index")
    np.testing.assert_array_equal(loaded(SAMPLES, IMAGES), reward(SAMPLES, IMAGES))
    numbers = np.array([[1, 2, 3, 0]])
    np.testing.assert_array_equal(loaded(numbers, [7]), reward(numbers, [7]))


@pytest.mark.parametrize("saved", [True, False])
def test_a_reward_is_pickled_by_path_where_it_has_one(tmp_path: Path, saved: bool) -> None:
    reward = Reward("cider-d", REFERENCES)
    if saved:
        reward.save(tmp_path / "index")
    copied = pickle.dumps(reward)
    assert (len(copied) < 500) is saved
    np.testing.assert_array_equal(pickle.loads(copied)(SAMPLES, IMAGES), reward(SAMPLES, IMAGES))


def test_spawned_workers_give_the_same_numbers(tmp_path: Path) -> None:
    reward = Reward("cider-d", REFERENCES)
    reward.save(tmp_path / "index")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found = pool.apply(reward, (SAMPLES, IMAGES))
    np.testing.assert_array_equal(found, reward(SAMPLES, IMAGES))


def test_threads_give_the_same_numbers() -> None:
    reward = Reward({"cider-d": 1, "bleu-4": 1, "spice": 1}, REFERENCES)
    expected = reward(SAMPLES, IMAGES)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: reward(SAMPLES, IMAGES), range(20)):
            np.testing.assert_array_equal(found, expected)


def test_self_critical_advantages_take_the_greedy_caption_as_baseline() -> None:
    reward = Reward("cider-d", REFERENCES)
    samples, greedy = ["a dog runs", "a dog", "a red bus", "the bus"], ["the dog is running outside", "a bus"]
    found = reward.self_critical(samples, greedy, [7, 7, 5, 5])
    expected = reward(samples, [7, 7, 5, 5]) - np.repeat(reward(greedy, [7, 5]), 2)
    np.testing.assert_array_equal(found.advantages, expected)


def test_what_words_add_sums_to_the_reward() -> None:
    reward = Reward({"cider-d": 1, "bleu-1": 1}, REFERENCES)
    shaped = reward.per_token(SAMPLES, IMAGES)
    empty = reward([""], [7])[0]
    np.testing.assert_allclose(shaped.sum(axis=1), reward(SAMPLES, IMAGES) - empty, atol=1e-5)
    assert not shaped[4].any(), "the empty sample has no word that could add anything"


def test_undefined_is_not_a_number_and_not_zero() -> None:
    """No reference of the bus speaks of a colour twice; none of image 7 has a number."""
    assert np.isnan(Reward("spice.cardinality", REFERENCES)(["two dogs"], [7])[0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("vifidel", REFERENCES), "vifidel needs objects"),
        (("cider-d", {1: ["a dog"]}), "of one image is undefined"),
        (("cider-x", REFERENCES), "cider-x"),
        (({}, REFERENCES), "no metric was asked for"),
        (({"cider-d": "much"}, REFERENCES), "the weight of cider-d is 'much'"),
    ],
)
def test_what_cannot_be_a_reward_is_refused_at_once(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Reward(*arguments)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"eos": "maybe"}, "`maybe`"), ({"clip": (2, 1)}, "wrong order"), ({"df": "coco", "eos": "counted"}, "'<eos>'")],
)
def test_options_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Reward("cider-d", REFERENCES, **options)


def test_an_id_for_each_sample() -> None:
    with pytest.raises(InputError, match="7 samples and 2 image ids"):
        Reward("cider-d", REFERENCES)(SAMPLES, [7, 3])


def test_batches_of_the_self_critical_code_bases_get_their_rewards(data: Path) -> None:
    """Token numbers that 0 ends and fills, references in the same numbers, and the end counted as a word: the first
    rewards of self-critical.pytorch's own scorer with document frequencies of all 100 images."""
    batches = json.loads((data / "oracle/coco/scst_batches.json").read_text())["batches"]
    references = dict(enumerate(np.array(image) for batch in batches for image in batch["gts"]))
    numbered = Vocabulary([str(number) for number in range(20_000)], end=0)
    reward = Reward("cider-d", references, tokenizer="none", vocabulary=numbered, eos="counted")
    found = reward(np.array(batches[0]["gen"]), np.repeat(np.arange(10), 5))
    expected = [0.9739866576257166, 0.012581114385667572, 0.26732296304770115]
    np.testing.assert_allclose(found[:3], expected, atol=1e-6)
    greedy = reward.self_critical(np.array(batches[0]["gen"]), np.array(batches[0]["greedy"]), np.repeat(range(10), 5))
    np.testing.assert_allclose(greedy.baselines[[0, 5]], [0.7772037070815887, 0.8653935531177638], atol=1e-6)


def test_one_metric_in_two_spellings_is_refused() -> None:
    with pytest.raises(InputError, match="cider-d has two weights"):
        Reward({"cider-d": 1.0, "CIDEr-D": 2.0}, REFERENCES)


def test_advantages_of_an_array_by_image_are_those_of_its_rows() -> None:
    vocabulary = ["<end>", "a", "dog", "runs", "cat"]
    references = {1: ["a dog runs"], 2: ["a cat"]}
    reward = Reward("rouge-l", references, tokenizer="whitespace", vocabulary=Vocabulary(vocabulary, end=0))
    samples = np.array([[[1, 2, 3], [1, 4, 0]], [[1, 4, 0], [2, 3, 0]]])  # two samples of each of two images
    greedy = np.array([[1, 2, 0], [4, 0, 0]])
    rows, ids = samples.reshape(4, 3), [1, 1, 2, 2]
    for flat, by_image in (
        (reward.self_critical(rows, greedy, ids), reward.self_critical(samples, greedy, [1, 2])),
        (reward.leave_one_out(rows, ids), reward.leave_one_out(samples, [1, 2])),
    ):
        for one, other in zip(flat, by_image, strict=True):
            np.testing.assert_array_equal(one.reshape(2, 2), other)


def test_a_reward_whose_file_was_replaced_is_not_pickled_by_its_path(tmp_path: Path) -> None:
    first = Reward("rouge-l", {1: ["a dog"]}, tokenizer="whitespace")
    first.save(tmp_path / "reward")
    Reward("rouge-l", {1: ["a cat sleeps"]}, tokenizer="whitespace").save(tmp_path / "reward")
    assert pickle.loads(pickle.dumps(first))(["a dog"], [1]).tolist() == [1.0]


def test_a_combination_does_not_leave_out_the_end_without_a_word() -> None:
    for key in ("mean(cider-d,rouge-l)", "spider"):
        with pytest.raises(InputError, match="only some count the end"):
            Reward(key, REFERENCES, eos="counted")


def test_an_image_id_beyond_64_bits_has_no_references() -> None:
    with pytest.raises(InputError, match="has no references"):
        Reward("rouge-l", {1: ["a dog"]})(["a dog"], [2**64])


def test_a_rank_within_the_batch_is_no_reward() -> None:
    """The same caption would earn more or less by what else is in the batch."""
    with pytest.raises(InputError, match=r"mean\(cider-d,rouge-l,normalize=quantiles\) ranks a caption among"):
        Reward("mean(cider-d,rouge-l,normalize=quantiles)", REFERENCES)
    reward = Reward("rouge-l", REFERENCES)
    with pytest.raises(InputError, match="another reward in another batch"):
        reward.with_metrics({"mean(cider-d,rouge-l,normalize=quantiles)": 1.0})


def test_a_saved_reward_is_refused_for_the_same_reasons_as_a_new_one(tmp_path: Path) -> None:
    counted = Reward("cider-d", REFERENCES, eos="counted")
    settings = {"clip": None, "vocabulary": None}
    counted.index.save(tmp_path / "ended", {"reward": {**settings, "weights": {"mean(cider-d,rouge-l)": 1.0}}})
    with pytest.raises(InputError, match="only some count the end"):
        Reward.load(tmp_path / "ended")
    by_rank = {"mean(cider-d,rouge-l,normalize=quantiles)": 1.0}
    counted.index.save(tmp_path / "ranks", {"reward": {**settings, "weights": by_rank}})
    with pytest.raises(InputError, match="ranks a caption"):
        Reward.load(tmp_path / "ranks")
