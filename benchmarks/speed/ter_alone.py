"""Seconds that TER takes once words are read, five times over.

Usage: ter_alone.py RESULTS REFERENCES OUT
"""

import json
import sys
import time
from pathlib import Path

from vericap.corpus import Corpus
from vericap.metrics import parse
from vericap.views import Views

results, references, out = map(Path, sys.argv[1:])
candidates = json.loads(results.read_bytes())
of_image = json.loads(references.read_bytes())
corpus = Corpus.from_lists(
    [each["caption"] for each in candidates], [of_image[str(each["image_id"])] for each in candidates]
)
views = Views(corpus, tokenizer="none", workers=1)
metric = parse("ter")
assert len(views.words.words) and len(views.pairs)
seconds = []
for _ in range(5):
    start = time.perf_counter()
    metric.aggregate(metric.statistics(views))
    seconds.append(time.perf_counter() - start)
out.write_text(json.dumps({"seconds": seconds}))
