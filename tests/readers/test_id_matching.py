"""Which image of one source is which of another: equal ids first, then told file names, then the spelling."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.corpus import Corpus, ImageId, IntegerColumn
from vericap.errors import InputError
from vericap.readers.id_matching import Images, distinct_ids, images_of, match_images, refuse_two_types

SPELLINGS = [str, "{:012d}".format, "COCO_val2014_{:012d}.jpg".format, "val/{}.png".format, int]


def images(ids: list[ImageId], source: str = "theirs.json", **aliases: ImageId) -> Images:
    return Images(ids, lambda image: (source, image + 1), {f"{name}.jpg": image for name, image in aliases.items()})


@given(st.lists(st.integers(0, 99), unique=True, max_size=8), st.data())
def test_any_spelling_finds_its_image(numbers: list[int], data: st.DataObject) -> None:
    theirs = [data.draw(st.sampled_from(SPELLINGS))(number) for number in numbers]
    order = data.draw(st.permutations(range(len(numbers))))
    ours = [data.draw(st.sampled_from(SPELLINGS))(numbers[place]) for place in order]
    assert match_images(images(ours), images(theirs)).tolist() == list(order)
    assert match_images(images([*ours, "elsewhere"]), images(theirs)).tolist() == [*order, -1]


def test_equal_ids_go_before_equal_spellings() -> None:
    assert match_images(images(["1.jpg", "1.png"]), images(["1.png", "1.jpg"])).tolist() == [1, 0]


def test_told_file_names_go_before_spellings() -> None:
    """In Flickr30k as COCO JSON, picture 36979.jpg has the id 17, and some other picture the id 36979."""
    theirs = Images([17, 36979], lambda image: ("c.json", image + 1), {"36979.jpg": 17})
    assert match_images(images(["36979.jpg"]), theirs).tolist() == [0]
    assert match_images(images([36979]), theirs).tolist() == [1]
    with pytest.raises(InputError, match=r"image '36979' may be 17 \(row 1 of c\.json\) or 36979 \(row 2"):
        match_images(images(["36979"], "ours.json"), theirs)


def test_two_of_ours_that_are_one_of_theirs_are_refused_with_both_rows() -> None:
    with pytest.raises(InputError, match=r"image '042' is the same as '42\.jpg' in row 1") as error:
        match_images(images(["42.jpg", "042"], "ours.json"), images([42]))
    assert (error.value.source, error.value.row) == ("ours.json", 2) and error.value.fix


def test_a_number_and_the_same_number_as_a_string_are_refused() -> None:
    with pytest.raises(InputError, match=r'7 is a number in row 1 of theirs\.json, and the string "7" in row 3'):
        refuse_two_types(images([7, "8", "7"]))
    refuse_two_types(images([7, "8"]))


@given(st.lists(st.sampled_from([7, "7", "a.jpg", 8])))
def test_ids_are_numbered_in_the_order_of_their_first_appearance(ids: list[ImageId]) -> None:
    number, distinct, first = distinct_ids(ids)
    assert [distinct[image] for image in number.tolist()] == ids
    assert distinct == list(dict.fromkeys(ids))
    assert first.tolist() == [ids.index(image_id) for image_id in distinct]


def test_the_images_of_a_corpus_are_named_by_their_first_row() -> None:
    corpus = Corpus(["b", "a", "b"], ["x", "y", "z"], np.array([1, 0, 1]))
    found = images_of(corpus, "results.json")
    assert list(found.ids) == ["a", "b"]
    assert found.place(0) == ("results.json", 2) and found.where(1) == "row 1 of results.json"


# Close together, or as far apart as 64 bits allow.
NUMBERS = st.lists(st.integers(-5, 40) | st.sampled_from([-(2**63), 2**63 - 1]), min_size=1)


@given(NUMBERS)
def test_numbers_are_counted_in_the_order_of_their_first_appearance(ids: list[int]) -> None:
    number, distinct, first = distinct_ids(IntegerColumn(np.array(ids)))
    assert list(distinct) == list(dict.fromkeys(ids))
    assert [distinct[image] for image in number.tolist()] == ids
    assert first.tolist() == [ids.index(image_id) for image_id in distinct]


@given(NUMBERS, NUMBERS.map(set).map(list))
def test_numbers_are_matched_as_the_same_ids_in_a_list_are(ours: list[int], theirs: list[int]) -> None:
    ours = list(dict.fromkeys(ours))
    columns = [Images(IntegerColumn(np.array(ids)), lambda image: ("x", image)) for ids in (ours, theirs)]
    lists = [Images(ids, lambda image: ("x", image)) for ids in (ours, theirs)]
    assert match_images(*columns).tolist() == match_images(*lists).tolist()
