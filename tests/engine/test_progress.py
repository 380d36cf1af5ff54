"""Progress inside long work."""

from __future__ import annotations

from itertools import pairwise

import pytest

import vericap
from vericap.engine.local import in_processes, in_threads
from vericap.engine.progress import counted, report, watched


@pytest.mark.parametrize("workers", [1, 2])
def test_shared_work_tells_how_far_it_has_come(workers: int) -> None:
    for run in (
        lambda: in_threads(str, range(40), workers=workers),
        lambda: in_processes(str, range(40), workers),
    ):
        said: list[float] = []
        with watched(said.append):
            assert run() == list(map(str, range(40)))
        assert said == sorted(set(said)) and said[-1] == 0.5  # a further stage may follow


def test_stages_only_grow_and_never_reach_the_end() -> None:
    said: list[float] = []
    with watched(said.append):
        for _ in range(20):
            list(counted(range(10)))
    assert all(a < b for a, b in pairwise(said)) and 0.9 < said[-1] <= 1


def test_without_a_watcher_nothing_happens() -> None:
    report(1, 2)
    assert list(counted("ab")) == ["a", "b"]


def test_progress_advances_inside_spice_and_meteor_and_wmd() -> None:
    words = "dog cat horse bird sheep cow bear zebra man woman boy girl car bus train truck".split()
    captions = {i: f"a {one} near a red {other}" for i, (one, other) in enumerate((a, b) for a in words for b in words)}
    references = {i: [caption.replace("near", "beside")] * 40 for i, caption in captions.items()}
    for key in ("spice", "meteor", "wmd"):
        said: list[tuple[str, float, int]] = []
        vericap.evaluate(captions, references, metrics=key, progress=lambda *told: said.append(told))  # noqa: B023
        inside = [done for what, done, _ in said if what.startswith(key)]
        assert inside[0] == 1 and len(inside) > 1 and all(1 <= done <= 2 for done in inside), (key, inside)
