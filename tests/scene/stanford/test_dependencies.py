"""One relation for each word: the highest phrase decides its governor, and the most exact relation its name."""

from __future__ import annotations

from vericap.scene.stanford.dependencies import basic_dependencies, dependencies_of
from vericap.scene.stanford.tree import Tree


def test_a_relation_that_refines_another_replaces_it() -> None:
    tree = Tree.read("(ROOT (S (NP (NNS dogs)) (VP (VBP do) (RB not) (VP (VB bark)))))")
    assert basic_dependencies(tree) == ([3, 3, 3, -1], ["nsubj", "aux", "neg", "root"])


def test_a_preposition_at_the_end_belongs_to_the_relative_pronoun() -> None:
    relative = "(SBAR (WHNP (WDT which)) (S (NP (NNS cars)) (VP (VBP come) (PP (IN from)))))"
    heads, relations = basic_dependencies(Tree.read(f"(ROOT (NP (NP (NN street)) {relative}))"))
    assert (heads, relations) == ([-1, 3, 3, 0, 1], ["root", "nmod", "nsubj", "acl:relcl", "case"])


def test_every_word_is_connected() -> None:
    heads, relations = basic_dependencies(Tree.read("(ROOT (FRAG (NP (NN dog)) (LST (LS 1)) (X (SYM x))))"))
    assert (heads, relations) == ([-1, 0, 0], ["root", "dep", "dep"])


def test_words_keep_their_case_and_lemmas_are_found() -> None:
    sentence = dependencies_of(Tree.read("(ROOT (NP (NNS Dogs) (NNP Fido)))"))
    assert (sentence.words, sentence.lemmas) == (["Dogs", "Fido"], ["dog", "Fido"])
