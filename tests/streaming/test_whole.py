"""The whole of a stream, without its captions."""

import pytest

from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.options.settings import Settings
from vericap.streaming.whole import frequency_order, select_for_stream, whole_views
from vericap.views import Views


@pytest.mark.parametrize("key", ["bleu-4", "cider-d", "meteor", "fluency", "spider", "wmd"])
def test_signatures_are_those_of_the_corpus(key):
    corpus = Corpus.from_lists(["a dog", "a cat", "a cow"], [["dogs"], ["cats", "one cat"], ["a cow"]])
    stream = whole_views(Settings(), None, captions=3, documents=3, fewest=1, most=2)
    assert parse(key).signature(stream) == parse(key).signature(Views(corpus))


def test_a_metric_that_ranks_all_captions_is_refused():
    with pytest.raises(InputError, match="needs all captions at once"):
        select_for_stream("mean(bleu-4,ter,normalize=quantiles)", whole_views(Settings(), None, documents=2))


def test_metrics_of_pictures_are_left_out_of_all_and_the_note_says_so():
    selection = select_for_stream("all", whole_views(Settings(), None, documents=2))
    assert "chair-i" not in {metric.key for metric in selection.metrics}
    assert any("no objects were given" in note for note in selection.notes)


def test_only_cider_and_what_it_is_part_of_need_document_frequencies():
    orders = {key: frequency_order((parse(key),)) for key in ("bleu-4", "cider", "cider-r(n=2)", "spider", "meteor")}
    assert orders == {"bleu-4": 0, "cider": 4, "cider-r(n=2)": 2, "spider": 4, "meteor": 0}
