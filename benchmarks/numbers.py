"""The numbers of a commit and of the tree at hand, on fixed inputs: which differ?

    python -m benchmarks.numbers BASE [NAME …]

BASE is a commit, which is checked out into a temporary worktree and compiled there, or a folder that holds a compiled
tree. Every command writes its `--json` in both trees. Fields may come in another order, notes may be worded anew, and
the tree at hand may add fields; every field that BASE writes must have the same value, to the last bit.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.places import COCO_LABELS, DATA, ROOT, VOC_OBJECTS
from benchmarks.speed.commits import check_kernels, tree
from benchmarks.speed.environment import PYTHON

TEXT = "default,cider,bleu-unigram,bleu-smoothed,rouge-su4,ter,wmd,spice-exact,fluency"
JUDGED = "default,cider,ter,wmd,fluency"
DEMO = ROOT / "src" / "vericap" / "data" / "demo"
# What says how a run was made, not what it found.
NOT_NUMBERS = {"notes", "seconds", "vericap", "schema"}


def commands(inputs: Path) -> dict[str, list[str | Path]]:
    """The commands, by name; `inputs` is a folder for the files that they read."""
    results, references = fakecap(inputs)
    demo = [DEMO / f"{name}.json" for name in ("strong", "middling", "weak")]
    both = ["--references", references]
    objects = ["--objects", COCO_LABELS, "--missing", "drop"]
    judged = ["--data", DATA, "--bootstrap", "100"]
    return {
        "score, text": ["score", results, *both, "--metrics", TEXT, "--bootstrap", "200"],
        "score, pictures": ["score", results, *objects, "--metrics", "vifidel,faier,fier"],
        "score, both": ["score", results, *both, *objects, "--metrics", "vifidel,chair-i,chair-s,faier,aier"],
        "compare": ["compare", *demo, "--references", DEMO / "references.json", "--metrics", TEXT, "--against", "all"],
        "explain": ["explain", results, *both, "--id", "404464", "--metrics", TEXT],
        "judge flickr8k-expert": ["judge", "flickr8k-expert", *judged, "--metrics", JUDGED],
        "judge composite": ["judge", "composite", *judged, "--metrics", JUDGED],
        "judge pascal-50s": [
            *("judge", "pascal-50s", *judged, "--objects", VOC_OBJECTS, "--references-used", "5"),
            *("--metrics", "bleu-4,meteor,cider-d,spice,vifidel,faier"),
        ],
    }


def fakecap(folder: Path) -> tuple[Path, Path]:
    """COCO's example results and their references, as files."""
    given = json.loads((DATA / "oracle" / "coco" / "fakecap1000.input.json").read_text("utf-8"))
    results, references = folder / "results.json", folder / "references.json"
    rows = [{"image_id": i, "caption": c} for i, c in zip(given["ids"], given["cands"], strict=True)]
    results.write_text(json.dumps(rows), "utf-8")
    references.write_text(json.dumps(dict(zip(map(str, given["ids"]), given["refs"], strict=True))), "utf-8")
    return results, references


def written(words: list[str | Path], folder: Path, out: Path) -> Any:
    """What a command writes as JSON in one tree."""
    environment = {**os.environ, "PYTHONPATH": str(folder / "src")}
    line = [PYTHON, "-m", "vericap", *words, "--json", out]
    done = subprocess.run(line, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{folder}: {' '.join(map(str, words))} failed:\n{done.stderr}")
    return json.loads(out.read_text("utf-8"))


def differences(before: Any, after: Any, place: str = "") -> Iterator[str]:
    """The places where a value of `before` is not in `after`.

    >>> list(differences({"a": 1, "b": [2.0]}, {"b": [2.5], "a": 1, "c": 3}))
    ['b[0]: 2.0 → 2.5']
    """
    if isinstance(before, list) and isinstance(after, Mapping):  # explain once wrote its list bare
        after = after.get("explanations")
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key, value in before.items():
            if key not in NOT_NUMBERS:
                yield from differences(value, after.get(key), f"{place}.{key}".lstrip("."))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from differences(one, other, f"{place}[{number}]")
    elif before != after:
        yield f"{place}: {shortened(before)} → {shortened(after)}"


def shortened(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:80]}…"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", metavar="BASE", help="a commit, or a folder that holds a compiled tree")
    parser.add_argument("names", nargs="*", metavar="NAME", help="the beginning of a command's name")
    options = parser.parse_args()
    different = 0
    with tempfile.TemporaryDirectory() as temporary, tree(options.base) as base:
        for each in (base, ROOT):
            check_kernels(each)
        wanted = commands(Path(temporary))
        for name, words in wanted.items():
            if name.startswith(tuple(options.names) or ("",)):
                pair = [written(words, folder, Path(temporary) / "out.json") for folder in (base, ROOT)]
                found = list(differences(*pair))
                different += len(found)
                print(f"{name}: {f'{len(found)} fields differ' if found else 'identical'}", flush=True)
                print("".join(f"    {line}\n" for line in found[:10]), end="")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
