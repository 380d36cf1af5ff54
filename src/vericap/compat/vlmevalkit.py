"""`COCO_Caption_Scorer` with VLMEvalKit's call: BLEU, ROUGE-L and CIDEr × 100. Nothing of VLMEvalKit is imported.

The original does not tokenise: "dog." is not "dog" to it. `tokenizer="whitespace"` gives its numbers, `tokenizer="ptb"`
those of COCO's evaluation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vericap.compat.aligned import measured
from vericap.errors import InputError, not_a_set

BLEU = ("bleu-1", "bleu-2", "bleu-3", "bleu-4")


class COCO_Caption_Scorer:
    """`ref` has the captions and `gt` the references of each id, both as lists.

    >>> scorer = COCO_Caption_Scorer({"0": ["a dog runs"], "1": ["a cat"]}, {"0": ["a dog runs"], "1": ["a red cat"]})
    >>> [round(score, 3) for score in scorer.compute_scores()["Bleu"][:2]]  # brevity penalty exp(1 - 6 / 5)
    [81.873, 66.849]
    """

    def __init__(
        self, ref: Mapping[Any, Sequence[str]], gt: Mapping[Any, Sequence[str]], *, tokenizer: str = "whitespace"
    ) -> None:
        self.ref, self.gt, self.tokenizer = ref, gt, tokenizer

    def compute_scores(self) -> dict[str, Any]:
        """Return the keys and the scale of the original."""
        if self.ref.keys() != self.gt.keys():
            odd = sorted(map(str, self.ref.keys() ^ self.gt.keys()))[0]
            raise InputError(f"{odd!r} is in one of ref and gt alone", field="ref", fix="give both the same ids")
        captions = [not_a_set(self.ref[image], "ref")[0] for image in self.gt]
        run = measured(captions, list(self.gt.values()), [*BLEU, "rouge-l", "cider-d"], tokenizer=self.tokenizer)
        return {
            "Bleu": [100 * run[key].aggregate for key in BLEU],
            "ROUGE_L": 100 * run["rouge-l"].aggregate,
            "CIDEr": 100 * run["cider-d"].aggregate,
        }
