"""How captioners may be tested, and what a test cannot show."""

from __future__ import annotations

import pytest

from vericap import compare
from vericap.errors import InputError
from vericap.options import settings

ANIMALS = ["dog", "cat", "cow", "pig", "hen", "ox"] * 5
REFERENCES = {k: [f"a {animal} runs on grass"] for k, animal in enumerate(ANIMALS)}
EXACT = {k: given[0] for k, given in REFERENCES.items()}
VAGUE = {k: "an animal runs" if k % 2 else "a dog" for k in REFERENCES}


@pytest.mark.parametrize("options", [{"bootstrap": 0}, {"test": "t"}, {"examples": -1}])
def test_what_cannot_be_is_refused(options):
    with pytest.raises(InputError, match=f'field "{next(iter(options))}"'):
        settings.Tests(**options)
    with pytest.raises(InputError, match=f'field "{next(iter(options))}"'):
        compare({"a": EXACT, "b": VAGUE}, REFERENCES, metrics="rouge-l", **options)


@pytest.mark.parametrize("test, lowest", [("bootstrap", 2 / 51), ("permutation", 1 / 51)])
def test_the_lowest_p_is_a_bound_and_too_few_resamples_are_a_note(test, lowest):
    found = compare({"a": EXACT, "b": VAGUE, "c": VAGUE}, REFERENCES, metrics="rouge-l", test=test, bootstrap=50)
    first, second = found.contrasts["rouge-l"]
    assert first.p == second.p == pytest.approx(lowest)
    assert first.bound and first.corrected == pytest.approx(2 * lowest)
    assert "≤ 0.0" in found.contrast_table()
    assert any("50 resamples cannot show a difference" in note for note in found.notes) == (2 * lowest >= 0.05)


def test_students_t_has_no_such_bound():
    found = compare({"a": EXACT, "b": VAGUE}, REFERENCES, metrics="rouge-l", test="studentised", bootstrap=50)
    [only] = found.contrasts["rouge-l"]
    assert only.p < 1e-6 and not only.bound
    assert "< 0.001" in found.contrast_table() and found.notes == ()


def test_the_same_captions_do_not_differ_by_any_test():
    for test in ("bootstrap", "permutation", "studentised"):
        found = compare({"a": VAGUE, "b": VAGUE}, REFERENCES, metrics="rouge-l", test=test, bootstrap=50)
        assert found.contrasts["rouge-l"][0].p == 1.0, test
