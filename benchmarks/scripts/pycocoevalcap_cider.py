"""pycocoevalcap's CIDEr on tokenised captions: how fast this machine is."""

import json
import sys

from pycocoevalcap.cider.cider import Cider

with open(sys.argv[1], encoding="utf-8") as file:
    given = json.load(file)
references = {i: r for i, r in enumerate(given["refs"])}
print(Cider().compute_score(references, {i: [c] for i, c in enumerate(given["cands"])})[0])
