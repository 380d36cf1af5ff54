"""The table of scores in each format."""

from __future__ import annotations

from vericap.show.score_table import Column, Row, ScoreTable, latex_table

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


PAPER_TABLE = ScoreTable(
    [Column("bleu-4"), Column("ter", higher_is_better=False), Column("cider-d")],
    [
        Row("M² & co_1", 2, [0.25, 0.5, 1.2], [(0.2, 0.3), None, None], ["b", "", ""], "a"),
        Row(r"\input{x}", 2, [0.2501, 0.25, float("nan")], [None] * 3, ["", "a", ""], "b"),
    ],
    "30 captions",
    ["metric:bleu-4|version:1|n:4", "metric:ter|version:1"],
)


def test_it_is_whole_and_says_which_package_it_needs() -> None:
    lines = latex_table(PAPER_TABLE, 100).splitlines()
    assert lines[0] == r"% needs \usepackage{booktabs}"
    assert lines[1] == r"\begin{table}" and lines[-1] == r"\end{table}"
    assert r" & BLEU-4 $\uparrow$ & TER $\downarrow$ & CIDEr-D $\uparrow$ \\" in lines


def test_the_best_is_bold_and_what_prints_the_same_is_bold_alike() -> None:
    rows = [line for line in latex_table(PAPER_TABLE, 100).splitlines() if line.startswith("$^{")]
    assert rows == [
        r"$^{a}$ M² \& co\_1 & \textbf{25.0} $\pm$ 5.0$^{b}$ & 50.0 & \textbf{120.0} \\",
        r"$^{b}$ \textbackslash{}input\{x\} & \textbf{25.0} & \textbf{25.0}$^{a}$ & -- \\",
    ]


def test_one_row_has_no_best() -> None:
    assert "textbf" not in latex_table(ScoreTable(PAPER_TABLE.columns, PAPER_TABLE.rows[:1]))


def test_the_caption_holds_the_signature() -> None:
    [caption] = [line for line in latex_table(PAPER_TABLE, 100).splitlines() if line.startswith(r"\caption")]
    assert caption.startswith(r"\caption{Scores $\times$ 100 of 30 captions; CIDEr-D is what COCO's evaluation calls")
    assert r"\texttt{version:1; bleu-4\textbar\allowbreak{}n:4; ter}" in caption
