"""WMD side by side with gensim, in one run: the same captions, words and vectors.

    python -m benchmarks.speed.wmd [--pairs 10000]

Captions and references of PASCAL-50S (VERICAP_DATA). Processor time a caption–reference pair: a busy machine does not
change it much. Ours goes from token ids to scores: content words, vectors, costs, transport; gensim gets its words as
lists. Needs gensim.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np
from gensim.models import KeyedVectors

from benchmarks.places import DATA
from vericap.corpus import Corpus
from vericap.lexicon.stop_words import ENGLISH
from vericap.lexicon.vectors import shipped
from vericap.metrics import parse
from vericap.views import Views

PASCAL = DATA / "pascal50s"
REFERENCES = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=10_000)
    rows = parser.parse_args().pairs // REFERENCES
    pairs = json.loads((PASCAL / "pascal50s_pairs_joined.json").read_text("utf-8"))[:rows]
    given = json.loads((PASCAL / "pascal50s_refs_by_image.json").read_text("utf-8"))
    corpus = Corpus.from_lists([p["a"] for p in pairs], [given[p["image"]][:REFERENCES] for p in pairs])
    views = Views(corpus)
    tokens = views.words

    vocabulary = [word for word in tokens.words if word not in ENGLISH]
    table, known = shipped().of(vocabulary)
    keyed = KeyedVectors(table.shape[1])
    keyed.add_vectors([w for w, k in zip(vocabulary, known, strict=True) if k], table[known])
    keyed.vectors = table[known]  # 64 bits, as ours
    left = [[w for w in tokens.spell(row) if w not in ENGLISH] for row in tokens.candidates]
    right = [[w for w in tokens.spell(row) if w not in ENGLISH] for row in tokens.references]

    seconds, found = {}, {}
    for key in ("wmd(reduce=mean)", "wmd"):
        fresh = Views(corpus)
        _ = fresh.words
        start = time.process_time()
        found[key] = parse(key).statistics(fresh)[:, 0]
        seconds[key] = time.process_time() - start
    start = time.process_time()
    theirs = np.array(
        [
            [keyed.wmdistance(left[i], right[REFERENCES * i + k], norm=False) for k in range(REFERENCES)]
            for i in range(len(pairs))
        ]
    )
    peer = time.process_time() - start
    count = theirs.size
    both = np.isfinite(theirs).any(axis=1) & np.isfinite(found["wmd"])
    difference = np.abs(theirs.min(axis=1) - found["wmd"])[both].max()
    print(f"{count:,} caption–reference pairs; largest difference of the distances {difference:.1e}")
    print(f"gensim: {peer / count * 1e6:.0f} µs a pair")
    for key, name in (("wmd(reduce=mean)", "every pair solved"), ("wmd", "nearest reference, others pruned")):
        print(f"{key}: {seconds[key] / count * 1e6:.1f} µs a pair ({name}): {peer / seconds[key]:.0f}x")


if __name__ == "__main__":
    main()
