"""Signatures and checks need facts about captions, not the captions."""

import pytest

from vericap.corpus import Corpus
from vericap.metrics import parse
from vericap.run.selection import select
from vericap.views import CorpusSize, Facts, Views


@pytest.mark.parametrize("key", ["bleu-4", "cider-d", "meteor", "fluency", "spider", "wmd"])
def test_signatures_are_those_of_the_corpus(key):
    corpus = Corpus.from_lists(["a dog", "a cat", "a cow"], [["dogs"], ["cats", "one cat"], ["a cow"]])
    facts = Facts(CorpusSize(captions=3, images=3, reference_counts=(1, 2)))
    assert parse(key).signature(facts) == parse(key).signature(Views(corpus))


def test_metrics_of_pictures_are_left_out_of_all_and_the_note_says_so():
    selection = select("all", Facts(CorpusSize(images=2)))
    assert "chair-i" not in {metric.key for metric in selection.metrics}
    assert any("no objects were given" in note for note in selection.notes)


def test_only_cider_and_what_it_is_part_of_need_document_frequencies():
    orders = {key: parse(key).frequency_order() for key in ("bleu-4", "cider", "cider-r(n=2)", "spider", "meteor")}
    assert orders == {"bleu-4": 0, "cider": 4, "cider-r(n=2)": 2, "spider": 4, "meteor": 0}
