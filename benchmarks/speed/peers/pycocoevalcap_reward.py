"""The peer: pycocoevalcap's CiderScorer on batches of tokenised samples, with document frequencies loaded before.

Usage: pycocoevalcap_reward.py INPUT OUT, with the Python of the peers. INPUT has `documents`, `frequencies` ([n-gram,
count]) and `batches` (samples and their references); OUT gets the seconds and the scores of each batch.
"""

import json
import sys
import time
from collections import defaultdict
from pathlib import Path

from pycocoevalcap.cider.cider_scorer import CiderScorer

given = json.loads(Path(sys.argv[1]).read_text("utf-8"))
frequencies = defaultdict(float, {tuple(ngram.split(" ")): float(count) for ngram, count in given["frequencies"]})


class References(list):
    """A list that is as long as there are documents: the scorer takes its length for their number."""

    def __len__(self):
        return given["documents"]


seconds, scores = [], []
for batch in given["batches"]:
    start = time.perf_counter()
    scorer = CiderScorer()
    scorer.document_frequency = frequencies
    for sample, references in zip(batch["samples"], batch["references"], strict=True):
        scorer += (sample, references)
    scorer.crefs = References(scorer.crefs)
    scores.append(scorer.compute_cider())
    seconds.append(time.perf_counter() - start)
Path(sys.argv[2]).write_text(json.dumps({"seconds": seconds, "scores": scores}))
