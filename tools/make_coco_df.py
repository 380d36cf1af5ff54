"""Makes src/vericap/data/coco_df/train2014.df: document frequencies of COCO's train2014 captions (82,783 images).

    python tools/make_coco_df.py SOURCE

SOURCE is captions_train2014.json, or the folder of an installed pycocoevalcap, whose spice-1.0.jar holds that file.

N-grams of 1 to 4 words as `--tokenizer ptb` makes them, those of at least two images. Train2014 alone: a system's
score on val2014, or on the Karpathy test split, must not depend on the captions it is scored with.
"""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path

from vericap.lexicon.frequencies import COCO, from_references

IMAGES = 82_783
MEMBER = "coco/annotations/captions_train2014.json"


def read_captions(source: Path) -> bytes:
    """Return the annotations file, from itself or from pycocoevalcap's folder."""
    if source.is_file():
        return source.read_bytes()
    jars = sorted(source.rglob("spice-1.0.jar"))
    if not jars:
        raise SystemExit(f"no spice-1.0.jar below {source}")
    with zipfile.ZipFile(jars[0]) as jar:
        return jar.read(MEMBER)


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    table = from_references(json.loads(read_captions(Path(sys.argv[1]))), "ptb", "en", order=4, name="coco")
    if table.documents != IMAGES:
        raise SystemExit(f"{table.documents} images; train2014 has {IMAGES}")
    COCO.parent.mkdir(exist_ok=True)
    table.save(COCO)
    size = COCO.stat().st_size
    print(f"{COCO.name}: {table.source}, {len(table.trie):,} n-grams of {table.documents:,} images, {size:,} bytes")


if __name__ == "__main__":
    main()
