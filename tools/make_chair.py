"""Makes src/vericap/data/chair/synonyms.txt: the words that CHAIR takes for COCO's 80 objects.

    python tools/make_chair.py SYNONYMS

SYNONYMS is data/synonyms.txt of the authors' repository, LisaAnne/Hallucination on GitHub: a line an object, its name
first, with commas between. Words are kept as they are there, in their order; what goes is repetition, capitals, and
white space that was not meant.
"""

from __future__ import annotations

import sys
from pathlib import Path

from vericap.lexicon.coco_objects import SYNONYMS

OBJECTS = 80


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    rows = [
        list(dict.fromkeys(" ".join(word.lower().split()) for word in line.split(",")))
        for line in Path(sys.argv[1]).read_text("utf-8").splitlines()
        if line.strip()
    ]
    if len(rows) != OBJECTS:
        raise SystemExit(f"{len(rows)} objects; COCO has {OBJECTS}")
    SYNONYMS.parent.mkdir(exist_ok=True)
    SYNONYMS.write_text("".join(f"{', '.join(row)}\n" for row in rows), "utf-8")
    print(f"{SYNONYMS.name}: {sum(map(len, rows))} words for {OBJECTS} objects")


if __name__ == "__main__":
    main()
