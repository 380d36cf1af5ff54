"""Lexers by their tables: those of Penn Treebank tokens, which ship, and those of other patterns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from vericap.data import FOLDER
from vericap.kernels.lexing import Automaton, Match, Scan
from vericap.readers.storage import array_file

if TYPE_CHECKING:
    from vericap.text.automata import CharacterSet, Tables

__all__ = ["SHIPPED", "Automaton", "Match", "Scan", "make_lexer", "ptb_lexer"]

SHIPPED = FOLDER / "ptb" / "lexer.arrays"  # made of the rules by tools/make_lexer.py


def make_lexer(patterns: Sequence[tuple[str, str]], names: Mapping[str, str | CharacterSet] | None = None) -> Automaton:
    """Finds tokens by an ordered table of patterns; see `make_tables`. What follows a token counts for the length of a
    match, though it is no part of the token.

    >>> letter = {"letter": "[A-Za-z]"}
    >>> lexer = make_lexer([("{letter}+", ""), (r"{letter}+ \\.", "[ ]{letter}"), (r"\\.", "")], letter)
    >>> scan = lexer.scan("etc. etc.")
    >>> scan.longest(0), scan.longest(5), scan.longest(8), scan.longest(4)
    (Match(pattern=1, end=4), Match(pattern=0, end=8), Match(pattern=2, end=9), None)
    """
    from vericap.text.automata import make_tables

    return _lexer(make_tables(patterns, names))


@cache
def ptb_lexer() -> Automaton:
    """The lexer of the rules in `ptb_rules`.

    >>> ptb_lexer().scan("don't").longest(0)
    Match(pattern=8, end=2)
    """
    return _lexer(array_file.read(SHIPPED, verify=False)[2])


def _lexer(tables: Tables) -> Automaton:
    return Automaton(tables["symbols"], tables["steps"], tables["patterns"], tables["starts"])
