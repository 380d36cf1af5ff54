"""VLMEvalKit's scorer: its keys, its scale, and its missing tokenizer."""

from __future__ import annotations

import pytest

from vericap.compat.pycocoevalcap.bleu.bleu import Bleu
from vericap.compat.pycocoevalcap.cider.cider import Cider
from vericap.compat.pycocoevalcap.rouge.rouge import Rouge
from vericap.compat.vlmevalkit import COCO_Caption_Scorer
from vericap.errors import InputError

CAPTIONS = {"0": ["A dog runs."], "1": ["a red bus"], "2": ["two people ride bikes"]}
REFERENCES = {
    "0": ["A dog runs on grass.", "the dog"],
    "1": ["the bus is red"],
    "2": ["two people riding bikes.", "people ride bikes", "cyclists"],
}


def test_the_numbers_are_those_of_the_scorers_that_it_calls() -> None:
    """`scorer.compute_score(self.gt, self.ref)` of Bleu, Rouge and Cider, times 100."""
    found = COCO_Caption_Scorer(CAPTIONS, REFERENCES).compute_scores()
    assert list(found) == ["Bleu", "ROUGE_L", "CIDEr"]
    assert found["Bleu"] == pytest.approx([100 * score for score in Bleu(4).compute_score(REFERENCES, CAPTIONS)[0]])
    assert found["ROUGE_L"] == pytest.approx(100 * Rouge().compute_score(REFERENCES, CAPTIONS)[0])
    assert found["CIDEr"] == pytest.approx(100 * Cider().compute_score(REFERENCES, CAPTIONS)[0])


def test_a_tokenizer_finds_what_a_full_stop_hides() -> None:
    as_is, tokenised = (
        COCO_Caption_Scorer(CAPTIONS, REFERENCES, tokenizer=name).compute_scores()["CIDEr"]
        for name in ("whitespace", "ptb")
    )
    assert tokenised > as_is


def test_ids_that_one_side_lacks_are_named() -> None:
    with pytest.raises(InputError, match="'2' is in one of ref and gt alone"):
        COCO_Caption_Scorer({"0": ["a"], "1": ["b"]}, REFERENCES).compute_scores()
