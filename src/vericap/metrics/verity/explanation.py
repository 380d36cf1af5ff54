"""Explanations of Verity: what supports each of its words, and which words of the references it lacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from vericap.arrays import Floats
from vericap.metrics.verity.head import STATISTICS
from vericap.metrics.verity.matching import FEATURES, Array, EncodedReferences, Text, gather_references, match
from vericap.metrics.verity.model import Model, Words, words_of
from vericap.metrics.verity.objects import match_objects, object_pieces
from vericap.results.explanation import Matrix, Part

SUPPORTED = 0.6  # a word whose best match is below this is listed as unsupported or missed
PICTURE = "the picture"  # in the place of a reference's number, for words that an object supports
_BAR = 10  # signs of a full bar


class _Source(NamedTuple):
    """A text that may support words: a reference by its number, or what the picture shows."""

    name: int | str
    vectors: Array  # [pieces, d]
    words: Words


class Explained(NamedTuple):
    """The parts of an explanation."""

    values: dict[str, float | int | str]
    sections: Mapping[str, list[Part]] = {}
    drawing: Sequence[str] = ()
    matrices: Mapping[str, Matrix] = {}


def explain(model: Model, caption: str, given: Sequence[str], labels: Sequence[str] = (), tuned: str = "") -> Explained:
    """Return what makes up the score of a caption; `labels` are the texts of the picture's objects, where these
    join."""
    sums = model.head.sums_of(tuned)
    # References one by one: here the words of each are looked at.
    texts = model.read([caption, *given, *labels], []).captions
    own, others, shown = texts[0], texts[1 : len(given) + 1], texts[len(given) + 1 :]
    used = [number for number, text in enumerate(others) if len(text.vectors)]
    references, objects = gather_references(others), gather_references(shown)
    if references is None:
        return _by_objects(model, caption, own, labels, objects)
    features = match(own, references, objects)
    parts = sums.statistics(features[None], np.array([sums.alone(references)]))[0]
    values: dict[str, float | int | str] = {
        **{name: float(value) for name, value in zip(FEATURES, features, strict=True)},
        **{f"{name} in z": float(value) for name, value in zip(STATISTICS[:4], parts, strict=False)},
        "z": float(parts[0] + parts[1] + parts[2] + parts[3]),
    }
    words = [words_of(model.encoder, given[number]) for number in used]
    missed = {"words of references that are missed": _missed(own, references, words, used)}
    if not len(own.vectors):
        return Explained(values, missed)
    sources = [_Source(number + 1, others[number].vectors, words[k]) for k, number in enumerate(used)]
    sources += _picture(model, labels, objects)
    supported, matrix = _supported(own, words_of(model.encoder, caption), sources)
    sections = {
        "words of the caption": supported,
        "words without support": [part for part in supported if float(part.values["support"]) < SUPPORTED],
        **missed,
    }
    return Explained(values, sections, _drawing(supported), {"support by each reference": matrix})


def _by_objects(
    model: Model, caption: str, own: Text, labels: Sequence[str], objects: EncodedReferences | None
) -> Explained:
    """Return what makes up the score of a caption that no reference but the picture's objects can be compared with."""
    if objects is None:
        return Explained({"references with a word": 0})
    pieces = object_pieces(model.encoder, caption)
    found = match_objects(own, pieces, objects)
    precision = "undefined: the caption has no word for an object" if np.isnan(found.precision) else found.precision
    values: dict[str, float | int | str] = {"references with a word": 0, "precision": precision, "recall": found.recall}
    if not len(own.vectors):
        return Explained(values)
    words = words_of(model.encoder, caption)
    parts, matrix = _supported(own, words, _picture(model, labels, objects))
    meant = {words.word[piece] for piece in np.flatnonzero(pieces).tolist()}
    supported = [part for number, part in enumerate(parts) if number in meant]
    return Explained(values, {"object words of the caption": supported}, [], {"support by the objects": matrix})


