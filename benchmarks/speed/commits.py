"""A commit and the tree at hand, taking turns in one run: is anything slower, does anything need more memory?

    python -m benchmarks.speed.commits BASE [NAME …] [--repetitions N] [--json FILE] [--busy]

BASE is a commit, which is checked out into a temporary worktree and compiled there, or a folder that holds a compiled
tree. Every round runs each command once in both trees, in alternating order. The ratio is that of one round, tree at
hand to BASE: its median over the rounds, and the 95 % interval of that median. It refuses to measure on a busy machine.

This file imports no NumPy: a child's peak memory, as the kernel reports it, is never below that of its parent.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.pages import table
from benchmarks.places import INPUT, ROOT
from benchmarks.speed import faier, meteor, ngrams, spice
from benchmarks.speed.environment import MOST_LOAD, PYTHON, VERICAP, busy, machine
from benchmarks.speed.measure import Command, Run, run
from benchmarks.speed.val2014 import IMAGES, val2014

LIMIT = 1.03
BEFORE, AFTER = "before", "after"
Words = Sequence[str | Path]


@dataclass(frozen=True)
class Task:
    """A command to time, and how many times in a round: short ones more often."""

    words: Callable[[], Words]
    times: int = 1


def _score(files: Sequence[Path], metrics: str) -> Words:
    results, references = files
    out = INPUT.relative_to(ROOT) / "commits.json"
    return [VERICAP, "score", results, "--references", references, "--metrics", metrics, "--json", out]


def _faier() -> Words:
    results, references, objects = faier.files(2_000)
    return [*_score((results, references), "faier"), "--objects", objects]


def _explain(metric: str) -> Words:
    results, annotations, _ = spice.files(5_000)
    return [VERICAP, "explain", results, "--references", annotations, "--id", "139", "--metrics", metric]


def _rewards() -> Words:
    _, annotations, _ = spice.files(1_000)
    return [PYTHON, "-m", "benchmarks.speed.reward_batches", annotations]


TASKS: Mapping[str, Task] = {
    "n-grams, 40,504 × 5": Task(lambda: _score(val2014(IMAGES), ngrams.METRICS)),
    "METEOR, 40,504 × 5": Task(lambda: _score(val2014(IMAGES), "meteor")),
    "METEOR, one caption": Task(lambda: _score(meteor.one_caption(), "meteor"), 4),
    "SPICE, 5,000 × 5": Task(lambda: _score(spice.files(5_000)[:2], "spice(parser=vericap)")),
    "FAIEr, 2,000 × 5": Task(_faier),
    "Verity, 1,000 × 5": Task(lambda: _score(spice.files(1_000)[:2], "verity")),
    "sbert, 1,000 × 5": Task(lambda: _score(spice.files(1_000)[:2], "sbert")),
    "rewards, 100 batches × 50": Task(_rewards, 4),
    "vericap --version": Task(lambda: [VERICAP, "--version"], 8),
    "import vericap": Task(lambda: [PYTHON, "-c", "import vericap"], 8),
    "explain one of 5,000, CIDEr-D": Task(lambda: _explain("cider-d")),
    "explain one of 5,000, METEOR": Task(lambda: _explain("meteor")),
    "explain one of 5,000, SPICE": Task(lambda: _explain("spice(parser=vericap)")),
}


@dataclass(frozen=True)
class Ratio:
    """Tree at hand to BASE: the median over rounds and the 95 % interval of that median."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, before: Sequence[float], after: Sequence[float]) -> Ratio:
        """From what both took in the same rounds.

        >>> Ratio.of([2.0, 4.0, 2.0], [1.0, 2.0, 1.0])
        Ratio(value=0.5, low=0.5, high=0.5)
        """
        ratios = [ours / theirs for theirs, ours in zip(before, after, strict=True)]
        random = Random(0)
        medians = sorted(median(random.choices(ratios, k=len(ratios))) for _ in range(2_000))
        return cls(median(ratios), medians[50], medians[-51])

    def within(self, limit: float = LIMIT) -> str:
        """Return whether it is within the limit; "unclear" if the interval includes both."""
        return "yes" if self.high <= limit else "**no**" if self.low > limit else "unclear"

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", metavar="BASE", help="a commit, or a folder that holds a compiled tree")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"the beginning of a name: {'; '.join(TASKS)}")
    parser.add_argument("--repetitions", type=int, default=5, help="rounds, without the first, which is not counted")
    parser.add_argument("--json", type=Path, help="write all runs there")
    parser.add_argument("--busy", action="store_true", help=f"measure although the load is above {MOST_LOAD}")
    options = parser.parse_args()
    beginnings = tuple(map(str.lower, options.names)) or ("",)
    names = [name for name in TASKS if name.lower().startswith(beginnings)]
    if not names:
        parser.error(f"no task is called {' or '.join(options.names)}; choose from: {'; '.join(TASKS)}")
    load = os.getloadavg()[0]
    if not options.busy and (reason := busy()) is not None:
        parser.error(reason)
    os.chdir(ROOT)
    with tree(options.base) as base:
        trees = {BEFORE: base, AFTER: ROOT}
        for each in trees.values():
            check_kernels(each)
        results = {}
        for name in names:
            print(f"{name} …", file=sys.stderr, flush=True)
            results[name] = take_turns(TASKS[name], trees, options.repetitions)
    print(report(results))
    if options.json:
        found = {name: summary(runs) for name, runs in results.items()}
        about = {"base": options.base, "tree": described(ROOT), "load": load, "machine": machine()}
        options.json.write_text(json.dumps({**about, "tasks": found}, indent=1) + "\n", "utf-8")


