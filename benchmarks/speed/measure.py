"""Runs commands as child processes and tells wall time, CPU time and peak memory, alternating between rivals.

Memory is sampled in runs of their own: reading it slows down what is read, so those runs are not timed.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from vericap.kernels import WAYS
from vericap.kernels.recurrence import ways

MEGABYTE = 1e6
SAMPLE_SECONDS = 0.02
SCALING = 1.7
TWO_CORES = "0,1"
# An installed package has its bytecode; ours, which runs from its sources, writes it in the first round.
_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@dataclass(frozen=True)
class Command:
    """A command: words, additions to the environment, and the core or cores (`"0,1"`) to stay on, if any."""

    words: Sequence[str | Path]
    environment: Mapping[str, str] = field(default_factory=dict)
    core: int | str | None = None

    def argv(self) -> list[str]:
        pinned = [] if self.core is None else ["taskset", "-c", str(self.core)]
        return [*pinned, *map(str, self.words)]

    def __str__(self) -> str:
        """As one would type it: programs by name, not by place."""
        words = self.argv()
        program = 0 if self.core is None else 3
        words[program] = Path(words[program]).name
        return " ".join([*(f"{k}={v}" for k, v in self.environment.items()), *words])


@dataclass(frozen=True)
class Run:
    """One finished run. Bytes are None in timed runs, `largest_process` is the kernel's ru_maxrss."""

    seconds: float
    cpu_seconds: float
    largest_process: int
    proportional: int | None = None  # PSS summed over the processes: a page that n of them share counts 1/n in each
    resident: int | None = None  # RSS summed over the processes: a shared page counts in each


def run(command: Command, *, memory: bool = False) -> Run:
    """Run a command to its end; an exit code other than 0 is an error that shows what it said."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        # A session of its own: its number is what finds all processes that descend from the command.
        child = subprocess.Popen(
            command.argv(),
            env={**_ENVIRONMENT, **command.environment},
            stdout=subprocess.DEVNULL,
            stderr=said,
            start_new_session=True,
        )
        proportional = resident = 0
        while memory and not _ended(child.pid):
            now_proportional, now_resident = memory_of_session(child.pid)
            proportional, resident = max(proportional, now_proportional), max(resident, now_resident)
            time.sleep(SAMPLE_SECONDS)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            said.seek(0)
            message = said.read().decode(errors="replace")[-2000:]
            raise RuntimeError(f"{command} ended with {child.returncode}:\n{message}")
    return Run(
        seconds,
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss * 1024,
        proportional if memory else None,
        resident if memory else None,
    )


@dataclass(frozen=True)
class Contest:
    """The runs of rivals that took turns."""

    commands: Mapping[str, Command]
    timed: Mapping[str, list[Run]]
    sampled: Mapping[str, Run]

    def seconds(self, name: str) -> float:
        """Median wall time."""
        return statistics.median(each.seconds for each in self.timed[name])

    def cpu_seconds(self, name: str) -> float:
        """Median processor time, of all processes."""
        return statistics.median(each.cpu_seconds for each in self.timed[name])

    def megabytes(self, name: str) -> float:
        """Peak memory, PSS summed over processes."""
        return (self.sampled[name].proportional or 0) / MEGABYTE

    def resident_megabytes(self, name: str) -> float:
        """Peak memory, RSS summed over processes."""
        return (self.sampled[name].resident or 0) / MEGABYTE

    def times_faster(self, name: str, rival: str) -> float:
        """Return how many times less wall time `name` takes than `rival`."""
        return self.seconds(rival) / self.seconds(name)

    def to_dict(self) -> dict[str, object]:
        return {
            name: {
                "command": str(command),
                "timed": [asdict(each) for each in self.timed[name]],
                "sampled": asdict(self.sampled[name]) if name in self.sampled else None,
            }
            for name, command in self.commands.items()
        }


def contest(
    commands: Mapping[str, Command],
    *,
    repetitions: int,
    memory: bool = True,
    warm_up: bool = True,
    at_most: Mapping[str, int] | None = None,
) -> Contest:
    """Rivals take turns: one run of each, again and again. The first round warms files up, and is not counted;
    with `memory` it is the one whose memory is sampled. `at_most`: timed runs of those that take long."""
    sampled = {}
    if memory or warm_up:
        rounds = {name: run(command, memory=memory) for name, command in commands.items()}
        sampled = rounds if memory else {}
    timed: dict[str, list[Run]] = {name: [] for name in commands}
    for turn in range(repetitions):
        for name, command in commands.items():
            if turn < (at_most or {}).get(name, repetitions):
                timed[name].append(run(command))
    return Contest(commands, timed, sampled)


def kernel_ways() -> list[str]:
    """Return the ways in which this machine computes networks, the fastest first; all give the same scores."""
    return list(reversed(WAYS[: ways() + 1]))


def in_ways(name: str, command: Command) -> dict[str, Command]:
    """Return a command once for each way, as `name, way`."""
    return {
        f"{name}, {way}": replace(command, environment={**command.environment, "VERICAP_KERNELS": way})
        for way in kernel_ways()
    }


def row(
    what: str,
    vericap: float,
    peer: float | None = None,
    *,
    unit: str,
    bar: str = "",
    met: bool | None = None,
    others: Sequence[float] = (),
) -> dict[str, object]:
    """Return a row of a table of results: ours, the peer's, and the bar it has to clear. The ratio says how many times
    better ours is: less of a time or of memory, more of what is counted per second. `others` are ours in slower ways.

    >>> row("time", 2.0, 8.0, unit="s")["ratio"], row("speed", 8.0, 2.0, unit="pictures/s")["ratio"]
    (4.0, 4.0)
    """
    ratio = None
    if peer is not None and vericap and peer:
        ratio = vericap / peer if unit.endswith("/s") else peer / vericap
    found = {"what": what, "unit": unit, "vericap": vericap, "peer": peer, "ratio": ratio, "bar": bar, "met": met}
    return {**found, "others": list(others)} if others else found


def at_least(what: str, vericap: float, peer: float, bar: float, unit: str = "s") -> dict[str, object]:
    """Return a row of times that must be `bar` times less than the peer's."""
    return row(what, vericap, peer, unit=unit, bar=f"≥ {bar:g}×", met=peer / vericap >= bar)


