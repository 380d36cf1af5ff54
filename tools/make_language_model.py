"""Makes src/vericap/data/language_model/train2014.lm: the n-gram model of `fluency`, from COCO's train2014 captions.

    python tools/make_language_model.py SOURCE

SOURCE is captions_train2014.json, or the folder of an installed pycocoevalcap, whose spice-1.0.jar holds that file.

Order 5, words as `--tokenizer ptb` makes them; words seen once are unknown; all bigrams, longer n-grams from two
occurrences on. Train2014 alone: captions of val2014, or of the Karpathy test split, must not be known by heart.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from make_coco_df import read_captions
from vericap.lexicon.language_model import COCO, train

LEAST = (1, 1, 2, 2, 2)
LIMIT = 8_000_000  # bytes


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    annotations = json.loads(read_captions(Path(sys.argv[1])))["annotations"]
    # By image, as a corpus has them: whether PTB keeps the period of a last "K." depends on the caption after it.
    annotations.sort(key=lambda row: (row["image_id"], row["id"]))
    model = train([row["caption"] for row in annotations], name="train2014", least=LEAST)
    COCO.parent.mkdir(exist_ok=True)
    model.save(COCO)
    size = COCO.stat().st_size
    print(f"{COCO.name}: {len(annotations):,} captions, {len(model.trie.words):,} words, {len(model):,} n-grams")
    print(f"{size:,} bytes")
    if size > LIMIT:
        raise SystemExit(f"more than {LIMIT:,} bytes")


if __name__ == "__main__":
    main()
