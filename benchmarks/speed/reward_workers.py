"""Loading time of a saved reward, and its cost in the workers that share it.

    python -m benchmarks.speed.reward_workers INDEX WORKERS

Prints JSON: `seconds` from the start of `Reward.load` in a new process to the end of its first batch, and `megabytes`
that the index adds to the workers together: PSS, where a page that n processes share counts 1/n in each, after less
before it is loaded.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import time
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any


def work(path: str, steps: Barrier, answers: Any) -> None:
    import numpy as np

    from vericap.reward import Reward

    caption = "a man is riding a horse on a beach"
    Reward("cider-d", {1: ["a dog"], 2: ["a cat"]})([caption], [1])  # the program itself is not what is measured
    steps.wait()  # ready to load
    steps.wait()  # memory was read
    start = time.perf_counter()
    reward = Reward.load(path)
    ids = reward.index.arrays["image_ids"].view(np.int64)
    reward([caption] * 10, ids[:10])
    answers.put(time.perf_counter() - start)
    for first in range(0, len(ids) - 50, 1000):  # batches from everywhere
        reward([caption] * 50, ids[first : first + 50])
    steps.wait()  # loaded
    steps.wait()  # memory was read


def proportional(processes: list[Any]) -> float:
    """Megabytes of PSS of all processes."""
    total = 0
    for process in processes:
        for line in Path(f"/proc/{process.pid}/smaps_rollup").read_bytes().splitlines():
            if line.startswith(b"Pss:"):
                total += int(line.split()[1]) * 1024
    return total / 1e6


def main() -> None:
    path, count = sys.argv[1], int(sys.argv[2])
    context = multiprocessing.get_context("spawn")
    steps, answers = context.Barrier(count + 1), context.Queue()
    processes = [context.Process(target=work, args=(path, steps, answers)) for _ in range(count)]
    for process in processes:
        process.start()
    steps.wait()
    before = proportional(processes)
    steps.wait()
    steps.wait()
    after = proportional(processes)
    steps.wait()
    together = [answers.get() for _ in processes]
    for process in processes:
        process.join()
    own_steps = context.Barrier(1)  # kept here: a barrier is gone with its last name
    alone = context.Process(target=work, args=(path, own_steps, answers))
    alone.start()
    seconds = answers.get()
    alone.join()
    json.dump(
        {
            "seconds": seconds,
            "seconds of all workers at once": max(together),
            "megabytes": after - before,
            "before": before,
            "after": after,
            "cores": len(os.sched_getaffinity(0)),
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
