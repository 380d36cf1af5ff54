"""The columns: what each row's image and references are, and that some rows are rows of the whole."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import vericap.corpus
from vericap.corpus import Corpus, Objects
from vericap.errors import InputError

TEXT = st.text("abc ", max_size=4)
ROWS = st.lists(st.tuples(TEXT, st.integers(0, 3)), min_size=1, max_size=8)


def corpus_of(rows: list[tuple[str, int]]) -> Corpus:
    """Captions of four images, which have as many references and objects as their number."""
    offsets = np.array([0, 0, 1, 3, 6])
    references = ["one", "two", "too", "three", "tree", "III"]
    objects = Objects(("dog", "cat"), np.array([1, 0, 0, 1, 0, 1]), offsets)
    captions = [caption for caption, _ in rows]
    image = np.array([number for _, number in rows])
    fields = {"source": [f"{number}" for number in range(len(rows))]}
    return Corpus([f"{n}.jpg" for n in image], captions, image, references, offsets, fields, ("read",), objects)


@given(ROWS, st.data())
def test_some_rows_are_rows_of_the_whole(rows: list[tuple[str, int]], data: st.DataObject) -> None:
    whole = corpus_of(rows)
    kept = sorted(data.draw(st.sets(st.integers(0, len(rows) - 1), min_size=1)))
    some = whole.keep(np.array(kept), "a few")
    assert len(some) == len(kept)
    assert some.images == len({rows[row][1] for row in kept})
    assert some.notes == ("read", "a few")
    for here, there in enumerate(kept):
        assert some.candidates[here] == whole.candidates[there]
        assert some.image_ids[here] == whole.image_ids[there]
        assert some.references_of(here) == whole.references_of(there)
        assert some.objects_of(here) == whole.objects_of(there)
        assert some.fields["source"][here] == whole.fields["source"][there]


def test_the_references_of_a_row_are_those_of_its_image() -> None:
    corpus = corpus_of([("a", 3), ("b", 0), ("c", 3), ("d", 1)])
    assert corpus.references_of(0) == corpus.references_of(2) == ["three", "tree", "III"]
    assert corpus.references_of(1) == [] and corpus.references_of(3) == ["one"]
    assert corpus.objects_of(3) == ["cat"] and corpus.objects_of(1) == []


@given(st.lists(st.tuples(TEXT, st.lists(TEXT, max_size=3)), max_size=6))
def test_lists_are_aligned_by_position(images: list[tuple[str, list[str]]]) -> None:
    corpus = Corpus.from_lists([caption for caption, _ in images], [said for _, said in images])
    assert [corpus.references_of(row) for row in range(len(corpus))] == [said for _, said in images]
    assert list(corpus.candidates) == [caption for caption, _ in images]
    assert list(corpus.image_ids) == list(range(len(images)))
    assert corpus.images == len(images)


def test_captions_alone_have_neither_references_nor_objects_nor_regions() -> None:
    corpus = Corpus.from_lists(["a dog"], image_ids=["7.jpg"])
    assert not (corpus.has_references or corpus.has_objects or corpus.has_regions)
    assert corpus.references_of(0) == [] and corpus.objects_of(0) == [] and corpus.images == 0
    assert list(corpus.image_ids) == ["7.jpg"]


def test_columns_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match="2 candidates but 1 lists of references; give one list"):
        Corpus.from_lists(["a", "b"], [["c"]])
    with pytest.raises(InputError, match="2 candidates but 1 image ids"):
        Corpus.from_lists(["a", "b"], image_ids=[1])
    with pytest.raises(InputError, match="offsets do not end"):
        Corpus([1], ["a"], np.array([0]), ["b", "c"], np.array([0, 1]))
    with pytest.raises(InputError, match="objects of 1 images for 2"):
        Corpus([1, 2], ["a", "b"], np.arange(2), objects=Objects(("dog",), np.array([0]), np.array([0, 1])))


def test_every_public_name_is_there_and_no_other() -> None:
    assert all(hasattr(vericap.corpus, name) for name in vericap.corpus.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'Picture'"):
        vericap.corpus.Picture  # noqa: B018
