"""The table of scores in each format."""

from __future__ import annotations

from vericap.show.score_table import Column, Row, ScoreTable

TABLE = ScoreTable(
    [Column("bleu-4"), Column("ter", higher_is_better=False)],
    [
        Row("mine", 2, [0.25, 1 / 3], [(0.2, 0.3), None], ["b", ""]),
        Row("yours", 2, [0.125, float("nan")], [None, None]),
    ],
)


def test_people_see_rounded_scores_with_half_the_interval_and_superscripts() -> None:
    head, mine, yours = TABLE.draw("plain", 100).splitlines()
    assert head.split() == ["captions", "bleu-4", "↑", "ter", "↓"]
    assert mine.split() == ["mine", "2", "25.0", "±", "5.0ᵇ", "33.3"]
    assert yours.split() == ["yours", "2", "12.5", "–"]


def test_programs_get_every_digit_and_the_ends_of_intervals() -> None:
    assert TABLE.draw("csv").splitlines() == [
        ",captions,bleu-4,bleu-4 low,bleu-4 high,ter,ter low,ter high",
        f"mine,2,0.25,0.2,0.3,{1 / 3!r},,",
        "yours,2,0.125,,,nan,,",
    ]


def test_papers_say_elsewhere_how_many_captions_there_are() -> None:
    assert "captions" not in TABLE.draw("latex")
