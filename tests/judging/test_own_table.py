"""Ratings in a table of one's own: its columns by name, scores of metrics in it, rows without a rating."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import vericap
from vericap.errors import InputError
from vericap.judging import Ratings, load
from vericap.judging.external import TableColumns, score_columns

TABLE = """file,caption_pred,gt_1,gt_2,rating,clip,score_length
a.jpg,a dog runs,a dog,a running dog,5,0.9,3
b.jpg,a cat,a cat sits,,4,0.8,2
c.jpg,two cows,a horse,one horse,1,0.2,2
d.jpg,a pig,a pig eats,pigs,,0.5,2
"""
COLUMNS = {"image_id": "file", "caption": "caption_pred", "references": "gt_1", "score": "rating"}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "ratings.csv").write_text(TABLE)
    return tmp_path / "ratings.csv"


def test_columns_have_the_names_that_the_user_gives(table: Path) -> None:
    judged, _ = load("ratings", table, table=TableColumns(COLUMNS, missing="drop"))
    assert isinstance(judged, Ratings)
    assert list(judged.image_ids) == ["a.jpg", "b.jpg", "c.jpg"] and judged.human.ravel().tolist() == [5, 4, 1]
    assert judged.references[0] == ["a dog"] and judged.notes == ("1 row without a rating left out",)


def test_an_empty_rating_is_an_error_unless_it_is_dropped(table: Path) -> None:
    with pytest.raises(InputError, match=r'ratings.csv, row 4, field "rating": .*--missing drop'):
        load("ratings", table, table=TableColumns(COLUMNS))


def test_scores_of_a_metric_are_a_column_of_the_same_table(table: Path) -> None:
    scores = score_columns(["clip=clipscore", "score_length"])
    judged, _ = load("ratings", table, table=TableColumns(COLUMNS, scores, "drop"))
    assert isinstance(judged, Ratings)
    assert {key: column.tolist() for key, column in judged.columns.items()} == {
        "clipscore": [0.9, 0.8, 0.2],
        "score_length": [3, 2, 2],
    }
    assert judged.keep(np.array([True, False, True])).columns["clipscore"].tolist() == [0.9, 0.2]
    verdict = vericap.judge(
        "ratings", table, metrics="bleu-1", field=COLUMNS, score_column=["clip"], missing="drop", bootstrap=0
    )
    agreement = {row.metric: row for row in verdict.rows}
    assert set(agreement) == {"bleu-1", "clip"}
    # The scores of the column are in the order of the ratings: 5, 4, 1 and .9, .8, .2.
    assert agreement["clip"].estimates["kendall_b"].value == 1


def test_a_column_that_is_not_there_says_which_are(table: Path) -> None:
    with pytest.raises(InputError, match=r'field "stars": no column holds a human score; the columns are: file, '):
        load("ratings", table, table=TableColumns({**COLUMNS, "score": "stars"}))
    with pytest.raises(InputError, match=r'field "blip": the table has no such column'):
        load("ratings", table, table=TableColumns(COLUMNS, {"blip": "blip"}, "drop"))
    with pytest.raises(InputError, match="names no column"):
        score_columns(["=key"])
