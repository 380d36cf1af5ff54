"""MID is the Gaussian mutual information of its paper, computed as in its authors' code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.encoders.clip.tiny import models, picture_files
from tests.metrics.clip.corpora import CAPTIONS, REFERENCES, SIZES, originals
from vericap import evaluate, explain
from vericap.errors import InputError
from vericap.metrics.clip import Mid
from vericap.metrics.clip.mid import fit
from vericap.options.keys import quote

RNG = np.random.default_rng(0)


def paper(texts: np.ndarray, pictures: np.ndarray, captions: np.ndarray, seen: np.ndarray) -> tuple[float, np.ndarray]:
    """The corpus score by traces of covariances, and the PMI of each pair by densities of Gaussians: the two ways in
    which the paper writes it. `texts` and `pictures` are the reference pairs, `captions` and `seen` those to score."""
    from scipy.stats import multivariate_normal

    both = np.hstack([texts, pictures])
    sides = [(texts, captions), (pictures, seen), (both, np.hstack([captions, seen]))]
    means = [reference.mean(0) for reference, _ in sides]
    covariances = [np.cov(reference.T) for reference, _ in sides]
    signs = (1, 1, -1)
    information = sum(s * np.linalg.slogdet(c)[1] for s, c in zip(signs, covariances, strict=True)) / 2
    spread = [(given - m).T @ (given - m) / (len(given) - 1) for (_, given), m in zip(sides, means, strict=True)]
    traces = [np.trace(np.linalg.inv(c) @ s) for c, s in zip(covariances, spread, strict=True)]
    corpus = information + sum(s * t for s, t in zip(signs, traces, strict=True)) / 2
    logs = [multivariate_normal(m, c).logpdf(g) for (_, g), m, c in zip(sides, means, covariances, strict=True)]
    return float(corpus), logs[2] - logs[0] - logs[1]


def test_the_two_ways_of_the_paper() -> None:
    texts = RNG.normal(size=(60, 4))
    pictures = 0.7 * texts + 0.5 * RNG.normal(size=(60, 4))
    captions = 0.6 * pictures + RNG.normal(size=(60, 4))
    corpus, each = paper(texts, pictures, captions, pictures)
    gaussians = fit(texts, pictures, 0.0)
    statistics = np.column_stack([gaussians.distances(captions, pictures), np.full(60, gaussians.information)])
    np.testing.assert_allclose(Mid().score(statistics), each, rtol=1e-9)
    assert Mid().aggregate(statistics) == pytest.approx(corpus, rel=1e-9)


def test_the_example_of_the_authors_is_larger_for_pairs_than_for_shuffled_ones() -> None:
    texts = RNG.normal(size=(200, 3))
    pictures = texts + 0.1 * RNG.normal(size=(200, 3))
    gaussians = fit(texts, pictures, 0.0)
    right = gaussians.distances(texts, pictures) @ [0.5, 0.5, -0.5]
    wrong = gaussians.distances(texts[::-1], pictures) @ [0.5, 0.5, -0.5]
    assert right.mean() == pytest.approx(0, abs=0.1) and wrong.mean() < -10
    # The PMI of the reference pairs themselves has the mutual information as its mean: MID of people is I(X; Y).
    statistics = np.column_stack([gaussians.distances(texts, pictures), np.full(200, gaussians.information)])
    assert Mid().aggregate(statistics) == pytest.approx(gaussians.information, rel=1e-9)


@pytest.mark.torch
def test_mid_of_a_corpus_is_that_of_transformers_vectors(tmp_path: Path) -> None:
    given = originals(tmp_path, prompt="")
    eps, count = 0.01, [len(each) for each in given.references]
    texts, pictures = np.vstack(given.references), np.repeat(given.pictures, count, axis=0)
    both = np.hstack([texts, pictures])
    joint = np.cov(both.T) + eps * np.eye(both.shape[1])
    half = texts.shape[1]
    parts = [(slice(0, half), 1), (slice(half, None), 1), (slice(None), -1)]
    centred = np.hstack([given.captions, given.pictures]) - both.mean(0)
    wanted = np.zeros(len(centred))
    for part, sign in parts:
        side, matrix = centred[:, part], joint[part, part]
        distances = np.einsum("ij,jk,ik->i", side, np.linalg.inv(matrix), side)
        wanted += sign * (np.linalg.slogdet(matrix)[1] + distances) / 2
    key = f"mid(model={quote(models().paths['hugging-face'])},eps={eps})"
    [result] = evaluate(CAPTIONS, REFERENCES, images=tmp_path, metrics=key).values()
    np.testing.assert_allclose(result.captions, wanted, atol=1e-3)  # distances are divided by eps: 1e-5 / 0.01
    assert "|eps:0.01|" in result.signature
    [why] = explain(CAPTIONS, REFERENCES, images=tmp_path, image_id=2, metrics=key)
    assert why.score == pytest.approx(result.captions[1], abs=1e-3)


@pytest.mark.torch
def test_too_few_pairs_are_an_error_before_any_work(tmp_path: Path) -> None:
    picture_files(tmp_path, SIZES)
    with pytest.raises(InputError, match=r"48 dimensions from 4 images with 7 references; it needs more than 24"):
        evaluate(CAPTIONS, REFERENCES, images=tmp_path, metrics=f"mid(model={quote(models().paths['hugging-face'])})")


def test_resamples_are_weights() -> None:
    statistics = np.column_stack([RNG.random((5, 3)), np.full(5, 2.0)])
    weights = np.array([[2.0, 0, 1, 1, 1], [0, 0, 0, 0, 1]])
    repeated = statistics[[0, 0, 2, 3, 4]]
    found = Mid().aggregates(statistics, weights)
    assert found[0] == pytest.approx(Mid().aggregate(repeated)) and np.isnan(found[1])  # one caption has no spread
    missing = np.vstack([statistics, [np.nan, np.nan, np.nan, 2.0]])
    assert Mid().aggregate(missing) == pytest.approx(Mid().aggregate(statistics))


@pytest.mark.torch
def test_pairs_beyond_the_limit_are_left_out_of_the_fit(tmp_path: Path) -> None:
    picture_files(tmp_path, SIZES)
    metric = Mid(model=models().paths["hugging-face"], eps=0.01)
    some = evaluate(CAPTIONS, REFERENCES, images=tmp_path, metrics=[replace(metric, limit=3)])
    fewer = {**REFERENCES, 3: [], 4: []}
    few = evaluate(CAPTIONS, fewer, images=tmp_path, metrics=[metric], missing="zero")
    assert next(iter(some.values())).score == pytest.approx(next(iter(few.values())).score)
    assert any("fitted to the first 3 of 7 pairs" in note for note in some.notes)