def at_most(what: str, vericap: float, peer: float | None = None, *, bar: float, unit: str) -> dict[str, object]:
    """Return a row of a figure that must not be greater than `bar`.

    >>> at_most("largest difference", 2e-12, bar=1e-9, unit="")["bar"]
    '≤ 1e-9'
    """
    number = f"{bar:g}".replace("e-0", "e-")
    text = f"≤ {number}{'' if unit in ('', '×') else ' '}{unit}"
    return row(what, vericap, peer, unit=unit, bar=text, met=vericap <= bar)


def scaling(one: float, two: float) -> dict[str, object]:
    """Return a row: how many times less the same takes on two cores as on one."""
    return row("from one core to two", one / two, unit="×", bar=f"≥ {SCALING}×", met=one / two >= SCALING)


def memory_of_session(session: int) -> tuple[int, int]:
    """PSS and RSS of all processes of a session."""
    proportional = resident = 0
    for process in _processes(session):
        try:
            lines = (process / "smaps_rollup").read_bytes().splitlines()
        except OSError:
            continue  # it has just ended
        for line in lines:
            if line.startswith(b"Pss:"):
                proportional += int(line.split()[1]) * 1024
            elif line.startswith(b"Rss:"):
                resident += int(line.split()[1]) * 1024
    return proportional, resident


def _processes(session: int) -> Iterator[Path]:
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            status = _status(process)
            if status and int(status[3]) == session:
                yield process


def _ended(pid: int) -> bool:
    status = _status(Path("/proc") / str(pid))
    return not status or status[0] == b"Z"


def _status(process: Path) -> list[bytes]:
    """State, parent, group, session, … of a process; the name before them may hold blanks."""
    try:
        return (process / "stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return []
