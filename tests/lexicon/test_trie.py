"""N-grams and their counts as a trie, against a dictionary."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.errors import InputError
from vericap.lexicon import trie as trie_module
from vericap.lexicon.trie import NGramTrie, count_documents, merge_tries, prune
from vericap.text.vocabulary import encode

WORD = st.sampled_from(["a", "dog", "cat", "the", "é", "22\xa03/4", "日", "<eos>", "\ud800"])
NGRAM = st.lists(WORD, min_size=1, max_size=5).map(tuple)
TABLE = st.dictionaries(NGRAM, st.integers(1, 2**32 - 1), min_size=1)


def count(trie: NGramTrie, ngrams: list[tuple[str, ...]]) -> list[int]:
    """Counts of n-grams of one length, looked up together."""
    words = sorted({word for ngram in ngrams for word in ngram}, reverse=True)
    columns = [np.array([words.index(ngram[k]) for ngram in ngrams]) for k in range(len(ngrams[0]))]
    return trie.count(words, *columns).tolist()


@given(TABLE, st.lists(NGRAM))
def test_any_table_of_counts_can_be_a_trie(counts: dict[tuple[str, ...], int], others: list[tuple[str, ...]]) -> None:
    trie = NGramTrie.from_counts(counts)
    by_length = defaultdict(list)
    for ngram in [*counts, *others, *(known[:-1] for known in counts if len(known) > 1)]:
        by_length[len(ngram)].append(ngram)
    for ngrams in by_length.values():
        assert count(trie, ngrams) == [counts.get(ngram, 0) for ngram in ngrams]
    prefixes = {ngram[:n] for ngram in counts for n in range(1, len(ngram) + 1)} | {
        (word,) for ngram in counts for word in ngram
    }
    assert len(trie) == len(prefixes)
    assert trie.words == sorted({word for ngram in counts for word in ngram})


@given(TABLE)
def test_blocks_change_nothing(counts: dict[tuple[str, ...], int]) -> None:
    trie = NGramTrie.from_counts(counts)
    longest = [ngram for ngram in counts if len(ngram) == trie.order]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trie_module, "BLOCK", 2)
        assert count(trie, longest) == [counts[ngram] for ngram in longest]


@given(TABLE)
def test_what_was_made_here_is_sound(counts: dict[tuple[str, ...], int]) -> None:
    trie = NGramTrie.from_counts(counts)
    most = max(counts.values())
    trie.validate("table.df", most)
    with pytest.raises(InputError, match=r"table\.df: this is not a table of n-grams; make the table again"):
        trie.validate("table.df", most - 1)


SOUND = NGramTrie.from_counts({("a",): 3, ("a", "dog"): 2, ("the",): 2, ("the", "dog"): 1, ("dog",): 4})


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("word_ends", [1, 4, 9]),  # beyond the letters
        ("word_ends", [4, 1, 7]),  # back and forth
        ("count_1", [3, 4]),  # fewer than words
        ("first_2", [0, 1, 1]),  # one too few
        ("first_2", [0, 2, 1, 2]),  # back and forth
        ("first_2", [1, 1, 1, 2]),  # the first child is nobody's
        ("word_2", [9, 1]),  # no such word
        ("count_2", [2]),
    ],
)
def test_arrays_that_are_no_trie_are_refused(name: str, changed: list[int]) -> None:
    SOUND.validate("table.df", 10)
    broken = {**SOUND.arrays, name: np.array(changed, np.uint16)}
    with pytest.raises(InputError, match="not a table of n-grams"):
        NGramTrie(broken, 2).validate("table.df", 10)
    with pytest.raises(InputError, match="not a table of n-grams"):
        NGramTrie({key: array for key, array in SOUND.arrays.items() if key != name}, 2).validate("table.df", 10)


def test_children_of_one_node_twice_are_refused() -> None:
    twice = {**SOUND.arrays, "first_2": np.array([0, 2, 2, 2], np.uint16), "word_2": np.array([1, 1], np.uint16)}
    with pytest.raises(InputError, match="not a table of n-grams"):
        NGramTrie(twice, 2).validate("table.df", 10)


def test_a_node_has_a_child_for_a_word_or_none() -> None:
    a, dog, the = range(3)
    found = SOUND.child(2, np.array([a, a, the, -1, a]), np.array([dog, a, dog, dog, -1]))
    assert found.tolist() == [0, -1, 1, -1, -1]


CAPTION = st.lists(st.sampled_from(["b", "a", "dog", "the"]), max_size=5).map(" ".join)


@given(st.lists(st.tuples(CAPTION, st.integers(0, 3)), min_size=1, max_size=8), st.integers(1, 3), st.integers(1, 3))
def test_documents_are_counted_not_occurrences(rows: list[tuple[str, int]], order: int, least: int) -> None:
    vocabulary: dict[str, int] = {}
    ids = encode([caption for caption, _ in rows], str.split, vocabulary)
    trie = count_documents(ids, np.array([number for _, number in rows]), list(vocabulary), order=order, least=least)
    documents: dict[int, set[tuple[str, ...]]] = defaultdict(set)
    for caption, number in rows:
        words = caption.split()
        documents[number] |= {tuple(words[k : k + n]) for n in range(1, order + 1) for k in range(len(words) - n + 1)}
    expected = Counter(ngram for held in documents.values() for ngram in held)
    for ngram, times in expected.items():
        assert count(trie, [ngram]) == [times if times >= least else 0]
    assert len(trie) == sum(times >= least for times in expected.values())


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
