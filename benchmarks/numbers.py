"""The numbers of a commit and of the tree at hand, on fixed inputs: which differ?

    python -m benchmarks.numbers BASE [NAME …]

BASE is a commit, which is checked out into a temporary worktree and compiled there, or a folder that holds a compiled
tree. Every command writes its `--json` in both trees, and `benchmarks.readings` writes what only Python shows: rewards,
streams, the server, the adapters. Fields may come in another order, notes may change their words, and the tree at hand
may add fields; every field that BASE writes must have the same value, to the last bit. What cannot run here because a
package is missing is named and left out.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import inputs
from benchmarks.places import COCO_LABELS, DATA, DEMO, ROOT, VOC_OBJECTS
from benchmarks.readings import MINILM, READINGS
from benchmarks.speed.commits import check_kernels, tree
from benchmarks.speed.environment import PYTHON

TEXT = "default,cider,bleu-unigram,bleu-smoothed,rouge-su4,ter,wmd,spice-exact,fluency"
JUDGED = "default,cider,ter,wmd,fluency"
LEARNED = "verity,verity.fidelity,verity.adequacy,sbert,bertscore,soft-spice"
# Without sbert, whose explanation could not be written as JSON before 0.2.0: benchmarks.readings explains it.
EXPLAINED = "verity,verity.fidelity,verity.adequacy,bertscore,soft-spice"
PARTS = "spice,spice.object,spice.relation,spice.attribute,spice.color,spice.cardinality,spice.size"
COMBINED = (
    "spider,mean(spice,cider-r),mean(spice,cider-r,weights=.7:.3),mean(ter,bleu-4,normalize=quantiles),"
    "mean(rouge-l,cider-d,weights=2:1,normalize=range)"
)
CLIP = ",".join(f"{name}(model=clip)" for name in ("clipscore", "refclipscore", "pacscore", "refpacscore", "mid"))
DETECTOR = ("PIL", "onnxruntime")
NEURAL = ("torch", "transformers", "safetensors", "ftfy", "PIL")

OUT = "out"  # the folder that commands write to, emptied before each
JSON = f"{OUT}/out.json"
# What says how a run was made, not what it found.
NOT_NUMBERS = {"notes", "seconds", "vericap", "schema"}
MOST_FIELDS = 12  # that are printed of a command
IDENTICAL = "identical"


@dataclass(frozen=True)
class Command:
    """A program to run in the folder of the inputs, and its needs. `rows` is what it writes besides its JSON."""

    words: Sequence[str | Path]
    inputs: tuple[Callable[[Path], None], ...] = (inputs.fakecap,)
    packages: tuple[str, ...] = ()
    rows: str | None = None

    def lacks(self) -> str | None:
        """Return why it cannot run here; None if it can."""
        missing = [name for name in self.packages if find_spec(name) is None]
        if missing:
            return f"{', '.join(missing)} is not installed"
        if inputs.pictures in self.inputs and not inputs.PICTURE_FOLDER.is_dir():
            return f"there is no folder {inputs.PICTURE_FOLDER}"
        return None


def vericap(*words: str | Path, **options: Any) -> Command:
    """Return a command line of Vericap with `--json`."""
    return Command(["-m", "vericap", *words, "--json", JSON], **options)


def commands() -> dict[str, Command]:
    """Return the commands by name."""
    demo = [DEMO / f"{name}.json" for name in ("strong", "middling", "weak")]
    compare = ("compare", *demo, "--references", DEMO / "references.json")
    text = ("results.json", "--references", "references.json")
    few = ("few.json", "--references", "few_references.json")
    objects = ("--objects", COCO_LABELS, "--missing", "drop")
    pictured = ("pictured.json", "--references", "pictured_references.json", "--images", "pictures")
    stream = ("score", "rows.jsonl", "--stream", "--workers", "2", "--batch-size", "70", "--bad-rows", "collect")
    judged = ("--data", DATA, "--bootstrap", "100")
    neural = {"inputs": (inputs.pictures, inputs.clip), "packages": NEURAL}
    seen: dict[str, Any] = {"inputs": (inputs.pictures,), "packages": DETECTOR}
    return {
        "score, text": vericap("score", *text, "--metrics", TEXT, "--bootstrap", "200"),
        "score, pictures": vericap("score", "results.json", *objects, "--metrics", "vifidel,faier,fier"),
        "score, both": vericap("score", *text, *objects, "--metrics", "vifidel,chair-i,chair-s,faier,aier"),
        "score, learned": vericap("score", *few, "--metrics", LEARNED, "--bootstrap", "200", packages=(MINILM,)),
        "score, parts": vericap("score", *few, "--metrics", f"{PARTS},{COMBINED}", "--bootstrap", "200"),
        "score, CLIP": vericap("score", *pictured, "--metrics", CLIP, **neural),
        "score, detector": vericap("score", *pictured, "--metrics", "vifidel,chair-i,chair-s,faier", **seen),
        "detect": vericap("detect", "pictures", **seen),
        "compare": vericap(*compare, "--metrics", TEXT, "--against", "all"),
        "compare, learned": vericap(*compare, "--metrics", f"{LEARNED},spider", packages=(MINILM,)),
        "explain": vericap("explain", *text, "--id", "404464", "--metrics", TEXT),
        "explain, parts": vericap("explain", *few, "--id", "404464", "--metrics", f"{PARTS},{COMBINED}"),
        "explain, learned": vericap("explain", *few, "--id", "404464", "--metrics", EXPLAINED, packages=(MINILM,)),
        "explain, CLIP": vericap("explain", *pictured, "--id", "404464", "--metrics", CLIP, **neural),
        "explain, detector": vericap("explain", *pictured, "--id", "404464", "--metrics", "vifidel,chair-i", **seen),
        "stream": vericap(
            *(*stream, "--metrics", f"{TEXT},spider,verity,spice.object", "--checkpoint", "140"),
            *("--output", f"{OUT}/rows.jsonl"),
            inputs=(inputs.rows,),
            rows="rows.jsonl",
        ),
        "stream, Ray": vericap(
            *(*stream, "--metrics", TEXT, "--engine", "ray", "--output", f"{OUT}/rows"),
            inputs=(inputs.rows,),
            packages=("ray",),
            rows="rows",
        ),
        "judge flickr8k-expert": vericap("judge", "flickr8k-expert", *judged, "--metrics", JUDGED),
        "judge composite": vericap("judge", "composite", *judged, "--metrics", JUDGED),
        "judge pascal-50s": vericap(
            *("judge", "pascal-50s", *judged, "--objects", VOC_OBJECTS, "--references-used", "5"),
            *("--metrics", "bleu-4,meteor,cider-d,spice,vifidel,faier"),
        ),
        "judge abstract-50s": vericap(
            *("judge", "abstract-50s", *judged, "--references-used", "3", "--sampling", "first"),
            *("--metrics", "verity,spider,spice.object"),
        ),
        "judge coco-2015": vericap("judge", "coco-2015", *judged),
        "judge ratings": vericap(
            *("judge", "ratings", "--data", "ratings.jsonl", "--bootstrap", "100", "--metrics", f"{LEARNED},spider"),
            inputs=(inputs.ratings,),
            packages=(MINILM,),
        ),
        "judge systems": vericap(
            *("judge", "ratings", "--data", "ratings.jsonl", "--protocol", "system-level"),
            *("--metrics", "verity,spider"),
            inputs=(inputs.ratings,),
        ),
        **{
            name: Command(["-m", "benchmarks.readings", name, JSON], (inputs.fakecap, inputs.rows), reading.packages)
            for name, reading in READINGS.items()
        },
    }


class CommandFailed(Exception):
    """The stderr of a command that ended with an error."""


def written(command: Command, folder: Path, place: Path) -> Any:
    """Return what a command writes as JSON in one tree, when it runs in the folder `place`."""
    shutil.rmtree(place / OUT, ignore_errors=True)
    (place / OUT).mkdir()
    environment = {
        **os.environ,
        # The readings are those of the tree at hand, and read the Vericap of either.
        "PYTHONPATH": os.pathsep.join([str(folder / "src"), str(ROOT)]),
        "VERICAP_RESOURCES": str(place / "resources.json"),  # no models of the user's own
        "HF_HOME": str(place / "hugging-face"),
        "HF_HUB_OFFLINE": "1",
        "HF_EVALUATE_OFFLINE": "1",
    }
    line = [PYTHON, *command.words]
    done = subprocess.run(line, env=environment, cwd=place, capture_output=True, text=True)
    if done.returncode:
        raise CommandFailed(done.stderr)
    found = json.loads((place / JSON).read_text("utf-8"))
    return found if command.rows is None else {"result": found, "rows": rows_of(place / OUT / command.rows)}


def rows_of(path: Path) -> list[Any]:
    """Return the rows of JSON Lines, or of a folder of Parquet files."""
    if path.is_dir():
        from pyarrow import parquet

        rows: list[Any] = parquet.read_table(sorted(path.glob("*.parquet"))).to_pylist()
        return rows
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


class Absent:
    """The value of a field that is missing."""

    def __repr__(self) -> str:
        return "absent"


ABSENT = Absent()


class Difference(NamedTuple):
    """A field and its two values."""

    place: str
    before: Any
    after: Any

    def __str__(self) -> str:
        return f"{self.place}: {shortened(self.before)} → {shortened(self.after)}"

    @property
    def relative(self) -> float | None:
        """The difference of two numbers, divided by the larger one; None for other values."""
        numbers = [each for each in (self.before, self.after) if isinstance(each, (int, float))]
        if len(numbers) < 2 or self.before == self.after:
            return None
        return abs(self.after - self.before) / max(abs(self.before), abs(self.after))


def differences(before: Any, after: Any, place: str = "") -> Iterator[Difference]:
    """Yield the fields of `before` that have another value in `after`, or none.

    >>> [str(each) for each in differences({"a": 1, "b": [2.0]}, {"b": [2.5], "a": 1, "c": 3})]
    ['b[0]: 2.0 → 2.5']
    """
    if isinstance(before, list) and isinstance(after, Mapping):  # explain once wrote its list bare
        after = after.get("explanations")
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key, value in before.items():
            if key not in NOT_NUMBERS:
                yield from differences(value, after.get(key, ABSENT), f"{place}.{key}".lstrip("."))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from differences(one, other, f"{place}[{number}]")
    elif after is ABSENT or json.dumps(before) != json.dumps(after):  # as text, so that 0.0 is not -0.0, and NaN is NaN
        yield Difference(place, before, after)


def by_field(found: Iterable[Difference]) -> list[str]:
    """Return one line per field, whatever its place in lists: how many values differ, by how much at most, and the
    first. What is not a number comes first, then the largest differences.

    >>> for line in by_field(differences({"a": [1.0, 2.0, 3.0]}, {"a": [1.0, 2.5, 3.1]})):
    ...     print(line)
    a[…]: 2 values, by at most 0.2 of the value; a[1]: 2.0 → 2.5
    """
    fields: dict[str, list[Difference]] = {}
    for each in found:
        fields.setdefault(re.sub(r"\[\d+\]", "[…]", each.place), []).append(each)
    lines = []
    for field, several in fields.items():
        sizes = [each.relative for each in several]
        size = max((each for each in sizes if each is not None), default=None)
        order = math.inf if None in sizes else size
        most = "" if size is None else f", by at most {size:.2g} of the value"
        lines.append((order, f"{field}: {len(several)} value{'s' * (len(several) > 1)}{most}; {several[0]}"))
    return [line for _, line in sorted(lines, key=lambda each: -each[0])]


def in_short(found: Sequence[Difference]) -> str:
    """Return the number of fields that differ, and the largest difference.

    >>> in_short(list(differences({"a": 2.0, "b": "x"}, {"a": 2.5, "b": "y"})))
    '2 fields differ, 1 number by at most 0.2 of the value'
    """
    sizes = [each.relative for each in found if each.relative is not None]
    if not found:
        return IDENTICAL
    numbers = f"{len(sizes)} number{'s' * (len(sizes) > 1)} by at most {max(sizes):.2g} of the value" if sizes else ""
    return ", ".join([f"{len(found)} field{' differs' if len(found) == 1 else 's differ'}", *filter(None, [numbers])])


def shortened(value: Any) -> str:
    text = repr(value) if value is ABSENT else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:80]}…"


def compare(command: Command, base: Path, place: Path) -> tuple[str, list[str]]:
    """Say how the command's numbers differ between BASE and the tree at hand, in short and by field."""
    pair, failed = [], []
    for name, folder in (("BASE", base), ("the tree at hand", ROOT)):
        try:
            pair.append(written(command, folder, place))
        except CommandFailed as error:
            failed += [f"{name}: {line}" for line in str(error).strip().splitlines()[-3:]]
    if failed:
        return "failed", failed
    found = list(differences(*pair))
    return in_short(found), by_field(found)


