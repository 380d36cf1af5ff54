"""Seconds that Vericap's detector takes for pictures, loading the network included.

Usage: detect_alone.py LIST THREADS; the list has one path per line.
"""

import json
import sys
import time
from pathlib import Path

from vericap.vision.detection import Reading, detect_each
from vericap.vision.ssd import Ssd

paths = [Path(line) for line in Path(sys.argv[1]).read_text("utf-8").splitlines()]
start, worked = time.perf_counter(), time.process_time()
for _ in detect_each(Ssd(), paths, Reading(int(sys.argv[2]))):
    pass
print(json.dumps({"seconds": time.perf_counter() - start, "processor": time.process_time() - worked}))
