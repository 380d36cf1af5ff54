"""A metric as the reward of a training loop: references are indexed once, and a batch of samples gets its scores."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from vericap.arrays import Floats, Integers, Ragged, offsets_of
from vericap.errors import InputError, not_a_set
from vericap.metrics import parse
from vericap.metrics.base import Metric
from vericap.reward.advantages import Advantages, Rewards, leave_one_out, self_critical
from vericap.reward.samples import END, SampleReader, Vocabulary, as_array, is_array
from vericap.run.measure import measure_metric
from vericap.views import Views
from vericap.views.batch import IndexedBatch, Samples
from vericap.views.index import IndexedReferences

Eos: TypeAlias = Literal["counted", "ignored"]

_CORES = os.cpu_count() or 1


class Reward:
    """The reward of samples by one metric, or by the weighted sum of several.

    `metrics` is a key or {key: weight}, `references` anything that `evaluate` takes. `df` are document frequencies:
    "corpus" (of these references), "coco" or a file. `vocabulary` are the words behind the model's token numbers, for
    samples that are numbers. `eos="counted"` counts the end of a caption as a word of its own, as the code bases of
    self-critical training do. `clip` bounds the sum.

    Calls are deterministic and may come from several threads; the kernels let go of the interpreter.

    >>> reward = Reward("cider-d", {1: ["a dog runs", "the dog"], 2: ["a red cat"]}, tokenizer="whitespace")
    >>> reward(["a red cat", "a dog"], [2, 2])
    array([7.5, 0. ], dtype=float32)
    """

    _stamp: tuple[int, ...] | None = None  # of the file at `path`

    def __init__(
        self,
        metrics: str | Metric | Mapping[str, float],
        references: Any,
        *,
        df: Any = "corpus",
        tokenizer: str = "ptb",
        language: str = "en",
        vocabulary: Any = None,
        eos: Eos = "ignored",
        clip: tuple[float, float] | None = None,
    ) -> None:
        if eos not in ("counted", "ignored"):
            raise InputError(f"`{eos}` is not a way to treat the end", field="eos", fix="choose counted or ignored")
        self.vocabulary = vocabulary if isinstance(vocabulary, Vocabulary | None) else Vocabulary(vocabulary)
        self.weights = _weights(metrics)
        self.metrics = _metrics(self.weights, language)
        self.clip = _checked_clip(clip)
        self.path: Path | None = None
        end = None if eos == "ignored" else END if self.vocabulary is None else self.vocabulary.end_word
        index = IndexedReferences.build(
            _spelled(references, self.vocabulary),
            df=df,
            tokenizer=tokenizer,
            language=language,
            order=max([4, *(int(getattr(metric, "n", 1)) for metric in self.metrics.values())]),
            end=end,
            more_words=() if self.vocabulary is None else self.vocabulary.by_number.values(),
            texts=any(metric.reads_texts for metric in self.metrics.values()),
        )
        self._use(index)
        for metric in self.metrics.values():
            _check(metric, index)

    @classmethod
    def _of(
        cls,
        index: IndexedReferences,
        weights: dict[str, float],
        clip: tuple[float, float] | None,
        vocabulary: Vocabulary | None,
        parsers: Mapping[str, str] | None = None,
    ) -> Reward:
        """Return a reward with references that are indexed already, and with the `parsers` it was made with."""
        reward = cls.__new__(cls)
        reward.vocabulary, reward.weights, reward.clip, reward.path = vocabulary, weights, clip, None
        reward.metrics = _metrics(weights, index.language)
        if parsers is not None:
            _check_parsers(parsers, _parsers(reward.metrics.values()))
        reward._use(index)
        return reward

    def _use(self, index: IndexedReferences) -> None:
        for metric in self.metrics.values():
            if index.end >= 0 and any(part.counts_end for part in _parts(metric)):
                raise InputError(
                    f'{metric.key} combines metrics, of which only some count the end of a caption with eos="counted"',
                    field="eos",
                    fix='give the parts with weights, as in {"cider-d": 0.5, "spice": 0.5}, or use eos="ignored"',
                )
        self.index = index
        self._read = SampleReader(index, self.vocabulary)

    def __call__(self, samples: Any, image_ids: Any) -> Rewards:
        """The reward of each sample, float32 [samples]; NaN where a metric is undefined.

        `image_ids` has one id for each sample. An array [images, samples, length] takes one id for each image, and
        gives [images, samples].
        """
        if is_array(samples) and as_array(samples).ndim == 3:
            matrix = as_array(samples)
            per_image = np.repeat(np.asarray(as_list(image_ids), object), matrix.shape[1])
            return self(matrix.reshape(-1, matrix.shape[2]), per_image).reshape(matrix.shape[:2])
        read = self._read(samples)
        rewards = self._total(read, self._images(image_ids, len(read)))
        if self.clip is not None:
            rewards = np.clip(rewards, *self.clip)
        return rewards.astype(np.float32)

    def parts(self, samples: Any, image_ids: Any) -> dict[str, Floats]:
        """The score of each sample by each metric, without weights and clipping."""
        read = self._read(samples)
        return self._scores(read, self._images(image_ids, len(read)))

    def with_metrics(self, metrics: str | Metric | Mapping[str, float]) -> Reward:
        """A reward by other metrics, which shares the index; n-grams no longer than those that are indexed."""
        other = Reward._of(self.index, _weights(metrics), self.clip, self.vocabulary)
        for metric in other.metrics.values():
            _check(metric, self.index)
        return other

    def self_critical(self, samples: Any, greedy: Any, image_ids: Any) -> Advantages:
        """Return the advantage of each sample over the greedy caption of its image (Rennie et al. 2017).

        `greedy` has a caption for each sample, or one for each image, in the order in which `image_ids` first names
        the images.

        >>> reward = Reward("rouge-l", {1: ["a dog runs"], 2: ["a cat"]}, tokenizer="whitespace")
        >>> reward.self_critical(["a dog runs", "a bus"], ["a cow runs", "a cat"], [1, 2]).advantages
        array([ 0.33333..., -0.5       ], dtype=float32)
        """
        ids = as_list(image_ids)
        baselines = self(greedy, ids if len(greedy) == len(ids) else list(dict.fromkeys(ids))).ravel()
        rewards = self(samples, ids)
        each = rewards.size // max(len(ids), 1)  # more than 1 for an array [images, samples, length]
        if len(baselines) == len(ids):
            baselines = np.repeat(baselines, each)
        found = self_critical(rewards.ravel(), baselines, _repeated(ids, each))
        return Advantages(*(part.reshape(rewards.shape) for part in found))

    def leave_one_out(self, samples: Any, image_ids: Any) -> Advantages:
        """Return the advantage of each sample over the mean of the other samples of its image.

        >>> reward = Reward("rouge-l", {1: ["a dog runs"]}, tokenizer="whitespace")
        >>> reward.leave_one_out(["a dog runs", "a cow runs"], [1, 1]).advantages
        array([ 0.33333..., -0.33333...], dtype=float32)
        """
        ids = as_list(image_ids)
        rewards = self(samples, ids)
        found = leave_one_out(rewards.ravel(), _repeated(ids, rewards.size // max(len(ids), 1)))
        return Advantages(*(part.reshape(rewards.shape) for part in found))

    def per_token(self, samples: Any, image_ids: Any) -> Rewards:
        """Return what each word adds to the reward of the words before it, float32 [samples, longest], 0 behind the
        last.

        A row sums to the reward of its sample less that of an empty caption, before clipping. It takes as many times
        longer as samples have words.
        """
        read = self._read(samples)
        images = self._images(image_ids, len(read))
        lengths = read.words.lengths
        shaped = np.zeros((len(read), int(lengths.max(initial=0))), np.float64)
        before = self._total(_first_words(read, np.zeros_like(lengths)), images)
        for at in range(shaped.shape[1]):
            now = self._total(_first_words(read, np.minimum(lengths, at + 1)), images)
            shaped[:, at] = now - before
            before = now
        return shaped.astype(np.float32)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes references, document frequencies and settings into one file, which `load` maps into memory."""
        facts = {"weights": self.weights, "clip": self.clip, "vocabulary": _stored(self.vocabulary)}
        self.index.save(path, {"reward": {**facts, "parsers": _parsers(self.metrics.values())}})
        self.path = Path(path).absolute()
        self._stamp = _stamp(self.path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, verify: bool = True) -> Reward:
        """The reward that `save` wrote. Processes that load the same file share its memory."""
        index = IndexedReferences.load(path, verify=verify)
        facts = index.facts.get("reward")
        if facts is None:
            raise InputError("the file is an index without a reward", source=os.fspath(path), fix="create it again")
        clip, vocabulary = _checked_clip(facts["clip"]), _restored(facts["vocabulary"])
        reward = cls._of(index, _weights(facts["weights"]), clip, vocabulary, facts.get("parsers"))
        reward.path = Path(path).absolute()
        reward._stamp = _stamp(reward.path)
        return reward

    def __reduce__(self) -> tuple[Any, ...]:
        # By path, so that a spawned worker maps the file instead of getting a copy through a pipe; unless the file has
        # been replaced since.
        if self.path is not None and self._stamp is not None and self._stamp == _stamp(self.path):
            return partial(Reward.load, verify=False), (self.path,)
        index = self.index
        settings = self.weights, self.clip, self.vocabulary, _parsers(self.metrics.values())
        return _rebuilt, (index.arrays, index.facts, index.name, *settings)

    def _images(self, image_ids: Any, samples: int) -> Integers:
        ids = as_list(image_ids)
        if len(ids) != samples:
            raise InputError(
                f"there are {samples} samples and {len(ids)} image ids",
                field="image_ids",
                fix="give the id of the image of each sample, several times where it has several samples",
            )
        return self.index.rows(ids)

    def _total(self, samples: Samples, images: Integers) -> Floats:
        scores = self._scores(samples, images)
        return np.asarray(sum(self.weights[key] * scores[key] for key in scores), np.float64)

    def _scores(self, samples: Samples, images: Integers) -> dict[str, Floats]:
        views: dict[bool, Views] = {}
        index = self.index
        found = {}
        for key, metric in self.metrics.items():
            ended = index.end < 0 or metric.counts_end
            if ended not in views:
                batch = IndexedBatch(index, samples, images, ended=ended)
                views[ended] = Views(batch, tokenizer=index.tokenizer, language=index.language)
            # Others are done before a thread starts.
            views[ended].workers = _CORES if metric.uses_threads else 1
            found[key] = measure_metric(metric, views[ended]).scores
        return found


