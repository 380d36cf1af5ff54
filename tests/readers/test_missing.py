"""Captions whose image a file does not name: refused, left out, or kept, and a note says which."""

from __future__ import annotations

import numpy as np
import pytest

from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.readers.id_matching import without

CORPUS = Corpus.from_lists(["a dog", "a cat", "a cow"], [["dog"], ["cat"], ["cow"]], [7, "b.jpg", 9])
LACKING = np.array([True, False, True])


def test_an_error_names_the_first_and_how_many_more() -> None:
    with pytest.raises(InputError, match=r"image 7 \(and 1 more\) is not in the objects") as error:
        without(CORPUS, LACKING, "error", "objects", "objects.json")
    assert error.value.source == "objects.json" and "drop" in str(error.value.fix) and "zero" in str(error.value.fix)
    with pytest.raises(InputError, match=r"image 'b\.jpg' is not in the regions"):
        without(CORPUS, ~LACKING, "error", "regions", "regions.npz")


def test_left_out_with_a_note_that_names_them() -> None:
    dropped = without(CORPUS, LACKING, "drop", "objects", "objects.json")
    assert list(dropped.candidates) == ["a cat"] and dropped.references_of(0) == ["cat"]
    assert dropped.notes == ("2 candidates without objects left out: 7, 9",)
    with pytest.raises(InputError, match="no image of the candidates has objects in it") as error:
        without(CORPUS, np.ones(3, bool), "drop", "objects", "objects.json")
    assert error.value.source == "objects.json"


@pytest.mark.parametrize(("what", "how"), [("references", "at 0 where a metric compares"), ("objects", "show nothing")])
def test_kept_with_a_note_that_says_what_they_count_as(what: str, how: str) -> None:
    kept = without(CORPUS, LACKING, "zero", what, "file.json")
    assert list(kept.candidates) == list(CORPUS.candidates)
    [note] = kept.notes
    assert note.startswith(f"2 candidates without {what} kept") and how in note and note.endswith("7, 9")
