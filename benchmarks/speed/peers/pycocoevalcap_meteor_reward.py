"""The peer: meteor-1.5.jar by pycocoevalcap on batches of tokenised samples, its process started before.

Usage: pycocoevalcap_meteor_reward.py INPUT OUT, with the Python of the peers; files as in pycocoevalcap_reward.py.
"""

import json
import sys
import time
from pathlib import Path

from pycocoevalcap.meteor.meteor import Meteor

given = json.loads(Path(sys.argv[1]).read_text("utf-8"))
meteor = Meteor()
meteor.compute_score({0: ["a dog"]}, {0: ["a dog"]})
seconds, scores = [], []
for batch in given["batches"]:
    start = time.perf_counter()
    references = dict(enumerate(batch["references"]))
    found = meteor.compute_score(references, {i: [sample] for i, sample in enumerate(batch["samples"])})
    seconds.append(time.perf_counter() - start)
    scores.append(list(found[1]))
Path(sys.argv[2]).write_text(json.dumps({"seconds": seconds, "scores": scores}))
