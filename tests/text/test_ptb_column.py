"""Captions as columns of bytes: blocks, vocabularies and the caller's share of the work."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.text.test_ptb import encode_by_rules
from vericap.corpus.columns import TextColumn
from vericap.readers.storage import array_file
from vericap.text import ptb, ptb_column
from vericap.text.ptb import LEXER, encode_coco
from vericap.text.ptb_column import ColumnEncoder, text_blocks
from vericap.text.ptb_rules import RULES

CAPTIONS = ["A dog.", "", "a\0cat", "é \ud800", "It's a dog"]


def spelled(captions: Sequence[str]) -> list[bytes]:
    found = []
    for _, text, offsets, gap in text_blocks(captions, lambda caption: caption.replace("\ud800", "?")):
        found += [bytes(text[a : b - gap]) for a, b in pairwise(offsets)]
    return found


@pytest.mark.parametrize("block", [1, 2, 100])
def test_blocks_hold_every_caption_whatever_is_in_it(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ptb_column, "BLOCK", block)
    assert spelled(CAPTIONS) == [b"A dog.", b"", b"a\0cat", "é ?".encode(), b"It's a dog"]
    assert spelled([]) == []


@given(st.lists(st.text(), max_size=5), st.integers(1, 4))
def test_any_text(captions: list[str], block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ptb_column, "BLOCK", block)
        assert spelled(captions) == [caption.encode() for caption in captions]
        assert spelled(TextColumn.of(captions)) == [caption.encode() for caption in captions]


def test_a_column_of_text_has_the_tokens_of_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ptb_column, "BLOCK", 2)
    captions = ['A dog\'s "t-shirt".', "", "type K.", "The end", "un café . . .", "a\0b", "house no.", "\t", "5 cats"]
    expected, found = encode_by_rules(captions, few := {}), encode_coco(TextColumn.of(captions), many := {})
    assert [each.tolist() for each in found] == [each.tolist() for each in expected]
    assert list(many) == list(few)
    part = encode_coco(TextColumn.of(captions)[2:5], {})
    assert [each.tolist() for each in part] == [each.tolist() for each in encode_by_rules(captions[2:5], {})]


def test_blocks_share_a_vocabulary_and_the_next_caption_may_be_in_the_next_block(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ptb_column, "BLOCK", 1)
    captions = ["a sign that reads K.", "A man", "a model T.", "four men", "type U.", "", "The end"]
    ids, offsets = encode_coco(captions, vocabulary := {})
    words = list(vocabulary)
    assert [words[ids[end - 1]] for end in offsets[[1, 3, 5]]] == ["k", "t.", "u"]
    assert len(words) == len(set(ids.tolist()))


def test_a_chunk_is_asked_for_once_and_plain_words_never() -> None:
    asked: list[str] = []

    def of_chunk(chunk: str) -> list[str]:
        asked.append(chunk)
        return [chunk]

    encoder = ColumnEncoder({}, of_chunk, ["no"])
    text = b'No dogs, "DOGS". 5 no. 5'
    for _ in range(2):
        rows = encoder.encode(text, np.array([0, len(text)]), lambda row: [])
    assert asked == ["No", "5", "no."]
    assert [list(encoder.vocabulary)[i] for i in rows.values] == ["No", "dogs", "dogs", "5", "no.", "5"]


def test_many_words_find_room() -> None:
    captions = [f"{chr(97 + i % 26) * (1 + i % 50)}{chr(97 + i // 26 % 26)} {'x' * (i % 3)}{i}-" for i in range(5000)]
    assert [each.tolist() for each in encode_coco(captions, {})] == [
        each.tolist() for each in encode_by_rules(captions, {})
    ]


LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
MARKS = ["", *'.,"!?;:', '."', '".', '",', ',"', ".."]


class Words:
    """Every state of the rules' automaton in which a word of letters and single hyphens can leave it."""

    def __init__(self) -> None:
        tables = array_file.read(LEXER)[2]
        self.symbols, self.patterns = tables["symbols"], tables["patterns"]
        self.steps = tables["steps"].reshape(len(self.patterns), -1)
        self.before: dict[tuple[int, bool], set[tuple[tuple[int, bool], str]]] = {}
        self.states: set[tuple[int, bool]] = set()
        self.start = int(tables["starts"][0])
        found = [((-1, True), self.start)]
        while found:
            key, state = found.pop()
            for letter in LETTERS if key[1] else LETTERS + "-":
                reached = self.step(state, letter), letter == "-"
                if reached not in self.states:
                    self.states.add(reached)
                    found.append((reached, reached[0]))
                self.before.setdefault(reached, set()).add((key, letter.lower()))

    def step(self, state: int, text: str) -> int:
        for character in text:
            state = int(self.steps[state, self.symbols[ord(character)]])
        return state

    def rule(self, state: int) -> str | None:
        """The rule whose token may end in a state."""
        return RULES[self.patterns[state] - 1].name if self.patterns[state] else None

    def longer_match(self, number: int, following: str) -> bool:
        """Whether a match could be longer than the word."""
        state = number
        for character in following:
            state = self.step(state, character)
            if state == 0:  # dead
                return False
            if self.patterns[state]:
                return True
        return True

    def spelled(self, number: int) -> set[str]:
        """All words that lead to a state; fails where they are not few."""
        words: set[str] = set()
        open_ends = [((number, False), "")]
        while open_ends:
            key, tail = open_ends.pop()
            assert len(tail) < 12, f"...{tail} and many others"
            if key[0] < 0:
                words.add(tail)
            open_ends += [(before, letter + tail) for before, letter in self.before.get(key, ())]
        return words


