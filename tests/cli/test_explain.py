"""`vericap explain`: why a caption has its score."""

from __future__ import annotations

from tests.cli.program import REFERENCES, STRONG, vericap


def test_explain_shows_the_parts_of_each_formula():
    done = vericap("explain", STRONG, "-r", REFERENCES, "--id", 1, "-m", "bleu-2,rouge-l,cider-d,cider-r,ter")
    assert done.returncode == 0
    for part in ("brevity penalty", "best recall", "idf", "length penalty", "repetition penalty"):
        assert part in done.stdout
