"""`vericap demo`: three captioners that ship."""

from __future__ import annotations

from tests.cli.program import vericap


def test_demo_ranks_its_systems_as_they_were_made():
    done = vericap("demo", "--format", "csv")
    rows = [line.split(",") for line in done.stdout.splitlines()[:4]]
    column = rows[0].index("cider-d")
    strong, middling, weak = (float(row[column]) for row in rows[1:])
    assert strong > middling > weak