def main() -> None:
    wanted = commands()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", metavar="BASE", help="a commit, or a folder that holds a compiled tree")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"the beginning of a name: {'; '.join(wanted)}")
    options = parser.parse_args()
    chosen = {name: each for name, each in wanted.items() if name.startswith(tuple(options.names) or ("",))}
    if not chosen:
        parser.error(f"no command is called {' or '.join(options.names)}; choose from: {'; '.join(wanted)}")
    same = True
    with tempfile.TemporaryDirectory() as temporary, tree(options.base) as base:
        place, made = Path(temporary), set()
        for each in (base, ROOT):
            check_kernels(each)
        for name, command in chosen.items():
            if (lacking := command.lacks()) is not None:
                print(f"{name}: left out, as {lacking}", flush=True)
                continue
            for write in [each for each in command.inputs if each not in made]:
                write(place)
                made.add(write)
            begun = time.monotonic()
            verdict, lines = compare(command, base, place)
            same &= verdict == IDENTICAL
            print(f"{name}: {verdict} ({time.monotonic() - begun:.0f} s)", flush=True)
            print("".join(f"    {line}\n" for line in lines[:MOST_FIELDS]), end="")
            if len(lines) > MOST_FIELDS:
                print(f"    and {len(lines) - MOST_FIELDS} more")
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
