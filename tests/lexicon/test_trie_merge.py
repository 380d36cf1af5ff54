"""Tries added up are the trie of everything."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from vericap.lexicon.trie import NGramTrie
from vericap.lexicon.trie_merge import merge_tries, prune

WORDS = st.sampled_from("a dog cat runs the über".split())
CAPTIONS = st.lists(st.lists(WORDS, max_size=6), min_size=1, max_size=6)


def counts_of(captions):
    """In how many captions each n-gram is."""
    found = Counter()
    for words in captions:
        found.update({tuple(words[i : i + n]) for n in (1, 2, 3) for i in range(len(words) - n + 1)})
    return found


def trie_of(counts):
    # Every trie has order 3, whatever it counts.
    trie = NGramTrie.from_counts({**counts, ("a", "a", "a"): counts.get(("a", "a", "a"), 0)})
    assert trie.order == 3
    return trie


def arrays_of(trie):
    return {name: array.tolist() for name, array in trie.arrays.items()}


@given(st.lists(CAPTIONS, min_size=1, max_size=4))
def test_counts_of_pieces_add_up_to_the_counts_of_the_whole(pieces):
    merged = merge_tries([trie_of(counts_of(captions)) for captions in pieces])
    whole = trie_of(counts_of([words for captions in pieces for words in captions]))
    assert arrays_of(merged) == arrays_of(whole)


@given(CAPTIONS)
def test_pruned_is_what_counts_enough(captions):
    counts = counts_of(captions)
    kept = {ngram: count for ngram, count in counts.items() if count >= 2}
    trie = prune(trie_of(counts), 2)
    assert len(trie) == len(kept)
    assert trie.words == sorted({word for ngram in kept for word in ngram})
