"""The peer: the network as TensorFlow published it, in OpenCV; seconds as JSON, loading it included.

Usage: opencv_detect.py GRAPH TEXT LIST THREADS, with the Python of the peers; the list has one path per line.
"""

import json
import sys
import time
from pathlib import Path

import cv2

SIZE, LEAST, OVERLAP = 320, 0.1, 0.6  # of vericap.vision.ssd

graph, text, listed, threads = sys.argv[1:]
paths = Path(listed).read_text("utf-8").splitlines()
start, worked = time.perf_counter(), time.process_time()
cv2.setNumThreads(int(threads))
network = cv2.dnn.DetectionModel(graph, text)
network.setInputParams(1 / 127.5, (SIZE, SIZE), (127.5, 127.5, 127.5), True)
for path in paths:
    network.detect(cv2.imread(path), LEAST, OVERLAP)
print(json.dumps({"seconds": time.perf_counter() - start, "processor": time.process_time() - worked}))
