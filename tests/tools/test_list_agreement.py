"""The figures that `vericap metrics NAME` prints are those of docs/agreement.md."""

from __future__ import annotations

import json

from tools.list_agreement import FILE, PAGE, agreement

TABLE = """# Agreement

| metric | Flickr8k-Expert τ-c | τ-b | PASCAL-50S | MM |
| --- | ---: | ---: | ---: | ---: |
| `bleu-1` | 32.3 ± 2.0 | 32.2 ± 1.8 | 78.4 ± 1.0 | – |

| metric | other |
"""


def test_the_first_table_is_read_and_dashes_are_left_out() -> None:
    expected = {"Flickr8k-Expert τ-c": "32.3 ± 2.0", "Flickr8k-Expert τ-b": "32.2 ± 1.8", "PASCAL-50S": "78.4 ± 1.0"}
    assert agreement(TABLE) == {"bleu-1": expected}


def test_what_ships_is_up_to_date() -> None:
    shipped = json.loads(FILE.read_text("utf-8"))
    assert shipped == agreement(PAGE.read_text("utf-8")), "run python tools/list_agreement.py, then list_data.py"
