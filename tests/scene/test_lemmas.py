"""Lemmas by endings, learned from pairs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vericap.scene.lemmas import Lemmatizer, learn_endings

WORDS = st.text("abcdes", min_size=1, max_size=6)


@given(st.dictionaries(st.tuples(WORDS, st.sampled_from(["NN", "NNS", "VBG"])), WORDS, max_size=20))
def test_what_was_learned_gives_every_example_its_lemma(examples: dict[tuple[str, str], str]) -> None:
    lemmatizer = Lemmatizer(learn_endings((word, tag, lemma) for (word, tag), lemma in examples.items()))
    assert all(lemmatizer.lemma(word, tag) == lemma for (word, tag), lemma in examples.items())


def test_all_verb_tags_share_their_endings() -> None:
    lemmatizer = Lemmatizer(learn_endings([("riding", "VBG", "ride"), ("stands", "VBZ", "stand")]))
    assert lemmatizer.lemma("stands", "VBP") == "stand" and lemmatizer.lemma("stands", "NNS") == "stands"
