"""`vericap metrics` as a person calls it."""

from __future__ import annotations

import json

import pytest

from tests.cli.program import vericap
from vericap.metrics import registry


def test_one_line_for_each_metric() -> None:
    lines = vericap("metrics").stdout.splitlines()
    assert sorted(line.split()[0] for line in lines if line.startswith("  ")) == sorted(registry())
    assert max(map(len, lines)) <= 130
    cited = vericap("metrics", "--citations").stdout
    assert cited.count("SPICE: semantic propositional image caption evaluation") == 8


@pytest.mark.parametrize("name", ["CIDEr-D", "spice", "vifidel", "chair-i", "faier", "fluency", "ter"])
def test_a_page_for_each_metric(name: str) -> None:
    done = vericap("metrics", name)
    assert done.returncode == 0
    for part in ("question ", "range ", "needs ", "signature  metric:", "cite ", "agreement with people"):
        assert part in done.stdout


def test_an_unknown_metric_is_one_line_with_a_suggestion() -> None:
    done = vericap("metrics", "cidr")
    assert done.returncode == 2 and "did you mean cider" in done.stderr


def test_json_of_one_metric_is_a_list_too() -> None:
    [row] = json.loads(vericap("metrics", "ROUGE_L", "--json").stdout)
    assert row["key"] == "rouge-l"
    assert row["parameters"] == [{"name": "beta", "default": 1.2, "help": "Weight of recall against precision."}]


def test_every_parameter_has_a_description() -> None:
    rows = json.loads(vericap("metrics", "--json").stdout)
    silent = [
        (row["key"], each["name"]) for row in rows for each in row["parameters"] if not each["help"].endswith(".")
    ]
    assert silent == [] and sum(len(row["parameters"]) for row in rows) > 50
