"""pycocoevalcap's modules and calls (Chen et al. 2015) under this name: `eval.COCOEvalCap`, `bleu.bleu.Bleu`,
`meteor.meteor.Meteor`, `rouge.rouge.Rouge`, `cider.cider.Cider`, `ciderD.ciderD.CiderD`, `spice.spice.Spice`,
`tokenizer.ptbtokenizer.PTBTokenizer`, and `coco.COCO` for files.

`install()` makes `import pycocoevalcap` find them. Numbers, types, orders and keys are the original's; Java is not
needed and nothing is printed.
"""

from vericap.compat.pycocoevalcap.eval import (
    Bleu,
    Cider,
    COCOEvalCap,
    Meteor,
    PTBTokenizer,
    Rouge,
    Spice,
    compute_scores,
)
from vericap.compat.redirect import install, uninstall

__all__ = [
    "Bleu",
    "COCOEvalCap",
    "Cider",
    "Meteor",
    "PTBTokenizer",
    "Rouge",
    "Spice",
    "compute_scores",
    "install",
    "uninstall",
]
