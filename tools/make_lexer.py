"""Makes src/vericap/data/ptb/lexer.arrays: the rules of `vericap.text.ptb_rules` as the tables of one automaton.

    python tools/make_lexer.py

Run it after a change to the rules; `tests/text/test_ptb_rules.py` fails until then.
"""

from __future__ import annotations

from vericap.readers.storage import array_file
from vericap.text.automata import make_tables
from vericap.text.lexer import SHIPPED
from vericap.text.ptb_rules import RULES, names


def main() -> None:
    tables = make_tables([(rule.pattern, rule.follow) for rule in RULES], names())
    SHIPPED.parent.mkdir(exist_ok=True)
    array_file.write(SHIPPED, "ptb", {"kind": "lexer", "format": 1}, tables)
    print(f"{SHIPPED.name}: {len(tables['patterns']):,} states, {int(tables['symbols'].max()) + 1} symbols")


if __name__ == "__main__":
    main()
