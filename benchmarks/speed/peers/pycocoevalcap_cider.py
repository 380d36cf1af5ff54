"""pycocoevalcap's CIDEr on tokenised captions: how fast this machine is."""

import json
import sys
from pathlib import Path

from pycocoevalcap.cider.cider import Cider

given = json.loads(Path(sys.argv[1]).read_text("utf-8"))
references = dict(enumerate(given["refs"]))
print(Cider().compute_score(references, {i: [c] for i, c in enumerate(given["cands"])})[0])
