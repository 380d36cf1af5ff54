"""The difference between two sets of scores: `vericap score --json` and a peer's {key: {"score", "captions"}}.

Usage: agreement.py OURS PEERS; prints {key: [difference of corpus scores, largest difference of a caption]}.
"""

import json
import sys
from pathlib import Path

ours, peers = (json.loads(Path(path).read_bytes()) for path in sys.argv[1:])
differences = {}
for key, peer in peers.items():
    captions = [caption["scores"][key] for caption in ours["captions"]]
    differences[key] = [
        abs(ours["metrics"][key]["score"] - peer["score"]),
        max(abs(a - b) for a, b in zip(captions, peer["captions"], strict=True)),
    ]
print(json.dumps(differences))
