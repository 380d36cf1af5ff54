"""The n-gram run compared with the least time that it could take on this machine, stage by stage.

    python -m benchmarks.speed.run limit
    python -m benchmarks.speed.limit [--images 40504] [--repetitions 3] [--instructions 500]

The stages are read, tokenise, n-grams, match and write, each with its wall time on one core and on two, its processor
time on one, and two limits that are measured in the same run: its bytes read at the speed of memory, and
one pass of a loop in C over them, which looks up every byte in a table and hashes it. A stage's bytes are what it
cannot do without: the files, the texts of the captions, the numbers of their words once for each order (n-grams and
match), the file that is written. What is loaded once is loaded before, by a run on two captions.

Machines are noisy, instructions are not: where valgrind is installed, callgrind counts those of each stage on fewer
images, on one core; `perf stat` counts those of the whole command where the machine lets it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from benchmarks.pages import table
from benchmarks.places import INPUT, ROOT
from benchmarks.speed.environment import PYTHON, NotMeasured
from benchmarks.speed.measure import TWO_CORES, Command
from benchmarks.speed.ngrams import score
from benchmarks.speed.val2014 import IMAGES, val2014

STAGES = ("read", "tokenise", "n-grams", "match", "write")
SUBSET = 500  # images whose instructions are counted: valgrind takes fifty times as long
SOURCE = Path(__file__).parent / "limit_pass.c"
FOLDER = INPUT / "limit"
# Python's hash of strings and the place of memory change the counts by a little.
STEADY = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def benchmark(images: int, repetitions: int, counted: int = SUBSET) -> dict[str, Any]:
    library = compiled()
    files = val2014(images)
    runs = {
        "one core": [stages(files, library, 1) for _ in range(repetitions)],
        "two cores": [stages(files, library, 2) for _ in range(repetitions)],
    }
    where = stages(files, library, 1, "profile")["where"]
    counts = instructions(val2014(min(images, counted)), library)
    whole = score(*files, FOLDER.relative_to(ROOT) / "perf.json", workers=1)
    rows = [stage_row(stage, runs, counts["stages"], where) for stage in STAGES]
    return {
        "title": f"The limit, stage by stage, {images:,} images × 5 captions",
        "peer": None,
        "command": "benchmarks.speed.limit_alone",
        "rows": rows,
        "table": stage_table(rows),
        "remarks": [limits_said(runs["one core"]), counts["remark"], perf(whole)],
        "runs": {**runs, "instructions": counts},
    }


def compiled() -> Path:
    """Return the loop in C as a library; with marks for callgrind where its header is there."""
    words = (sysconfig.get_config_var("CC") or "cc").split()
    if shutil.which(words[0]) is None:
        raise NotMeasured(f"there is no C compiler ({words[0]})")
    FOLDER.mkdir(parents=True, exist_ok=True)
    library = FOLDER / "limit_pass.so"
    command = [words[0], "-O2", "-shared", "-fPIC", SOURCE, "-o", library]
    if subprocess.run([*command, "-DMARKS"], capture_output=True).returncode:
        subprocess.run(command, check=True)
    return library


def stages(files: tuple[Path, Path], library: Path, workers: int, how: str = "time") -> dict[str, Any]:
    """Return the output of benchmarks.speed.limit_alone, in its own process on this many cores."""
    words = [PYTHON, "-m", "benchmarks.speed.limit_alone", how, *files, FOLDER / "out.json", library, str(workers)]
    command = Command(words, core=0 if workers == 1 else TWO_CORES)
    said = subprocess.run(command.argv(), stdout=subprocess.PIPE, check=True, cwd=ROOT)
    found: dict[str, Any] = json.loads(said.stdout)
    return found


def instructions(files: tuple[Path, Path], library: Path) -> dict[str, Any]:
    """Instructions of each stage by callgrind, and what is to say about them."""
    if shutil.which("valgrind") is None:
        return {"stages": {}, "remark": "Instructions are not available: valgrind is not installed."}
    for old in FOLDER.glob("callgrind.*"):
        old.unlink()
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={FOLDER}/callgrind"]
    words = [PYTHON, "-m", "benchmarks.speed.limit_alone", "count", *files, FOLDER / "few.json", library, "1"]
    done = subprocess.run([*valgrind, *words], capture_output=True, text=True, cwd=ROOT, env={**os.environ, **STEADY})
    found = dumped(FOLDER)
    if done.returncode or not set(STAGES) <= set(found):
        said = done.stderr.strip()[-200:]
        return {"stages": {}, "remark": f"Instructions are not available: valgrind said {said!r}."}
    captions = json.loads(done.stdout)["captions"]
    each = {stage: found[stage] / captions for stage in STAGES}
    return {
        "stages": each,
        "remark": f"Instructions are those of {captions:,} captions on one core, counted by callgrind: "
        f"{sum(each.values()):,.0f} for a caption in all stages. Start-up takes {found['start'] / 1e6:,.0f} million.",
    }


def dumped(folder: Path) -> dict[str, int]:
    """Instructions by the name of the mark at which callgrind wrote them down."""
    found = {}
    for path in folder.glob("callgrind.*"):
        lines = path.read_text("utf-8", "replace").splitlines()
        trigger = next((line for line in lines if line.startswith("desc: Trigger: Client Request: ")), "")
        total = next((line for line in lines if line.startswith(("summary: ", "totals: "))), "")
        if trigger and total:
            found[trigger.rpartition(": ")[2].strip()] = int(total.split()[1])
    return found


def perf(words: list[str | Path]) -> str:
    """Return what `perf stat` counts for the whole command, or that it cannot."""
    if shutil.which("perf") is None:
        return "`perf stat` is not available: perf is not installed."
    command = ["perf", "stat", "-x", ",", "-e", "instructions:u", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    line = next((line for line in done.stderr.splitlines() if "instructions" in line), "")
    count = line.partition(",")[0]
    if done.returncode or not count.isdigit():
        return "`perf stat` is not available: this machine has no counter of instructions for it."
    return f"`perf stat` counts {int(count) / 1e9:,.2f} billion instructions for the whole command on one core."


def stage_row(
    stage: str, runs: dict[str, list[dict[str, Any]]], counts: dict[str, float], where: dict[str, str]
) -> dict[str, Any]:
    """Return medians of a stage and its limits."""
    one, two = runs["one core"], runs["two cores"]

    def middle(some: list[dict[str, Any]], name: str) -> float:
        return statistics.median(each[name][stage] for each in some)

    size, processor = one[0]["bytes"][stage], middle(one, "processor")
    memory, loop = (size * statistics.median(each[name] for each in one) for name in ("memory", "loop"))
    captions = one[0]["captions"]
    return {
        "stage": stage,
        "wall": middle(one, "wall"),
        "wall, two cores": middle(two, "wall"),
        "processor": processor,
        "bytes": size,
        "at memory speed": memory,
        "one pass": loop,
        "ratio": processor / loop,
        "share": processor / sum(statistics.median(each["processor"][name] for each in one) for name in STAGES),
        "instructions of a byte": counts[stage] * captions / size if counts else None,
        "instructions of a caption": counts.get(stage),
        "where": where[stage],
    }


def stage_table(rows: list[dict[str, Any]]) -> str:
    """Return the rows as Markdown, with their sum."""
    head = ["stage", "wall, one core", "wall, two cores", "processor time", "share", "bytes", "at memory speed"]
    head += ["one pass in C", "times the pass", "instructions per caption", "per byte", "most of it in"]
    lines = [head]
    for each in rows:
        counted = each["instructions of a caption"]
        lines.append(
            [
                each["stage"],
                *(f"{each[name]:.3f} s" for name in ("wall", "wall, two cores", "processor")),
                f"{each['share']:.0%}",
                f"{each['bytes'] / 1e6:,.1f} MB",
                *(f"{1e3 * each[name]:.1f} ms" for name in ("at memory speed", "one pass")),
                f"{each['ratio']:,.1f}×",
                "not available" if counted is None else f"{counted:,.0f}",
                "not available" if counted is None else f"{each['instructions of a byte']:,.0f}",
                each["where"],
            ]
        )
    total = {name: sum(each[name] for each in rows) for name in ("wall", "wall, two cores", "processor", "bytes")}
    limits = {name: sum(each[name] for each in rows) for name in ("at memory speed", "one pass")}
    counted = [each["instructions of a caption"] for each in rows]
    lines.append(
        [
            "all",
            *(f"{total[name]:.3f} s" for name in ("wall", "wall, two cores", "processor")),
            "100%",
            f"{total['bytes'] / 1e6:,.1f} MB",
            *(f"{1e3 * each:.1f} ms" for each in limits.values()),
            f"{total['processor'] / limits['one pass']:,.1f}×",
            "not available" if None in counted else f"{sum(counted):,.0f}",
            "",
            "",
        ]
    )
    return table(lines)


def limits_said(runs: list[dict[str, Any]]) -> str:
    memory, loop = (statistics.median(each[name] for each in runs) for name in ("memory", "loop"))
    return (
        f"Memory is read at {1e-9 / memory:.1f} GB per second here, and the loop in C takes {1e9 * loop:.2f} ns for a "
        "byte. “Most of it in” names the functions with the largest share of a stage's time under cProfile, which sees "
        "methods of compiled kernels but not what they call inside."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=int, default=IMAGES)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--instructions", type=int, default=SUBSET, help="images whose instructions are counted")
    given = parser.parse_args()
    os.chdir(ROOT)
    found = benchmark(given.images, given.repetitions, given.instructions)
    print("\n\n".join([found["table"], *found["remarks"]]))


if __name__ == "__main__":
    main()
