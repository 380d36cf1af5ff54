"""The tokens of a batch are those of the whole."""

import pytest

from vericap.corpus import Corpus
from vericap.streaming.batch import BatchCaptions, StreamBatch
from vericap.views import Views

CAPTIONS = ["a sign that reads K.", "", "A man", "from the U.S.", "two men", "it is 5 p.m.", "", "a dog"]


@pytest.mark.parametrize("cut", range(1, len(CAPTIONS)))
def test_an_abbreviation_at_the_end_of_a_batch_is_decided_by_the_next_caption(cut):
    def words(own, following):
        views = Views(StreamBatch(Corpus.from_lists(own), BatchCaptions(own, lambda: iter(following))))
        return [views.tokens.spell(row) for row in views.tokens.candidates]

    whole = Views(Corpus.from_lists(CAPTIONS)).tokens
    expected = [whole.spell(row) for row in whole.candidates]
    assert words(CAPTIONS[:cut], CAPTIONS[cut:]) + words(CAPTIONS[cut:], []) == expected
    assert "k" in expected[0] and "u.s." in expected[3]


def test_what_follows_is_not_read_unless_the_tokenizer_asks():
    def fail():
        raise AssertionError("nobody should look")

    own = ["a dog runs", "two cats."]
    views = Views(StreamBatch(Corpus.from_lists(own), BatchCaptions(own, fail)))
    assert views.tokens.words == ["a", "cats", "dog", "runs", "two"]
