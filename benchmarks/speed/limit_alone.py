"""The n-gram run, stage by stage, in a process of its own; says what each stage took as JSON.

Usage: limit_alone.py time|profile|count RESULTS ANNOTATIONS OUT LIBRARY WORKERS

`time`: wall and processor seconds, the bytes of each stage, and how fast memory and the loop in C are; `profile`: the
functions in which a stage's time is spent; `count`: a mark for callgrind after each stage.
"""

from __future__ import annotations

import cProfile
import ctypes
import json
import pstats
import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.speed.ngrams import METRICS
from vericap.cli.output import write_files
from vericap.options.inputs import Inputs
from vericap.options.settings import Settings
from vericap.results.scores import Result
from vericap.run.evaluate import metric_result
from vericap.run.measure import measure
from vericap.run.prepare import prepare

ORDERS = 4
WORD = 4  # bytes of a word's number
BUFFER = 1 << 26  # bytes, more than a cache holds
TOP = 2  # functions named for a stage


def run(results: str, annotations: str, out: str, workers: int, stage: Callable[[str], Any]) -> tuple[Any, Result]:
    """Return the run, with each stage between `with stage(name)`; the views and the result."""
    with stage("read"):
        views = prepare(Inputs(results, annotations), Settings(workers=workers), metrics=METRICS)
    with stage("tokenise"):
        _ = views.words
    with stage("n-grams"):
        for order in range(1, ORDERS + 1):
            views.ngrams(order)
    with stage("match"):
        measured = measure(views, METRICS)
        found = {key: metric_result(each) for key, each in measured.items()}
    with stage("write"):
        result = Result(measured.corpus, found, measured.notes)
        write_files(result, [("json", Path(out))])
    return views, result


def sizes(views: Any, results: str, annotations: str, out: str) -> dict[str, int]:
    """Return the bytes that each stage cannot do without."""
    texts = sum(len(text.encode()) for column in (views.corpus.candidates, views.corpus.references) for text in column)
    words = sum(int(lengths.sum()) for lengths in views.word_counts)
    return {
        "read": sum(Path(each).stat().st_size for each in (results, annotations)),
        "tokenise": texts,
        "n-grams": ORDERS * WORD * words,
        "match": ORDERS * WORD * words,
        "write": Path(out).stat().st_size,
    }


class Clock:
    """Wall and processor seconds of each stage, child processes included."""

    def __init__(self) -> None:
        self.wall: dict[str, float] = {}
        self.processor: dict[str, float] = {}

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        start, worked = time.perf_counter(), processor()
        yield
        self.wall[name], self.processor[name] = time.perf_counter() - start, processor() - worked


def processor() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


class Profiler:
    """The functions in which each stage's time is spent."""

    def __init__(self) -> None:
        self.where: dict[str, str] = {}

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        profile = cProfile.Profile()
        profile.enable()
        yield
        profile.disable()
        found = pstats.Stats(profile).stats  # type: ignore[attr-defined]
        own = sorted(((each[2], place) for place, each in found.items()), reverse=True)
        total = sum(seconds for seconds, _ in own) or 1.0
        self.where[name] = ", ".join(f"`{called(*place)}` {seconds / total:.0%}" for seconds, place in own[:TOP])


def called(file: str, line: int, function: str) -> str:
    """Return a function as one would name it.

    >>> called("/x/vericap/text/ptb.py", 7, "tokenize"), called("~", 0, "<built-in method posix.read>")
    ('text/ptb.tokenize', 'posix.read')
    """
    if file == "~":
        return function.strip("<>").removeprefix("built-in method ").removeprefix("method ").replace("'", "")
    place = Path(file).with_suffix("")
    inside = place.parts[place.parts.index("vericap") + 1 :] if "vericap" in place.parts else place.parts[-1:]
    return f"{'/'.join(inside)}.{function.strip('<>')}"


def speeds(library: ctypes.CDLL) -> dict[str, float]:
    """Processor seconds for a byte: read at the speed of memory, and by the loop in C. The best of three."""
    data = np.frombuffer(b"a dog runs along the beach, behind a ball. " * (BUFFER // 43), np.uint8)
    kind = np.zeros(256, np.uint8)
    kind[[*b" ,.\n"]] = 1
    where, table = (each.ctypes.data_as(ctypes.c_void_p) for each in (data, kind))

    def loop() -> None:
        library["pass"](where, ctypes.c_size_t(len(data)), table)

    words = data[: len(data) // 8 * 8].view(np.uint64)
    took = {"memory": lambda: np.bitwise_or.reduce(words), "loop": loop}
    return {name: min(_seconds(work) for _ in range(3)) / len(data) for name, work in took.items()}


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def warm_up(folder: Path) -> None:
    """A run on two captions: modules, tables and patterns are loaded by then."""
    results, annotations = folder / "two-results.json", folder / "two-annotations.json"
    said = {1: "A dog runs.", 2: "Two cats"}
    results.write_text(json.dumps([{"image_id": i, "caption": text} for i, text in said.items()]), "utf-8")
    rows = [{"id": i, "image_id": i, "caption": text} for i, text in said.items()]
    annotations.write_text(json.dumps({"images": [{"id": i} for i in said], "annotations": rows}), "utf-8")
    run(str(results), str(annotations), str(folder / "two.json"), 1, nullcontext)


def main(how: str, results: str, annotations: str, out: str, library: str, workers: int) -> None:
    built = ctypes.CDLL(library)
    warm_up(Path(out).parent)
    if how == "count":

        @contextmanager
        def marked(name: str) -> Iterator[None]:
            if name == "read":
                built.mark(b"start")
            yield
            built.mark(name.encode())

        views, _ = run(results, annotations, out, workers, marked)
        print(json.dumps({"captions": len(views.corpus.candidates) + len(views.corpus.references)}))
        return
    if how == "profile":
        profiler = Profiler()
        run(results, annotations, out, workers, profiler)
        print(json.dumps({"where": profiler.where}))
        return
    clock = Clock()
    views, _ = run(results, annotations, out, workers, clock)
    captions = len(views.corpus.candidates) + len(views.corpus.references)
    found = {"wall": clock.wall, "processor": clock.processor, "captions": captions, **speeds(built)}
    print(json.dumps({**found, "bytes": sizes(views, results, annotations, out)}))


if __name__ == "__main__":
    main(*sys.argv[1:6], int(sys.argv[6]))