def _picture(model: Model, labels: Sequence[str], objects: EncodedReferences | None) -> list[_Source]:
    """Return the labels of all objects as one text that supports words; none where there are no objects."""
    if objects is None:
        return []
    word = [number for number, label in enumerate(labels) for _ in words_of(model.encoder, label).word]
    return [_Source(PICTURE, objects.vectors, Words(list(labels), word))]


def _by_word(values: Floats, weights: Floats, words: Words) -> tuple[Floats, Floats]:
    """Weighted mean of the values of each word's pieces, and the sum of their weights."""
    size = len(words.spelled)
    total: Floats = np.bincount(words.word, weights, size).astype(np.float64)
    summed = np.bincount(words.word, weights * values, size)
    plain = np.bincount(words.word, values, size) / np.maximum(np.bincount(words.word, minlength=size), 1)
    return np.where(total > 0, summed / np.where(total > 0, total, 1), plain), total


def _supported(caption: Text, own: Words, sources: Sequence[_Source]) -> tuple[list[Part], Matrix]:
    """For each word of the caption its weight, how far it is supported, and by which word of which reference."""
    weights = (caption.weights / caption.weights.sum()).astype(np.float64)
    heaviest: dict[int, int] = {}  # piece of each word
    for piece, number in enumerate(own.word):
        heaviest[number] = max(heaviest.get(number, piece), piece, key=lambda piece: weights[piece])
    each = np.zeros((len(own.spelled), len(sources)))
    best = np.full(len(weights), -1.0)
    nearest: list[list[str]] = []
    for number, (_, vectors, words) in enumerate(sources):
        similar = (caption.vectors @ vectors.T).astype(np.float64)
        best = np.maximum(best, similar.max(axis=1))
        each[:, number] = _by_word(similar.max(axis=1), weights, own)[0]
        nearest.append([words.spelled[words.word[int(similar[piece].argmax())]] for piece in heaviest.values()])
    support, weight = _by_word(best, weights, own)
    parts = []
    for k, word in enumerate(own.spelled):
        by = int(each[k].argmax())
        values = {"support": round(float(support[k]), 3), "weight": round(float(weight[k]), 3)}
        parts.append(Part(word, {**values, "nearest": nearest[by][k], "reference": sources[by].name}))
    return parts, Matrix(own.spelled, [_spell(source.name) for source in sources], each)


def _spell(name: float | str) -> str:
    return name if isinstance(name, str) else f"reference {name}"


def _missed(caption: Text, references: EncodedReferences, others: Sequence[Words], used: Sequence[int]) -> list[Part]:
    """Return words of references that the caption lacks, each once, those that cost it most first."""
    covered = (caption.vectors @ references.vectors.T).max(axis=0, initial=-1.0).astype(np.float64)
    ends = [*references.starts.tolist()[1:], len(covered)]
    found: dict[str, Part] = {}
    for number, first, last, words in zip(used, references.starts.tolist(), ends, others, strict=True):
        cover, weight = _by_word(covered[first:last], references.agreed[first:last].astype(np.float64), words)
        for word, by, heavy in zip(words.spelled, cover.tolist(), weight.tolist(), strict=True):
            known = found.get(word.lower())
            if by < SUPPORTED and (known is None or heavy > float(known.values["weight"])):
                values = {"covered": round(by, 3), "weight": round(heavy, 3), "reference": number + 1}
                found[word.lower()] = Part(word, values)
    return sorted(found.values(), key=lambda part: -float(part.values["weight"]) * (1 - float(part.values["covered"])))


def _drawing(parts: Sequence[Part]) -> list[str]:
    """Return a bar of the support of each word, and what supports it."""
    wide = max(len(part.text) for part in parts)
    lines = []
    for part in parts:
        support = float(part.values["support"])
        bar = "█" * round(_BAR * min(max(support, 0.0), 1.0))
        by = f"{part.values['nearest']} ({_spell(part.values['reference'])})" if support >= SUPPORTED else "no support"
        lines.append(f"{part.text:<{wide}}  {bar:<{_BAR}} {support:5.2f}  {by}")
    return lines
