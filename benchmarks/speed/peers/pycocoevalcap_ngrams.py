"""The peer: pycocoevalcap's tokenizer, BLEU, ROUGE-L and CIDEr on two files; scores as JSON.

Usage: pycocoevalcap_ngrams.py RESULTS ANNOTATIONS OUT, with the Python of the peers.
"""

import json
import sys
from pathlib import Path

from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.cider.cider import Cider
from pycocoevalcap.rouge.rouge import Rouge
from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

results, annotations, out = map(Path, sys.argv[1:])
res = {entry["image_id"]: [entry] for entry in json.loads(results.read_bytes())}
gts = {image: [] for image in res}
for entry in json.loads(annotations.read_bytes())["annotations"]:
    gts[entry["image_id"]].append(entry)
gts, res = PTBTokenizer().tokenize(gts), PTBTokenizer().tokenize(res)

orders, captions = Bleu(4).compute_score(gts, res, verbose=0)
scores = {f"bleu-{n}": (orders[n - 1], captions[n - 1]) for n in (1, 2, 3, 4)}
for key, scorer in (("rouge-l", Rouge()), ("cider-d", Cider())):
    mean, captions = scorer.compute_score(gts, res)
    scores[key] = (float(mean), captions.tolist())
out.write_text(json.dumps({key: {"score": score, "captions": each} for key, (score, each) in scores.items()}))
