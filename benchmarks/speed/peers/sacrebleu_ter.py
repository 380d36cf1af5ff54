"""The peer: sacreBLEU's TER on two files; scores as JSON, and the seconds that scoring alone took.

Usage: sacrebleu_ter.py RESULTS REFERENCES OUT, with the Python of the peers.
"""

import json
import sys
import time
from pathlib import Path

from sacrebleu.metrics import TER

results, references, out = map(Path, sys.argv[1:])
candidates = json.loads(results.read_bytes())
of_image = json.loads(references.read_bytes())
columns = list(zip(*(of_image[str(each["image_id"])] for each in candidates), strict=True))
metric = TER()
start = time.perf_counter()
# What corpus_score does, with the captions' statistics kept on the way.
statistics = metric._extract_corpus_statistics([each["caption"] for each in candidates], columns)
corpus = metric._aggregate_and_compute(statistics).score / 100
seconds = time.perf_counter() - start
captions = [metric._compute_score_from_stats(each).score / 100 for each in statistics]
out.write_text(json.dumps({"ter": {"score": corpus, "captions": captions, "seconds": seconds}}))
