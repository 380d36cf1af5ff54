"""The bootstrap over images: what it draws, and what becomes of values that are undefined."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.errors import InputError
from vericap.stats.resampling import draw, estimate, resampled_means


@given(st.integers(1, 300), st.integers(1, 5), st.integers(0, 2**32))
def test_every_resample_holds_as_many_images_as_there_are(clusters: int, resamples: int, seed: int) -> None:
    counts = draw(clusters, resamples, seed)
    assert counts.shape == (resamples, clusters)
    assert (counts.sum(axis=1, dtype=np.int64) == clusters).all()
    assert np.array_equal(counts, draw(clusters, resamples, seed))


def test_counts_are_multinomial() -> None:
    counts = draw(50, 4000, 7).astype(float)
    assert counts.mean() == 1
    assert counts.var(axis=0).mean() == pytest.approx(1 - 1 / 50, abs=0.02)
    # Two images compete for places: covariance -1/n.
    assert np.cov(counts[:, 0] + counts[:, 1], counts[:, 2:].sum(axis=1))[0, 1] == pytest.approx(-2 * 48 / 50, abs=0.15)


def test_nothing_to_draw_from_is_an_error() -> None:
    with pytest.raises(InputError, match="at least one"):
        draw(0, 10, 0)


def test_mean_of_a_resample_leaves_out_what_is_undefined() -> None:
    found = resampled_means([1.0, np.nan, 5.0, np.nan], [0, 0, 1, 2], [[1, 1, 1], [3, 1, 0], [0, 0, 3]])
    assert found.tolist()[:2] == [3.0, 2.0]
    assert np.isnan(found[2])


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=40), st.integers(0, 5), st.sampled_from([0.5, 0.9, 0.95]))
def test_the_interval_leaves_out_the_same_share_on_both_sides(
    values: list[float], undefined: int, level: float
) -> None:
    found = estimate(1.0, np.array(values + [np.nan] * undefined), level)
    assert found.interval == pytest.approx(
        (np.percentile(values, 50 - 50 * level), np.percentile(values, 50 + 50 * level)), abs=1e-12
    )
    assert len(found.replicates) == len(values) + undefined


def test_what_is_undefined_has_no_interval() -> None:
    assert estimate(0.5, np.full(3, np.nan)).interval is None
    assert estimate(float("nan"), np.array([0.1, 0.2])).interval is None


@given(st.lists(st.tuples(st.floats(-9, 9), st.integers(0, 3)), min_size=1, max_size=12), st.integers(0, 99))
def test_mean_of_a_resample_is_that_of_its_rows_written_down(rows: list[tuple[float, int]], seed: int) -> None:
    values, cluster = np.array([value for value, _ in rows]), np.array([image for _, image in rows])
    counts = np.random.default_rng(seed).integers(0, 3, (5, 4))
    counts[:, cluster[0]] += 1  # at least one row
    expected = [np.repeat(values, row[cluster]).mean() for row in counts]
    assert resampled_means(values, cluster, counts) == pytest.approx(expected, abs=1e-9)
