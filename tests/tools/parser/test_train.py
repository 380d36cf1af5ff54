"""Batches of training: every caption of an epoch comes, long ones more often, and a later start gives the same rest."""

from __future__ import annotations

from collections import Counter

import pytest
import torch

from tools.parser.train import OFTEN, Schedule, batches

pytestmark = pytest.mark.torch

BUCKETS = {length: {"x": torch.zeros(20, length, 6)} for length in (6, 16, 30)}


def test_a_run_from_a_later_step_has_the_batches_that_were_left():
    schedule = Schedule(steps=40, words=100)
    whole = [(length, rows.tolist()) for length, rows in batches(BUCKETS, schedule, 0)]
    rest = [(length, rows.tolist()) for length, rows in batches(BUCKETS, schedule, 25)]
    assert len(whole) == 40 and rest == whole[25:]


def test_long_captions_come_more_often():
    schedule = Schedule(steps=10**9, words=100)
    times, epoch = Counter(), sum(20 * next(t for least, t in OFTEN if n >= least) for n in BUCKETS)
    for length, rows in batches(BUCKETS, schedule, 0):
        times[length] += len(rows)
        if times.total() >= epoch:
            break
    assert times == {6: 20, 16: 40, 30: 160}