def as_list(values: Any) -> list[Any]:
    """Image ids as a list, from an array, a tensor or any sequence."""
    return as_array(values).tolist() if is_array(values) else list(not_a_set(values, "image_ids"))


def _repeated(ids: list[Any], times: int) -> list[Any]:
    return [image_id for image_id in ids for _ in range(times)]


def _weights(metrics: str | Metric | Mapping[str, float]) -> dict[str, float]:
    given = metrics if isinstance(metrics, Mapping) else {str(metrics): 1.0}
    if not given:
        raise InputError("no metric was asked for", field="metrics", fix='name one, as in Reward("cider-d", …)')
    weights: dict[str, float] = {}
    for name, weight in given.items():
        key = parse(name).key
        if key in weights:
            raise InputError(f"{key} has two weights", field="metrics", fix="name each metric once")
        try:
            weights[key] = float(weight)
        except (TypeError, ValueError):
            problem = f"the weight of {key} is {weight!r}"
            raise InputError(problem, field="metrics", fix="give a number") from None
    return weights


def _metrics(weights: Mapping[str, float], language: str) -> dict[str, Metric]:
    metrics = {key: parse(key).in_language(language) for key in weights}
    for key, metric in metrics.items():
        if not metric.higher_is_better and weights[key] > 0:
            raise InputError(
                f"{key} is better the lower it is, so it cannot be a reward with weight {weights[key]:g}",
                field="metrics",
                fix=f"give it a negative weight, as in {{{key!r}: -1}}",
            )
        if needed := [need for need in metric.needs if need != "references"]:
            raise InputError(
                f"{key} needs {', '.join(needed)}, and a reward has captions and references alone",
                field="metrics",
                fix="choose a metric that needs references or nothing (`vericap metrics` lists them)",
            )
        if metric.depends_on_others:
            raise InputError(
                f"{key} ranks a caption among the others of its batch, so the same caption would earn another reward "
                "in another batch",
                field="metrics",
                fix="use normalize=range, or give the parts with weights, as in {'cider-d': 0.5, 'spice': 0.5}",
            )
    return metrics