@contextmanager
def tree(base: str) -> Iterator[Path]:
    """The folder of BASE; a commit's is made, compiled, and removed afterwards."""
    if Path(base).is_dir():
        yield Path(base).resolve()
        return
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "tree"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", folder, base], check=True, cwd=ROOT)
        try:
            compile_kernels(folder)
            yield folder
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", folder], check=True, cwd=ROOT)


def compile_kernels(folder: Path) -> None:
    words = [PYTHON, "setup.py", "--quiet", "build_ext", "--inplace"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"the kernels of {folder} do not compile:\n{done.stderr}")


def check_kernels(folder: Path) -> None:
    """Every kernel must be compiled, and from the file as it is now: otherwise the times are another program's."""
    for source in (folder / "src" / "vericap" / "kernels").glob("[!_]*.py"):
        text = source.read_text("utf-8")
        built = [*source.parent.glob(f"{source.stem}.*.so")]
        if "import cython" in text and (not built or built[0].stat().st_mtime < source.stat().st_mtime):
            raise SystemExit(f"{source} is not compiled: python setup.py build_ext --inplace, in {folder}")


def described(folder: Path) -> str:
    said = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=folder, stdout=subprocess.PIPE, text=True)
    return said.stdout.strip()


def take_turns(task: Task, trees: Mapping[str, Path], repetitions: int) -> dict[str, list[Run]]:
    """Return the runs of both trees; the first round warms files up, and its memory is sampled."""
    words = list(task.words())
    commands = {name: Command(words, {"PYTHONPATH": str(folder / "src")}) for name, folder in trees.items()}
    runs = {name: [run(command, memory=True)] for name, command in commands.items()}
    for number in range(repetitions * task.times):
        for name in (BEFORE, AFTER) if number % 2 else (AFTER, BEFORE):
            runs[name].append(run(commands[name]))
    return runs


MEASURES: Mapping[str, Callable[[Run], float]] = {
    "wall": lambda each: each.seconds,
    "processor": lambda each: each.cpu_seconds,
    "memory": lambda each: each.largest_process / 1e6,
}


def summary(runs: Mapping[str, list[Run]]) -> dict[str, object]:
    """Return medians of both trees and their ratio by measure, and all runs; the first of each is the sampled one."""
    found: dict[str, object] = {}
    for name, measure in MEASURES.items():
        before, after = ([measure(each) for each in runs[side][1:]] for side in (BEFORE, AFTER))
        found[name] = {BEFORE: median(before), AFTER: median(after), "ratio": asdict(Ratio.of(before, after))}
    return {**found, "runs": {side: [asdict(each) for each in own] for side, own in runs.items()}}


def report(results: Mapping[str, Mapping[str, list[Run]]]) -> str:
    """Return a table of medians and ratios, wall time, processor time and memory of the largest process."""
    lines = [["", "measure", "before", "after", "ratio", f"within {LIMIT - 1:.0%}"]]
    for name, runs in results.items():
        for label, measure in MEASURES.items():
            before, after = ([measure(each) for each in runs[side][1:]] for side in (BEFORE, AFTER))
            ratio, unit = Ratio.of(before, after), "MB" if label == "memory" else "s"
            cells = [f"{median(each):,.0f} MB" if unit == "MB" else f"{median(each):.3f} s" for each in (before, after)]
            lines.append([name, label, *cells, str(ratio), ratio.within()])
        sampled = [(runs[side][0].proportional or 0) / 1e6 for side in (BEFORE, AFTER)]
        whole = [f"{each:,.0f} MB" for each in sampled]
        lines.append([name, "memory of all processes, once", *whole, f"{sampled[1] / max(sampled[0], 1e-9):.3f}", ""])
    return table(lines)


if __name__ == "__main__":
    main()