@pytest.fixture(scope="module")
def words() -> Words:
    return Words()


def test_the_rule_for_letters_holds_for_every_word_but_the_exceptions(words: Words) -> None:
    """The automaton has so few states for words that all of them can be looked at, with every mark behind them."""
    names = {state: words.rule(state) for state, hyphen in words.states if not hyphen}
    assert 0 not in names
    exceptions = {number for number, name in names.items() if name not in ("word", "compound")}
    for marks in MARKS:
        for end in " \n":
            exceptions |= {number for number in names if words.longer_match(number, marks + end)}
    spelled = {word for number in exceptions for word in words.spelled(number)}
    assert {word for word in spelled if len(word) > 1} <= set(ptb._EXCEPTIONS)


def test_a_word_before_s_is_the_same_word(words: Words) -> None:
    for state in [state for state, hyphen in words.states if not hyphen]:
        # The match ends with the word, or is that of a word before 's: nothing that is longer than the apostrophe.
        possessive = words.step(state, "'s")
        assert words.rule(possessive) == "word before 's" or words.rule(words.step(state, "'")) is None
        assert words.rule(possessive) in ("word before 's", None)
        for marks in MARKS:
            for end in " \n":
                behind = [words.step(possessive, (marks + end)[:size]) for size in range(1, len(marks) + 2)]
                assert not any(map(words.rule, behind)) and behind[-1] == 0


def test_a_double_quote_before_a_word_is_a_quote(words: Words) -> None:
    for letter in LETTERS:
        opening = words.step(words.start, f'"{letter}')
        assert words.rule(opening) == "opening double quote"
        assert not any(words.step(opening, following) for following in LETTERS + "-'.,\"!?;: \n")


@pytest.mark.parametrize("marks", MARKS)
@pytest.mark.parametrize("possessive", ["", "'s"])
def test_marks_behind_a_word_are_no_tokens_and_the_same_everywhere(possessive: str, marks: str) -> None:
    """With the facts above, what is true of one word is true of all."""
    for quote in ("", '"'):
        expected = ("dog", *([possessive] if possessive else []))
        assert ptb._tokens_anywhere(f"{quote}Dog{possessive}{marks}") == expected
