"""Makes src/vericap/data/ptb/lexer.arrays: the rules of `vericap.text.ptb_rules` as the tables of one automaton.

    python -m tools.make_lexer

Run it after a change to the rules; `tests/text/test_ptb_rules.py` fails until then.
"""

from __future__ import annotations

from tools.automata import make_tables
from tools.ptb_characters import names
from vericap.readers.storage import array_file
from vericap.text.ptb import LEXER
from vericap.text.ptb_rules import RULES


def main() -> None:
    tables = make_tables([(rule.pattern, rule.follow) for rule in RULES], names())
    LEXER.parent.mkdir(exist_ok=True)
    array_file.write(LEXER, "ptb", {"kind": "lexer", "format": 1}, tables)
    print(f"{LEXER.name}: {len(tables['patterns']):,} states, {int(tables['symbols'].max()) + 1} symbols")


if __name__ == "__main__":
    main()
