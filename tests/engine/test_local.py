"""Work shared by processes: every item is done once or again, whatever becomes of the process that took it."""

from __future__ import annotations

import os

import pytest

from vericap.engine.local import in_processes


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("count", [0, 1, 7, 5000])  # more items than turns: a turn then is several items
def test_answers_stand_in_the_order_of_the_items(workers: int, count: int) -> None:
    assert in_processes(str, range(count), workers) == list(map(str, range(count)))


def test_what_a_dead_process_had_taken_is_done_again() -> None:
    parent = os.getpid()

    def work(item: int) -> int:
        if os.getpid() != parent:
            os._exit(9)
        return item + 1

    assert in_processes(work, range(50), 2) == list(range(1, 51))


def test_an_error_in_any_process_is_raised_here() -> None:
    def work(item: int) -> int:
        if item == 3:
            raise ValueError(item)
        return item

    with pytest.raises(ValueError, match="3"):
        in_processes(work, range(20), 2)