def _parsers(metrics: Iterable[Metric]) -> dict[str, str]:
    """Return the parser, with its hash, of each metric that compares scene graphs."""
    found: dict[str, str] = {}
    for metric in metrics:
        found |= _parsers(_parts(metric))
        if (graphs := getattr(metric, "graphs", None)) is not None:
            found[metric.key] = graphs.signed
    return found


def _parts(metric: Metric) -> tuple[Metric, ...]:
    """Return the metrics that a metric combines."""
    parts = getattr(metric, "parts", ())
    return parts if isinstance(parts, tuple) else ()


def _check_parsers(saved: Mapping[str, str], here: Mapping[str, str]) -> None:
    """Raise an error if captions would be parsed by another parser than those of a reward that was saved."""
    for key, parser in saved.items():
        if here.get(key, parser) != parser:
            from vericap.scene.stanford.installed import INSTALL

            name = parser.partition("-")[0]
            raise InputError(
                f"the reward was saved with the parser {parser} for {key}, and here {key} is parsed by {here[key]}",
                field="parser",
                fix=INSTALL if name == "stanford" else f"create it again, with {key.partition('(')[0]}(parser={name})",
            )


def _check(metric: Metric, index: IndexedReferences) -> None:
    """The checks of the metric itself, on an empty batch."""
    if metric.needs_frequencies and index.images < 2 and index.facts["df"] == "references":
        raise InputError(
            f"{metric.key} of one image is undefined: with document frequencies from its own references every n-gram "
            "weighs log 1 = 0",
            field="df",
            fix='use df="coco" or df=FILE, or references of more images',
        )
    if metric.reads_texts and not index.has_texts:
        raise InputError(
            f"{metric.key} reads references as they are written, and the index has only their words",
            field="metrics",
            fix=f"create the reward again with {metric.key}",
        )
    batch = IndexedBatch(index, SampleReader(index)([""]), np.zeros(1, np.int64))
    metric.check(Views(batch, tokenizer=index.tokenizer, language=index.language))


