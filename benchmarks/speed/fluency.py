"""Processor time of `fluency` on 100,000 captions of COCO val2017 that are tokens already.

python -m benchmarks.speed.fluency [--model FILE_OR_FOLDER]
"""

from __future__ import annotations

import argparse
import time

from benchmarks.papers.fluency import captions_as_words
from vericap.corpus import Corpus
from vericap.metrics.fluency import Fluency
from vericap.views import Views

CAPTIONS = 100_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="")
    metric = Fluency(model=parser.parse_args().model)
    texts = [" ".join(words) for words in captions_as_words()] * 4
    views = Views(Corpus.from_lists(texts[:CAPTIONS]), tokenizer="whitespace")
    _ = views.words
    metric.check(views)
    started = time.process_time()
    metric.statistics(views)
    print(f"{CAPTIONS:,} captions as tokens: {time.process_time() - started:.2f} s processor time")


if __name__ == "__main__":
    main()
