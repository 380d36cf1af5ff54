"""A stream goes on with the same settings, and says why it cannot with others."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.errors import InputError
from vericap.readers.ranges import Span
from vericap.streaming.checkpoint import Checkpoint, Sum, Totals, load
from vericap.streaming.job import Piece

SETTINGS = {"metrics": ["bleu-4"], "batch_size": 10, "input": [["a.jsonl", 5, 7]]}


def test_what_was_saved_is_found_again(tmp_path):
    Checkpoint(SETTINGS, Totals(rows=30), {"bytes": 99}).save(tmp_path / "state.json")
    again = load(tmp_path / "state.json", SETTINGS)
    assert (again.totals.rows, again.written, again.finished) == (30, {"bytes": 99}, False)
    assert not list(tmp_path.glob("*.partial"))


@pytest.mark.parametrize(
    ("change", "field"),
    [({"metrics": ["bleu-3"]}, "metrics"), ({"input": [["a.jsonl", 6, 8]]}, "input"), ({"missing": "drop"}, "missing")],
)
def test_other_settings_are_an_error_that_names_the_field_and_both_values(tmp_path, change, field):
    Checkpoint(SETTINGS).save(tmp_path / "state.json")
    with pytest.raises(InputError, match=f'field "{field}": the stream was started with .*, now it is '):
        load(tmp_path / "state.json", {**SETTINGS, **change})


@pytest.mark.parametrize("content", [b"", b"{}", b'{"format": 1, "settings": {'])
def test_a_damaged_state_is_an_error(tmp_path, content):
    (tmp_path / "state.json").write_bytes(content)
    with pytest.raises(InputError, match="cannot be read; delete the output"):
        load(tmp_path / "state.json", SETTINGS)


def test_a_state_that_cannot_be_written_is_an_error_and_leaves_the_old_one(tmp_path, monkeypatch):
    path = tmp_path / "state.json"
    Checkpoint({"metrics": ["ter"]}).save(path)
    before = path.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(InputError, match="No space left on device"):
        Checkpoint({"metrics": ["ter"]}, finished=True).save(path)
    assert path.read_bytes() == before and [each.name for each in tmp_path.iterdir()] == ["state.json"]


@given(st.lists(st.floats(-1e12, 1e12), min_size=1, max_size=200))
def test_a_sum_of_many_pieces_is_the_exact_sum_but_for_its_last_bits(values):
    total = Sum()
    for value in values:
        total.add(np.array([value]))
    exact = math.fsum(values)
    assert abs(total.value[0] - exact) <= 4e-16 * abs(exact) + 1e-15


@given(st.lists(st.floats(-1e300, 1e300), min_size=2, max_size=20))
def test_a_sum_goes_on_from_json_with_every_bit(values):
    whole = Sum()
    for value in values:
        whole.add(np.array([value]))
    first = Sum()
    first.add(np.array(values[:1]))
    again = Sum.from_lists(json.loads(json.dumps(first.to_lists())))
    for value in values[1:]:
        again.add(np.array([value]))
    assert again.to_lists() == whole.to_lists()


def test_totals_go_on_from_json():
    totals = Totals()
    piece = Piece(Span(0, 0, 9, share=0.5), 7, left_out=2, empty=1, fewest=4, most=5, notes=("note",))
    piece.sums, piece.undefined, piece.seconds = {"ter": (np.array([0.1, 3.5]), np.zeros(2))}, {"ter": 1}, {"ter": 0.25}
    totals.add(piece)
    again = Totals.from_dict(json.loads(json.dumps(totals.to_dict())))
    totals.add(piece)
    again.add(piece)
    assert again.to_dict() == totals.to_dict()
    assert (again.rows, again.read, again.left_out, again.undefined, again.notes) == (14, 18, 4, {"ter": 2}, ["note"])
