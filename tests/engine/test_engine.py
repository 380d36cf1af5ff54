"""One call for every engine."""

import pytest

from vericap.engine import Engine, run_in_order
from vericap.errors import InputError


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_answers_come_in_the_order_of_the_items(workers):
    assert list(run_in_order(lambda n: n * n, range(30), Engine(workers=workers))) == [n * n for n in range(30)]


@pytest.mark.parametrize("workers", [1, 2])
def test_items_are_taken_as_they_are_needed(workers):
    taken = []

    def items():
        for n in range(1000):
            taken.append(n)
            yield n

    answers = run_in_order(str, items(), Engine(workers=workers))
    assert [next(answers) for _ in range(3)] == ["0", "1", "2"]
    answers.close() if hasattr(answers, "close") else None
    assert len(taken) < 20


def test_an_engine_that_does_not_exist_is_an_error():
    with pytest.raises(InputError, match="choose local or ray"):
        Engine("spark")
