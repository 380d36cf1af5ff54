"""Captions per processor second of the sentence encoder on captions of COCO, and int8 beside float.

    python -m benchmarks.speed.encoder CAPTIONS.json                  3,000 captions, one thread and two
    python -m benchmarks.speed.encoder CAPTIONS.json --count 25000 --workers 4

`CAPTIONS.json` is COCO's annotation file. Processor seconds do not suffer from other work on the machine as much as
seconds do; each caption is counted once, however often it occurs.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

from vericap.views.encoded import find_encoder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("captions", type=Path)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    annotations = json.loads(given.captions.read_text("utf-8"))["annotations"]
    captions = list(dict.fromkeys(annotation["caption"] for annotation in annotations))[: given.count]
    vectors = {}
    for model, workers in (("minilm", 1), ("minilm", given.workers), ("minilm-int8", 1)):
        encoder = find_encoder(model, "this benchmark")
        encoder.sentences(captions[:64])
        seconds, processor = time.perf_counter(), time.process_time()
        vectors[model] = encoder.sentences(captions, workers=workers)
        seconds, processor = time.perf_counter() - seconds, time.process_time() - processor
        print(
            f"{model:<12} {workers} threads: {len(captions) / processor:7.0f} captions per processor second, "
            f"{len(captions) / seconds:7.0f} per second"
        )
    half = len(captions) // 2
    cosines = [(each[:half] * each[half : 2 * half]).sum(axis=1) for each in vectors.values()]
    correlation, difference = np.corrcoef(*cosines)[0, 1], np.abs(cosines[0] - cosines[1]).max()
    print(f"cosines of {half} pairs, float and int8: r {correlation:.5f}, at most {difference:.4f} apart")


if __name__ == "__main__":
    main()
