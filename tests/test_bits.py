"""A score has the same bits in any company: in any order, batch and chunk, with any number of workers, in a stream, as
a reward and from the server. Run here under the machine's own kernels, and again, in processes of their own, under
those that other processors have."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from benchmarks.reproducibility import CLASSIC, PICTURES, WITHOUT_AVX512, Rows, evaluated, in_company, same_bits
from tests.streaming.demo_rows import ABBREVIATIONS, demo_rows
from vericap.kernels import WAYS
from vericap.kernels.encoding import ways

OWN = WAYS[ways()]
# Kernels of OpenBLAS, our own way, and what NumPy leaves out.
PROCESSORS = [
    ("SkylakeX", "vnni", ""),
    ("Haswell", "avx2", WITHOUT_AVX512),
    ("Nehalem", "plain", WITHOUT_AVX512),
]
FILES = [
    "tests/test_bits.py",
    "tests/encoders",
    "tests/kernels/test_recurrence.py",
    "tests/metrics/faier",
    "tests/metrics/test_bertscore.py",
    "tests/metrics/verity",
    "tests/scene/test_layers.py",
    "tests/streaming/test_run.py",
]


def rows(count: int) -> Rows:
    """Return captions that ship."""
    given = [row for row in demo_rows(30) if row["caption"] not in ABBREVIATIONS][:count]
    return [(row["image_id"], row["caption"], row["references"][:-1]) for row in given]


def long_row() -> Rows:
    """Return a caption and references whose products OpenBLAS cuts among threads."""
    captions = [caption for _, caption, _ in rows(4)]
    long = " ".join(captions)
    return [(99, long, [f"{long} {caption}" for caption in captions[:3]])]


@pytest.mark.bits
@pytest.mark.slow_when_pure
@pytest.mark.parametrize(
    ("metrics", "given"),
    [
        ([key for key in CLASSIC if key not in PICTURES], rows(16) + long_row()),
        (["verity", "verity.fidelity", "verity.adequacy"], rows(9)),  # NumPy takes seconds for a long text
        (["sbert", "bertscore", "soft-spice"], rows(3) + long_row()),
    ],
    ids=["classic", "verity", "encoders"],
)
def test_a_score_has_the_same_bits_in_any_company(metrics: list[str], given: Rows, minilm: Path) -> None:
    different = [
        f"{key}, {name}"
        for name, scores, expected in in_company(given, metrics)
        for key in scores
        if not same_bits(scores[key], expected[key])
    ]
    assert different == []


@pytest.mark.bits
def test_the_number_of_cores_does_not_count(minilm: Path) -> None:
    with threadpool_limits(1, "blas"):
        on_one, _ = evaluated(long_row(), ["bertscore", "verity"])
    on_all, _ = evaluated(long_row(), ["bertscore", "verity"])
    assert all(same_bits(on_one[key], on_all[key]) for key in on_one)


@pytest.mark.bits
def test_the_kernels_that_were_asked_for_are_in_use() -> None:
    # NumPy and OpenBLAS ignore names that they do not know, without a word.
    blas, way = os.environ.get("OPENBLAS_CORETYPE"), os.environ.get("VERICAP_KERNELS")
    used = {each["architecture"] for each in threadpool_info() if "numpy" in each["filepath"]}
    assert not blas or used == {blas}
    assert not way or way == OWN
    if os.environ.get("NPY_DISABLE_CPU_FEATURES"):
        from numpy._core._multiarray_umath import __cpu_features__ as features

        assert not features["X86_V4"]


@pytest.mark.slow_when_pure
@pytest.mark.parametrize(("blas", "way", "without"), PROCESSORS)
def test_other_processors_keep_the_promise_too(blas: str, way: str, without: str) -> None:
    if way not in WAYS[: ways() + 1]:
        pytest.skip(f"this machine does not run {way}")
    chosen = {"OPENBLAS_CORETYPE": blas, "VERICAP_KERNELS": way, "NPY_DISABLE_CPU_FEATURES": without}
    environment = {**os.environ, **{name: value for name, value in chosen.items() if value}}
    line = [sys.executable, "-m", "pytest", "-q", "-m", "bits", "-p", "no:cacheprovider", "-p", "no:xdist", *FILES]
    done = subprocess.run(line, env=environment, capture_output=True, text=True, cwd=Path(__file__).parents[1])
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


def test_bits_are_compared_and_not_values() -> None:
    assert same_bits(np.array([np.nan, 1.0]), np.array([np.nan, 1.0]))
    assert not same_bits(np.array([1.0]), np.array([np.nextafter(1.0, 2.0)]))
    assert not same_bits(np.array([0.0]), np.array([-0.0]))
