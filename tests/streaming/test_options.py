"""How a stream runs."""

import pytest

from vericap.errors import InputError
from vericap.streaming.options import StreamOptions


def test_a_checkpoint_is_after_whole_batches():
    assert StreamOptions(batch_size=300, checkpoint=1000).spans_per_checkpoint == 3
    assert StreamOptions(batch_size=300, checkpoint=100).spans_per_checkpoint == 1


@pytest.mark.parametrize("wrong", [{"batch_size": 0}, {"checkpoint": -1}, {"bad_rows": "skip"}, {"engine": "spark"}])
def test_wrong_options_are_errors_that_name_the_field(wrong):
    with pytest.raises(InputError, match=f'field "{next(iter(wrong))}"'):
        StreamOptions(**wrong)
