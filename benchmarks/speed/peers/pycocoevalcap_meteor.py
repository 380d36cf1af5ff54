"""The peer: pycocoevalcap's tokenizer and METEOR on two files; scores as JSON.

Usage: pycocoevalcap_meteor.py RESULTS ANNOTATIONS OUT, with the Python of the peers.
"""

import json
import sys
from pathlib import Path

from pycocoevalcap.meteor.meteor import Meteor
from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

results, annotations, out = map(Path, sys.argv[1:])
res = {entry["image_id"]: [entry] for entry in json.loads(results.read_bytes())}
gts = {image: [] for image in res}
for entry in json.loads(annotations.read_bytes())["annotations"]:
    gts[entry["image_id"]].append(entry)
gts, res = PTBTokenizer().tokenize(gts), PTBTokenizer().tokenize(res)
score, captions = Meteor().compute_score(gts, res)
out.write_text(json.dumps({"meteor": {"score": score, "captions": list(captions)}}))
