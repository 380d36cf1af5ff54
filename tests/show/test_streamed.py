"""The corpus scores of a stream, drawn."""

from vericap.results.scores import StreamedMetric, StreamResult
from vericap.show import as_page, as_table, remarks

FOUND = StreamResult(
    {"ter": StreamedMetric("ter", 0.25, "metric:ter|n", (0.0, None), higher_is_better=False)},
    1_000_000,
    3,
    ("3 rows are set apart",),
    "captions.parquet",
    "out",
    "out/_bad_rows.jsonl",
)


def test_the_table_has_one_row_with_the_number_of_captions():
    assert as_table(FOUND).split() == ["captions", "ter", "↓", "captions.parquet", "1000000", "0.2500"]


def test_remarks_say_where_bad_rows_are_and_how_the_number_was_made():
    assert remarks(FOUND) == ["note: 3 rows are set apart", "bad rows: out/_bad_rows.jsonl", "metric:ter|n"]


def test_the_page_holds_notes_and_signatures():
    assert "3 rows are set apart" in as_page(FOUND) and "metric:ter|n" in as_page(FOUND)
