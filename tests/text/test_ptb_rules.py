"""The table of token rules: each claims the text that it is named for, and writes it as the treebank does."""

from __future__ import annotations

import pytest

from tools.automata import CharacterSet, make_tables
from tools.ptb_characters import names
from vericap.kernels.lexing import Automaton
from vericap.readers.storage import array_file
from vericap.text.ptb import LEXER, ptb_lexer
from vericap.text.ptb_rules import ABBREVIATIONS, RULES, SPLIT_WORDS

# The text a rule takes first, between bars where more has to follow it, and how the token is written.
EXAMPLES = {
    "cannot": ("|cannot|", "can"),
    "gonna, gimme": ("|gonna|", "gon"),
    "'tis": ("|'tis|", "'t"),
    "'twas": ("|'twas|", "'t"),
    "tag": ("|<b class='x y'>|", "<b\u00a0class='x\u00a0y'>"),
    "dash": ("|—|", "--"),
    "ampersand": ("|&amp;|", "&"),
    "entity": ("|&#39;|", "&#39;"),
    "word before n't": ("|do|n't", "do"),
    "word before 's": ("|dog|'s", "dog"),
    "word": ("|dog|", "dog"),
    "'n', ol', 'em, '90s": ("|'em|", "'em"),
    "ma'am, O'Neill": ("|O'Neill|", "O'Neill"),
    "'90": ("|'90| ", "'90"),
    "y'all": ("|y'|all", "y'"),
    "web address": ("|http://a.b/c|.", "http://a.b/c"),
    "likely web address": ("|www.example.com/a/b|,", "www.example.com/a/b"),
    "mail address": ("|foo@bar.com|", "foo@bar.com"),
    "handle": ("|@handle|", "@handle"),
    "hashtag": ("|#dog|", "#dog"),
    "'s": ("|’s| ", "'s"),
    "n't": ("|n’t| ", "n't"),
    "date": ("|10/11/2014|", "10/11/2014"),
    "number": ("|-1,000.5|", "-1,000.5"),
    "raised or lowered number": ("|²|", "²"),
    "fraction": ("|22 3/4|", "22\u00a03/4"),
    "fraction sign": ("|½|", "1/2"),
    "treebank word": ("|-LRB-|", "-LRB-"),
    "and/or": ("|and/or|", "and/or"),
    "currency": ("|US$|", "US$"),
    "currency sign": ("|€|", "$"),
    "Co. Ltd.": ("|Co.| Ltd", "Co."),
    "abbreviation at a sentence's end": ("|etc.| The", "etc."),
    "abbreviation in a sentence": ("|etc.| and", "etc."),
    "abbreviation at the end": ("|etc.|", "etc."),
    "title": ("|Mr.|", "Mr."),
    "No. 5": ("|no.| 5", "no."),
    "letter at a sentence's end": ("|K|. The ", "K"),
    "acronym at a sentence's end": ("|U.S.| The ", "U.S."),
    "acronym": ("|U.S.| Navy", "U.S."),
    "file": ("|img.7.jpg| ", "img.7.jpg"),
    "compound": ("|black-and-white|", "black-and-white"),
    "hyphenated": ("|3.5-inch|", "3.5-inch"),
    "R&B": ("|R&amp;B|", "R&B"),
    "C++, C#": ("|C++|", "C++"),
    "full stop before a comma": ("|dog.|,", "dog."),
    "telephone number": ("|(650) 723-0293|", "-LRB-650-RRB-\u00a0723-0293"),
    "opening double quote": ('|"|dog', "``"),
    "double quote": ('|"|', "''"),
    "less": ("|&lt;|", "<"),
    "greater": ("|>|", ">"),
    "face": ("|:-)| ", ":--RRB-"),
    "eastern face": ("|(^.^)|", "-LRB-^.^-RRB-"),
    "bracket": ("|[|", "-LSB-"),
    "long dash": ("|---|", "--"),
    "hyphens": ("|-----|", "-----"),
    "ellipsis": ("|. . .|", "..."),
    "note mark": ("|***|", "***"),
    "comma": ("|;|", ";"),
    "exclamation": ("|?!|", "?!"),
    "full stop": ("|.|", "."),
    "opening quote": ("|'|dog", "`"),
    "'s within a word": ("|’s|x", "'s"),
    "quotes": ("|“|", "``"),
    "pointed brackets": ("|<<|", "<<"),
    "symbol": ("|~|", "~"),
    "blanks": ("| \t|", ""),
}


@pytest.fixture(scope="module")
def lexer() -> Automaton:
    return ptb_lexer()


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_rule_takes_the_text_that_it_is_for(lexer: Automaton, name: str) -> None:
    text, written = EXAMPLES[name]
    _, token, follow = text.split("|")
    match = lexer.scan(token + follow).longest(0)
    assert match is not None
    rule = RULES[match.pattern]
    assert (rule.name, match.end) == (name, len(token))
    assert rule.write(token[: len(token) - rule.leave]) == written


def test_the_tables_that_ship_are_those_of_the_rules() -> None:
    """After a change to the rules: python -m tools.make_lexer."""
    made = make_tables([(rule.pattern, rule.follow) for rule in RULES], names())
    shipped = array_file.read(LEXER)[2]
    assert {name: array.tolist() for name, array in shipped.items()} == {k: v.tolist() for k, v in made.items()}


def test_every_rule_has_an_example_and_a_name_of_its_own() -> None:
    assert [rule.name for rule in RULES] == list(EXAMPLES)


def test_words_that_are_split_are_those_of_the_rules_that_leave_a_part(lexer: Automaton) -> None:
    for word in SPLIT_WORDS:
        match = lexer.scan(word).longest(0)
        assert match is not None and RULES[match.pattern].leave > 0, word


def test_an_abbreviation_keeps_its_full_stop_before_a_number(lexer: Automaton) -> None:
    for word in sorted(ABBREVIATIONS):
        match = lexer.scan(f"{word} x").longest(0)
        assert match is not None and match.end == len(word), word
    for word in ("mr", "etc", "ave", "no", "fig"):
        match = lexer.scan(f"{word}. 5").longest(0)
        assert match is not None and match.end == len(word) + 1, word
    assert {"mr", "etc", "no", "ph.d", "mass"} <= ABBREVIATIONS
    assert all(word == word.lower() and "[" not in word for word in ABBREVIATIONS)


@pytest.mark.parametrize(("text", "end"), [("Mass. and", 5), ("mass. and", 4), ("Ark. x", 4), ("ark. x", 3)])
def test_some_states_are_abbreviations_with_a_capital_only(lexer: Automaton, text: str, end: int) -> None:
    match = lexer.scan(text).longest(0)
    assert match is not None and match.end == end


def test_a_full_stop_that_ends_the_sentence_too_is_read_again() -> None:
    again = {rule.name for rule in RULES if rule.again}
    assert again == {
        "abbreviation at a sentence's end",
        "abbreviation at the end",
        "acronym at a sentence's end",
    }


def test_sets_of_characters_are_named_as_sets() -> None:
    assert {name for name, value in names().items() if isinstance(value, CharacterSet)} == {
        "letter",
        "digit",
        "capital",
        "symbol",
        "mark",
    }
