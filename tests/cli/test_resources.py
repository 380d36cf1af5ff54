"""`vericap resources`: what ships, and tables of one's own."""

from __future__ import annotations

from tests.cli.program import REFERENCES, STRONG, vericap


def test_resources_lists_what_ships():
    done = vericap("resources")
    assert "demo/strong.json" in done.stdout and "CC0-1.0" in done.stdout


def test_a_table_of_document_frequencies_of_ones_own(tmp_path):
    table = tmp_path / "mine.df"
    assert vericap("resources", "df", REFERENCES, "-o", table).returncode == 0
    own = vericap("score", STRONG, "-r", REFERENCES, "-m", "cider-d", "--df", table)
    corpus = vericap("score", STRONG, "-r", REFERENCES, "-m", "cider-d")
    assert own.stdout == corpus.stdout
    assert own.stderr != corpus.stderr  # the signature says where the frequencies come from
