"""Side by side with the peers, in one run: writes benchmarks/speed/results.json and the tables of docs/benchmarks.md.

    python -m benchmarks.speed.run [NAME …] [--images N] [--repetitions N]

A benchmark is a module here with `benchmark(images, repetitions)`, which gives a title, the peer's name, the
command, rows made by `measure.row` and the raw runs. With fewer images than all, results are shown, not written.
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import json
import os
from pathlib import Path
from typing import Any

from benchmarks.pages import replace
from benchmarks.places import ROOT
from benchmarks.speed.environment import machine, versions
from benchmarks.speed.val2014 import IMAGES

# In the order of the page.
BENCHMARKS = ("ngrams", "growth", "startup", "ter", "meteor", "spice", "reward", "verity")
RESULTS = Path(__file__).parent / "results.json"
PAGE = ROOT / "docs" / "benchmarks.md"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures vericap and its peers side by side.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)}; all by default")
    parser.add_argument("--images", type=int, default=IMAGES, help="fewer for a try, which is not written")
    parser.add_argument("--repetitions", type=int, default=3, help="timed runs of each; the median counts")
    options = parser.parse_args()
    unknown = set(options.names) - set(BENCHMARKS)
    if unknown:
        parser.error(f"no benchmark is called {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
    os.chdir(ROOT)  # commands hold paths from here, so that they read the same everywhere
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for name in options.names or BENCHMARKS:
        print(f"{name} …", flush=True)
        result = {
            "date": datetime.date.today().isoformat(),
            "machine": machine(),
            "versions": versions(),
            "repetitions": options.repetitions,
            **importlib.import_module(f"benchmarks.speed.{name}").benchmark(options.images, options.repetitions),
        }
        print(table(result), flush=True)
        results[name] = result
        if options.images == IMAGES:
            RESULTS.write_text(json.dumps(results, indent=1) + "\n")
            replace(PAGE, "tables", "\n\n".join(section(each, results[each]) for each in BENCHMARKS if each in results))


def section(name: str, result: dict[str, Any]) -> str:
    """A heading, the table, and beside it the commands and what they ran on."""
    about = result["machine"]
    compared = ", ".join(f"{package} {version}" for package, version in result["versions"].items())
    return "\n\n".join(
        [
            f"## {result['title']}",
            table(result),
            f"Made by `python -m benchmarks.speed.run {name}`, which times `{result['command']}`; "
            f"{result['date']}, medians of {result['repetitions']} runs. "
            f"{about['processor']}, {about['cores']} cores, {about['memory']}, {about['system']}, "
            f"Python {about['python']}, {about['java']}. {compared}.",
        ]
    )


def table(result: dict[str, Any]) -> str:
    """The rows as a Markdown table."""
    peer = result["peer"]
    header = ["", "vericap", *([peer, "ratio"] if peer else []), "bar", "met"]
    lines = [header, ["---", *["---:"] * (len(header) - 3), "---", "---"]]
    for each in result["rows"]:
        cells = [each["what"], spell(each["vericap"], each["unit"])]
        if peer:
            cells += [spell(each["peer"], each["unit"]), spell(each["ratio"], "×")]
        cells += [each["bar"], {True: "yes", False: "**no**", None: ""}[each["met"]]]
        lines.append(cells)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def spell(number: float | None, unit: str) -> str:
    """A number with its unit; three digits say enough.

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