def _checked_clip(clip: Sequence[float] | None) -> tuple[float, float] | None:
    if clip is None:
        return None
    low, high = map(float, clip)
    if not low <= high:
        raise InputError(f"the bounds {low:g} and {high:g} are in the wrong order", field="clip", fix="swap them")
    return low, high


def _spelled(references: Any, vocabulary: Vocabulary | None) -> Any:
    """References as text: where they are token numbers, as in {id: array [references, length]}, by the vocabulary."""
    if vocabulary is None or not isinstance(references, Mapping):
        return references
    spelled = {}
    for image_id, captions in references.items():
        if not is_array(captions) and all(isinstance(caption, str) for caption in captions):
            spelled[image_id] = list(captions)
        else:
            spelled[image_id] = [" ".join(vocabulary.spell(caption)) for caption in captions]
    return spelled


def _first_words(samples: Samples, lengths: Integers) -> Samples:
    keep = np.arange(len(samples.words.values)) - samples.words.offsets[samples.words.row] < lengths[samples.words.row]
    words = Ragged(samples.words.values[keep], offsets_of(lengths))
    return Samples(words, words, samples.new_words)


def _stored(vocabulary: Vocabulary | None) -> dict[str, Any] | None:
    if vocabulary is None:
        return None
    return {
        "numbers": list(vocabulary.by_number),
        "words": list(vocabulary.by_number.values()),
        "end": vocabulary.end,
        "padding": list(vocabulary.padding),
    }


def _restored(stored: Mapping[str, Any] | None) -> Vocabulary | None:
    if stored is None:
        return None
    words = dict(zip(map(int, stored["numbers"]), stored["words"], strict=True))
    return Vocabulary(words, stored["end"], tuple(stored["padding"]))


def _stamp(path: Path) -> tuple[int, ...] | None:
    """Return the facts that change when a file is replaced; None if there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _rebuilt(arrays: dict[str, Any], facts: dict[str, Any], name: str, *settings: Any) -> Reward:
    return Reward._of(IndexedReferences(arrays, facts, name), *settings)
