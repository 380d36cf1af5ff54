"""BLAS has one thread as long as anybody needs it so, and what it had before when nobody does."""

from __future__ import annotations

import threading

from threadpoolctl import threadpool_info, threadpool_limits

from vericap.engine.blas import one_blas_thread


def threads() -> set[int]:
    return {each["num_threads"] for each in threadpool_info() if "numpy" in each["filepath"]}


def test_blocks_within_blocks() -> None:
    with threadpool_limits(3, "blas"):
        with one_blas_thread():
            with one_blas_thread():
                assert threads() == {1}
            assert threads() == {1}
        assert threads() == {3}


def test_the_last_of_several_threads_ends_the_limit() -> None:
    entered, leave = threading.Event(), threading.Event()

    def work() -> None:
        with one_blas_thread():
            entered.set()
            leave.wait(10)

    with threadpool_limits(3, "blas"):
        thread = threading.Thread(target=work)
        with one_blas_thread():
            thread.start()
            entered.wait(10)
        assert threads() == {1}  # the other thread is still inside
        leave.set()
        thread.join()
        assert threads() == {3}


def test_an_error_ends_the_limit() -> None:
    with threadpool_limits(3, "blas"):
        try:
            with one_blas_thread():
                raise KeyError
        except KeyError:
            assert threads() == {3}
