"""The grammar's file is the one that is meant, and what it says is whole."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from vericap.errors import InputError
from vericap.scene.stanford.grammar import Grammar, grouped, write_grammar


def test_states_rules_and_labels(grammar: Grammar) -> None:
    assert len(grammar.tables["order"]) == 12_977 and len(grammar.labels) == 1_008 and sum(grammar.is_tag) == 614
    assert [len(grammar.tables[name]) for name in ("binary", "unary", "closed")] == [46_091, 3_135, 12_905]
    assert len(grammar.goals) == 41
    assert {"NP", "NP-TMP", "VP", "-LRB-", "PRP$", "ROOT", "#", "''"} <= set(grammar.labels)
    assert not any(set(label) & set("^|@") for label in grammar.labels)


def test_every_real_state_has_expansions_of_probability_one(grammar: Grammar) -> None:
    """Weight was moved between synthetic states, so that some scores are positive: a state's inside sum over trees of
    synthetic states undoes it."""
    real, states = len(grammar.labels), len(grammar.tables["order"])
    free = np.ones(states)  # of real states: 1
    weights = np.exp(grammar.tables["binary_score"].astype(float))
    parent, left, right = grammar.tables["binary"].T
    above, below = grammar.tables["unary"].T
    for _ in range(200):  # some synthetic states lead to themselves
        sums = np.bincount(parent, weights * free[left] * free[right], states)
        sums += np.bincount(above, np.exp(grammar.tables["unary_score"].astype(float)) * free[below], states)
        free[real:] = sums[real:]
    phrases = [state for state in range(real) if not grammar.is_tag[state]]
    assert sums[phrases] == pytest.approx(1.0, abs=1e-6)


def test_any_damage_of_the_file_is_an_error_or_the_same_grammar(grammar_file: Path, tmp_path: Path) -> None:
    content, chance = grammar_file.read_bytes(), random.Random(28)
    refused = 0
    for number in range(200):
        damaged = bytearray(content)
        if number % 4 == 0:
            del damaged[chance.randrange(len(damaged)) :]
        else:
            for _ in range(number % 4):
                where = chance.randrange(8 if number % 3 == 0 else 3000 if number % 3 == 1 else len(damaged))
                damaged[where] = chance.randrange(256)
        (tmp_path / "grammar").write_bytes(damaged)
        try:
            found = Grammar.read(tmp_path / "grammar")
        except InputError as error:
            assert str(tmp_path / "grammar") in str(error)
            refused += 1
        else:
            same = Grammar.read(grammar_file)
            assert found.sha256 == same.sha256
            assert all(np.array_equal(found.tables[name], table) for name, table in same.tables.items())
    assert refused > 150


def test_a_file_with_other_rules_is_refused(grammar: Grammar, tmp_path: Path) -> None:
    scores = grammar.tables["binary_score"].copy()
    scores[0] += 1
    write_grammar(tmp_path / "other", {**grammar.tables, "binary_score": scores})
    with pytest.raises(InputError, match=r"not the grammar that this version reads; make it again: vericap resources"):
        Grammar.read(tmp_path / "other")


def test_grouping_keeps_the_order_of_rows() -> None:
    start, values = grouped(np.array([1, 0, 1, 1]), 3, np.array([4, 5, 6, 7], np.uint16))
    assert start.tolist() == [0, 1, 4, 4] and values.tolist() == [5, 4, 6, 7]
