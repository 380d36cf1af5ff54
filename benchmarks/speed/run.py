"""Side by side with the peers, in one run: writes benchmarks/speed/results.json and the tables of docs/benchmarks.md.

    python -m benchmarks.speed.run [NAME …] [--images N] [--repetitions N] [--busy]

A benchmark is a module here with `benchmark(images, repetitions)`, which gives a title, the peer's name, the
command, rows made by `measure.row`, remarks if any, and the raw runs; `PACKAGES` names what it compares with. What
cannot be measured raises `NotMeasured`. With fewer images than all, results are shown, not written. On a machine that
is busy nothing is measured, unless with `--busy`.
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import json
import os
import time
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.pages import replace
from benchmarks.places import DATA, ROOT
from benchmarks.speed.environment import NotMeasured, busy, machine, peer_python, versions
from benchmarks.speed.val2014 import IMAGES

# In the order of the page.
BENCHMARKS = (
    *("ngrams", "growth", "limit", "startup", "meteor", "spice", "ter", "wmd", "faier", "judge"),
    *("verity", "encoder", "detect", "clip", "reward"),
)
RESULTS = Path(__file__).parent / "results.json"
PAGE = ROOT / "docs" / "benchmarks.md"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures vericap and its peers side by side.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)}; all by default")
    parser.add_argument("--images", type=int, default=IMAGES, help="fewer for a try, which is not written")
    parser.add_argument("--repetitions", type=int, default=3, help="timed runs of each; the median counts")
    parser.add_argument("--busy", action="store_true", help="measure although the machine has other work")
    options = parser.parse_args()
    unknown = set(options.names) - set(BENCHMARKS)
    if unknown:
        parser.error(f"no benchmark is called {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
    if not options.busy and (reason := busy()) is not None:
        parser.error(reason)
    os.chdir(ROOT)  # commands hold paths from here, so that they read the same everywhere
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    load, failed = os.getloadavg()[0], []
    peer_python()  # installed before anything is timed
    for name in options.names or BENCHMARKS:
        print(f"{name} …", flush=True)
        try:
            result = measured(name, options.images, options.repetitions)
        except Exception:  # the others are measured all the same; the exit code tells
            traceback.print_exc()
            failed.append(name)
            continue
        result["load"] = round(load, 2)
        print(f"{shown(result)}\n{result['seconds']:.0f} s", flush=True)
        results[name] = result
        if options.images == IMAGES:
            RESULTS.write_text(without_absolute_paths(json.dumps(results, indent=1)) + "\n")
            replace(PAGE, "tables", without_absolute_paths(page(results)))
    if failed:
        raise SystemExit(f"failed: {', '.join(failed)}")


def without_absolute_paths(text: str) -> str:
    """Return the folder of data as it is seen from the project, wherever both are."""
    return text.replace(str(DATA), os.path.relpath(DATA, ROOT))


def measured(name: str, images: int, repetitions: int) -> dict[str, Any]:
    """The results of a benchmark, with its time, machine and duration."""
    module = importlib.import_module(f"benchmarks.speed.{name}")
    start = time.perf_counter()
    try:
        found = module.benchmark(images, repetitions)
    except NotMeasured as reason:
        found = {"title": name.capitalize(), "not_measured": str(reason)}
    return {
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
        "versions": versions(getattr(module, "PACKAGES", ())),
        "repetitions": repetitions,
        "seconds": round(time.perf_counter() - start, 1),
        **found,
    }


def page(results: Mapping[str, Mapping[str, Any]]) -> str:
    """Return all that is between the marks: how long it took, and the sections in their order."""
    there = [name for name in BENCHMARKS if name in results]
    minutes = sum(results[name].get("seconds", 0.0) for name in there) / 60
    took = f"The benchmarks below took {minutes:.0f} minutes together, without the installation of the peers."
    return "\n\n".join([took, *(section(name, results[name]) for name in there)])


def section(name: str, result: Mapping[str, Any]) -> str:
    """Return a heading, the table, the commands and what they ran on."""
    about = result["machine"]
    compared = ", ".join(f"{package} {version}" for package, version in result["versions"].items())
    command = f"Made by `python -m benchmarks.speed.run {name}`"
    if "not_measured" in result:
        return f"## {result['title']}\n\nNot measured on {result['date']}: {result['not_measured']}. {command}."
    fewer = f", of {result['peer_repetitions']} for what takes long" if "peer_repetitions" in result else ""
    # A load of 0.5 is that of the machine's own housekeeping.
    other_work = f" The load was {result['load']:.2f} when it began." if result.get("load", 0) > 0.5 else ""
    return "\n\n".join(
        [
            f"## {result['title']}",
            table(result),
            *result.get("remarks", ()),
            f"{command}, which times `{result['command']}`; "
            f"{result['date']}, medians of {result['repetitions']} runs{fewer}.{other_work} "
            f"{about['processor']}, {about['cores']} cores, {about['memory']}, {about['system']}, "
            f"Python {about['python']}, {about['java']}. {compared}.",
        ]
    )


def shown(result: Mapping[str, Any]) -> str:
    """Return the table and what is said about it, or why there is none."""
    if "not_measured" in result:
        return f"not measured: {result['not_measured']}"
    return "\n".join([table(result), *result.get("remarks", ())])


def table(result: Mapping[str, Any]) -> str:
    """Return the rows as a Markdown table, with a column for each of the `ways` of computing; a benchmark of another
    shape has a `table` of its own."""
    if "table" in result:
        return str(result["table"])
    peer, ways = result["peer"], result.get("ways", ["vericap"])
    header = ["", *ways, *([peer, "ratio"] if peer else []), "bar", "met"]
    lines = [header, ["---", *["---:"] * (len(header) - 3), "---", "---"]]
    for each in result["rows"]:
        others = each.get("others", [None] * (len(ways) - 1))
        cells = [each["what"], *(spell(number, each["unit"]) for number in (each["vericap"], *others))]
        if peer:
            cells += [spell(each["peer"], each["unit"]), spell(each["ratio"], "×")]
        cells += [each["bar"], {True: "yes", False: "**no**", None: ""}[each["met"]]]
        lines.append(cells)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def spell(number: float | None, unit: str) -> str:
    """Return a number with its unit; three digits say enough.

    >>> spell(1095.2, "MB"), spell(0.4567, "s"), spell(23.456, "×"), spell(2.2e-16, "")
    ('1,095 MB', '0.457 s', '23.5×', '2.2e-16')
    """
    if number is None:
        return ""
    if not unit:
        return f"{number:.2g}"
    digits = 0 if number >= 100 else 1 if number >= 10 else 2 if number >= 1 else 3
    return f"{number:,.{digits}f}{'' if unit == '×' else ' '}{unit}"


if __name__ == "__main__":
    main()
