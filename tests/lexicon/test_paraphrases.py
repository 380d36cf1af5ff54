"""The table of paraphrases: what goes in is what is found, in captions and in both directions."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vericap.arrays import Ragged
from vericap.lexicon.matching import paraphrase_table
from vericap.lexicon.paraphrases import Paraphrases, Phrases

phrases = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=4).map(" ".join)
pairs = st.lists(st.tuples(phrases, phrases), min_size=1, max_size=40, unique=True)


def find(table: Paraphrases, *captions: str) -> tuple[Phrases, list[str]]:
    """The phrases in captions, and their text by number."""
    words = [caption.split() for caption in captions]
    numbers = table.word_numbers([word for row in words for word in row])
    offsets = np.cumsum([0, *map(len, words)])
    found = table.find(Ragged(numbers, offsets))
    text: dict[int, str] = {}
    for row, first, last in zip(words, found.rows, found.rows[1:], strict=False):
        for at in range(first, last):
            start, length = found.start[at], found.length[at]
            text[int(found.number[at])] = " ".join(row[start : start + length])
    return found, [text[i] for i in range(len(text))]


@given(pairs, st.lists(phrases, max_size=4))
@settings(max_examples=100, deadline=None)
def test_every_pair_that_stands_in_the_captions_is_found_and_no_other(table_pairs, captions):
    found, text = find(Paraphrases.of(table_pairs), *captions)
    present = {
        " ".join(words[i : i + n])
        for words in map(str.split, captions)
        for n in range(1, 5)
        for i in range(len(words) - n + 1)
    }
    wanted = {(a, b) for a, b in table_pairs if a in present and b in present}
    there = {(text[i], text[j]) for i, row in enumerate(found.paraphrases) for j in row}
    back = {(text[j], text[i]) for i, row in enumerate(found.sources) for j in row}
    assert there == back == wanted


@given(pairs)
@settings(max_examples=20, deadline=None)
def test_a_saved_table_reads_back(tmp_path_factory, table_pairs):
    path = tmp_path_factory.mktemp("table") / "paraphrases.arrays"
    table = Paraphrases.of(table_pairs)
    table.save(path)
    again = Paraphrases.load(path)
    text = " ".join(phrase for pair in table_pairs for phrase in pair)
    assert find(again, text)[1] == find(table, text)[1]


def test_the_table_that_ships_has_its_entries_from_the_first_to_the_last():
    found, text = find(paraphrase_table(), "000", "million", "in front of", "in the presence of", "… who", "… …")
    known = {(text[i], text[j]) for i, row in enumerate(found.paraphrases) for j in row}
    assert {("000", "million"), ("in front of", "in the presence of"), ("… who", "… …")} <= known
    assert ("in the presence of", "000") not in known
