"""How captions become numbers for training."""

from __future__ import annotations

import pytest
import torch

from tests.tools.parser.silver_files import caption
from tools.parser.network import Swap, Vocabulary
from tools.parser.silver import cut

pytestmark = pytest.mark.torch

SENTENCES = [caption(noun, "on", "the", "beach") for noun in ("dog", "cat", "dog", "cat")]


def test_cut_captions_add_no_words_to_the_vocabulary():
    whole = Vocabulary(SENTENCES)
    with_cuts = Vocabulary([*SENTENCES, *(cut(s, 5) for s in SENTENCES)])
    assert whole.words == with_cuts.words and whole.counts.tolist() == with_cuts.counts.tolist()


def test_words_are_swapped_for_words_of_their_tag():
    vocabulary = Vocabulary(SENTENCES)
    buckets = vocabulary.encode(SENTENCES)
    swap = Swap(vocabulary, buckets)
    torch.manual_seed(1)
    tags = buckets[6]["t"]
    nouns = {vocabulary.words.index(word) for word in ("dog", "cat", "beach")}
    met = set()
    for _ in range(30):
        x = swap(buckets[6]["x"].clone(), tags)
        met |= set(x[..., 0][tags == vocabulary.tags.index("NN")].tolist())
        assert (x[..., 0][tags == vocabulary.tags.index("IN")] == vocabulary.words.index("on")).all()
    assert met == nouns
