"""The place where work runs: threads and processes of this machine, or a Ray cluster."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from vericap.errors import InputError

Given = TypeVar("Given")
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Engine:
    """The place where work runs: this process (`local` with one worker), forked processes, or a Ray cluster.

    `workers` 0 means all cores, on Ray all cores of the cluster. `address` is a Ray cluster's; without one, Ray starts
    on this machine for as long as the work takes.

    >>> Engine().cores
    1
    """

    name: str = "local"
    workers: int = 1
    address: str | None = None

    def __post_init__(self) -> None:
        if self.name not in ("local", "ray"):
            raise InputError(f"`{self.name}` is not an engine", field="engine", fix="choose local or ray")

    @property
    def cores(self) -> int:
        """The number of workers on this machine."""
        return self.workers or os.cpu_count() or 1

    @contextmanager
    def session(self) -> Iterator[None]:
        """Keeps a cluster for several calls of `run_in_order`; other engines have nothing to keep."""
        if self.name != "ray":
            yield
            return
        from vericap.engine.ray_cluster import cluster

        with cluster(self.workers, self.address):
            yield


def run_in_order(work: Callable[[Given], Answer], items: Iterable[Given], engine: Engine) -> Iterator[Answer]:
    """`map(work, items)`, computed where the engine says. Items are taken as they are needed, so that they may be more
    than fit into memory; an item whose worker dies is done again by another.

    >>> list(run_in_order(lambda n: n * n, range(4), Engine(workers=2)))
    [0, 1, 4, 9]
    """
    if engine.name == "ray":
        from vericap.engine.ray_cluster import run_on_ray

        return run_on_ray(work, items, engine.workers, engine.address)
    if engine.cores == 1 or sys.platform != "linux":
        return map(work, items)
    from vericap.engine.local import in_workers

    return in_workers(work, items, engine.cores)
