"""Work as tasks of a Ray cluster: one that is running, by its address, or one of this machine for as long as the work
takes. Ray does the task of a worker that died again on another."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from uuid import uuid4

from vericap.engine.local import WorkerDied
from vericap.errors import InputError

Given = TypeVar("Given")
Answer = TypeVar("Answer")

RETRIES = 5  # of one task whose worker died
AHEAD = 3  # tasks per core that may be under way

_work: dict[str, Callable[[Any], Any]] = {}  # of a worker: unpacked once, so that what it learns stays


def run_on_ray(
    work: Callable[[Given], Answer], items: Iterable[Given], workers: int, address: str | None = None
) -> Iterator[Answer]:
    """The answers in the order of the items. `work` goes to each worker once; files that it reads have to be there.

    `workers` 0: all cores of the cluster.
    """
    with cluster(workers, address) as ray:
        cores = workers or int(ray.cluster_resources().get("CPU", 1))
        shared = ray.put(work)
        name = uuid4().hex
        task = ray.remote(max_retries=RETRIES, num_cpus=1, retry_exceptions=False)(_do)
        under_way: deque[Any] = deque()
        try:
            for item in items:
                # In a list, a reference is not unpacked before the task asks for it.
                under_way.append(task.remote(name, [shared], item))
                if len(under_way) >= cores * AHEAD:
                    yield _answer(ray, under_way.popleft())
            while under_way:
                yield _answer(ray, under_way.popleft())
        finally:
            for each in under_way:
                ray.cancel(each, force=True)


def _do(name: str, shared: list[Any], item: Any) -> Any:
    """A task: in a worker, the work is unpacked when the first item comes."""
    if name not in _work:
        import ray

        _work.clear()
        _work[name] = ray.get(shared[0])
    return _work[name](item)


def _answer(ray: Any, reference: Any) -> Any:
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        cause = error.cause if isinstance(getattr(error, "cause", None), Exception) else error
        raise cause from None
    except ray.exceptions.RayError as error:
        raise WorkerDied(
            f"Ray gave up on a task after {RETRIES} more attempts ({str(error).splitlines()[0]}); if its workers were "
            "ended for want of memory, use smaller batches or fewer workers; start the stream again to go on at the "
            "last checkpoint"
        ) from None


@contextmanager
def cluster(workers: int, address: str | None) -> Iterator[Any]:
    """A connection to the cluster; where this process has one already, that one is used and left as it is."""
    try:
        import ray
    except ImportError:
        raise InputError("Ray is not installed", field="engine", fix="pip install 'vericap[ray]'") from None
    if ray.is_initialized():
        yield ray
        return
    # Ray does not send usage statistics, opens no dashboard and prints nothing.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    options: dict[str, Any] = {"address": address} if address else {"num_cpus": workers or os.cpu_count() or 1}
    try:
        ray.init(
            include_dashboard=None if address else False,
            log_to_driver=False,
            configure_logging=False,
            logging_level=logging.ERROR,
            **options,
        )
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise InputError(
            f"there is no Ray cluster at {address or 'this machine'} ({str(error).splitlines()[0]})",
            field="ray-address",
            fix="start one with `ray start --head`, or leave the address out",
        ) from None
    try:
        yield ray
    finally:
        ray.shutdown()
