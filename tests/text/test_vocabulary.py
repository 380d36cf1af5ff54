"""Token ids: one vocabulary for both sides, and tokens with white space inside split where BLEU and CIDEr split."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vericap.arrays import Ragged
from vericap.text.vocabulary import Seams, Tokens, encode, split_at_white_space

TOKEN = st.sampled_from(["a", "dog", "22\xa03/4", "3/4", "x\u2003y z", "\u3000"])
CAPTIONS = st.lists(st.lists(TOKEN, max_size=5), max_size=6)


def encoded(captions: list[list[str]]) -> tuple[Ragged, list[str]]:
    vocabulary: dict[str, int] = {}
    ids = encode(
        ["\n".join(caption) for caption in captions], lambda text: text.split("\n") if text else [], vocabulary
    )
    return ids, list(vocabulary)


@given(CAPTIONS)
def test_ids_spell_the_captions_and_words_are_numbered_as_they_occur(captions: list[list[str]]) -> None:
    ids, words = encoded(captions)
    assert [[words[i] for i in row] for row in ids] == captions
    assert words == list(dict.fromkeys(token for caption in captions for token in caption))


def test_a_vocabulary_grows() -> None:
    vocabulary = {"dog": 0}
    assert encode(["a dog", "a cat"], str.split, vocabulary).values.tolist() == [1, 0, 1, 2]
    assert vocabulary == {"dog": 0, "a": 1, "cat": 2}


@given(CAPTIONS)
def test_tokens_are_split_at_the_white_space_inside_them(captions: list[list[str]]) -> None:
    ids, words = encoded(captions)
    split, more = split_at_white_space(ids, words)
    expected = [[part for token in caption for part in token.split()] for caption in captions]
    assert [[more[i] for i in row] for row in split] == expected
    assert more[: len(words)] == words  # other tokens keep their ids


def test_captions_without_such_a_token_are_left_as_they_are() -> None:
    ids, words = encoded([["a", "dog"]])
    assert split_at_white_space(ids, words)[0] is ids


@given(CAPTIONS)
def test_words_that_were_split_are_put_together_again(captions: list[list[str]]) -> None:
    ids, words = encoded(captions)
    seams = Seams.of(ids, words)
    if all(word.split() for word in words):
        assert seams is not None and seams.words == len(words)
        again = seams.rejoin(split_at_white_space(ids, words)[0])
        assert again.values.tolist() == ids.values.tolist() and again.offsets.tolist() == ids.offsets.tolist()
    else:
        assert seams is None


@given(CAPTIONS, st.data())
def test_some_candidates_and_references_have_the_same_ids(captions: list[list[str]], data: st.DataObject) -> None:
    ids, words = encoded(captions)
    middle = data.draw(st.integers(0, len(captions)))
    tokens = Tokens.split(ids, middle, words)
    assert [tokens.spell(row) for row in tokens.candidates] == captions[:middle]
    assert [tokens.spell(row.tolist()) for row in tokens.references] == captions[middle:]

    def some(size: int) -> np.ndarray:
        return np.array(data.draw(st.lists(st.integers(0, size - 1), max_size=4)) if size else [], np.int64)

    mine, theirs = some(middle), some(len(captions) - middle)
    few = tokens.take(mine, theirs)
    assert [few.spell(row) for row in few.candidates] == [captions[row] for row in mine]
    assert [few.spell(row) for row in few.references] == [captions[middle + row] for row in theirs]
    assert len(few.captions) == len(mine) + len(theirs)
