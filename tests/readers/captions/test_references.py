"""References of one or several sources, grouped by image."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.corpus import ImageId
from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.captions.references import group

ROW = st.tuples(st.sampled_from([7, 8, "a.jpg", "b.jpg"]), st.text("xyz", max_size=3))
SOURCES = st.lists(st.lists(ROW, min_size=1, max_size=6), min_size=1, max_size=3)


def captions(rows: list[tuple[ImageId, str]], source: str = "given") -> Captions:
    return Captions(source, [text for _, text in rows], [image for image, _ in rows], records=len(rows))


@given(SOURCES, st.data())
def test_an_image_has_its_references_in_the_order_of_the_sources(
    sources: list[list[tuple[ImageId, str]]], data: st.DataObject
) -> None:
    found = group([captions(rows) for rows in sources])
    expected: dict[ImageId, list[str]] = {}
    for rows in sources:
        for image, text in rows:
            expected.setdefault(image, []).append(text)
    assert list(found.ids or ()) == list(expected) and found.images == len(expected)
    order = data.draw(st.permutations(range(-1, found.images)))
    chosen = [place for place in order if place >= 0]
    texts, offsets = found.of_images(np.array(chosen, np.int64))
    grouped = [list(texts[first:last]) for first, last in itertools.pairwise(offsets)]
    assert grouped == [expected[list(expected)[place]] for place in chosen]


def test_an_image_that_is_not_there_has_no_references() -> None:
    found = group([captions([(7, "x"), (8, "y")])])
    texts, offsets = found.of_images(np.array([1, -1, 0]))
    assert (list(texts), offsets.tolist()) == (["y", "x"], [0, 1, 1, 2])


def test_an_image_is_named_where_it_occurs_first() -> None:
    found = group([captions([(7, "x"), (7, "y"), (8, "z")], "one.json"), captions([(8, "u"), (9, "v")], "two.json")])
    assert [found.named_images.place(image) for image in range(3)] == [
        ("one.json", 1),
        ("one.json", 3),
        ("two.json", 2),
    ]
    assert found.source == "one.json, two.json"


def test_lists_of_references_belong_to_their_record() -> None:
    rows = Captions("given", ["x", "y", "z"], [7, 8], np.array([0, 0, 1]), 2)
    assert group([rows]).image.tolist() == [0, 0, 1]


def test_without_ids_rows_are_aligned_by_position() -> None:
    found = group([Captions("ref-0", ["a", "b"], records=2), Captions("ref-1", ["c", "d"], records=2)])
    assert found.ids is None and found.images == 2 and found.image.tolist() == [0, 1, 0, 1]
    with pytest.raises(InputError, match="it has 1 rows, but ref-0 has 2") as error:
        group([Captions("ref-0", ["a", "b"], records=2), Captions("ref-1", ["c"], records=1)])
    assert error.value.source == "ref-1"


def test_sources_with_and_without_ids_do_not_mix() -> None:
    with pytest.raises(InputError, match="it has no image ids, but other references have them") as error:
        group([captions([(7, "x")]), Captions("ref-1", ["a"], records=1)])
    assert error.value.source == "ref-1"


def test_a_number_and_the_same_number_as_text_are_refused() -> None:
    with pytest.raises(InputError, match=r"row 1 of one\.json.*row 1 of two\.json"):
        group([captions([(7, "x")], "one.json"), captions([("7", "y")], "two.json")])


def test_fields_are_those_of_an_images_first_record_and_of_all_sources() -> None:
    one = Captions("one", ["x", "y"], [7, 7], records=2, fields={"domain": ["in", "out"]})
    two = Captions("two", ["z"], [8], records=1, fields={"domain": ["near"]})
    assert group([one, two]).fields == {"domain": ["in", "near"]}
    with pytest.raises(InputError, match="the field is not there, but other references have it") as error:
        group([one, Captions("two", ["z"], [8], records=1)])
    assert (error.value.source, error.value.field) == ("two", "domain")
