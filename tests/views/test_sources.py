"""A few rows of views belong to a whole."""

from __future__ import annotations

from vericap.corpus import Corpus
from vericap.views import Views


def test_a_note_of_a_few_rows_is_a_note_of_the_run() -> None:
    views = Views(Corpus.from_lists(["a dog", "a cat"]))
    views.rows([1]).note("something to know")
    assert views.notes == ("something to know",)


def test_rows_keep_their_place_in_the_whole() -> None:
    views = Views(Corpus.from_lists(["a", "b", "c"]))
    few = views.rows([0, 2])
    assert [few.row_in_whole(row) for row in (0, 1)] == [0, 2]
    assert few.whole is views
    assert views.row_in_whole(1) == 1
