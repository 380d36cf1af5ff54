"""What a stream adds up."""

import json
import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vericap.streaming.job import Piece
from vericap.streaming.shards import Span
from vericap.streaming.totals import Sum, Totals


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
