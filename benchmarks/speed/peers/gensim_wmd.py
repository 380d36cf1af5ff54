"""The peer: gensim's Word Mover's Distance of captions to each of their references; processor seconds and distances.

Usage: gensim_wmd.py FOLDER, with the Python of the peers; the folder is that of benchmarks/speed/wmd_alone.py.
"""

import json
import math
import sys
import time
from pathlib import Path

import numpy as np
from gensim.models import KeyedVectors

folder = Path(sys.argv[1])
given = json.loads((folder / "words.json").read_text("utf-8"))
vectors = np.load(folder / "vectors.npy")
keyed = KeyedVectors(vectors.shape[1])
keyed.add_vectors(given["vocabulary"], vectors)
keyed.vectors = vectors  # 64 bits, as ours
start = time.process_time()
distances = [
    min(keyed.wmdistance(candidate, reference, norm=False) for reference in references)
    for candidate, references in zip(given["candidates"], given["references"], strict=True)
]
seconds = time.process_time() - start
finite = [float(each) if math.isfinite(each) else None for each in distances]
(folder / "gensim.json").write_text(json.dumps({"seconds": seconds, "distances": finite}), "utf-8")
