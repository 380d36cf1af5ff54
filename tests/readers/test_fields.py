"""Which column holds what: known names in any spelling, names of one's own, and an error that lists the columns."""

from __future__ import annotations

import pytest

from vericap.errors import InputError
from vericap.readers.fields import EVERY, KNOWN, Fields, Wanted


@pytest.mark.parametrize("name", ["image_id", "Image ID", "IMAGE-ID", " image_id "])
def test_case_blanks_and_hyphens_do_not_matter(name: str) -> None:
    assert Fields().find("image_id", ["x", name]) == name


def test_the_most_usual_name_goes_first_and_an_exact_one_before_one_spelled_alike() -> None:
    assert Fields().find_all("image_id", ["file_name", "image_id", "Image_ID"]) == ["image_id", "file_name"]
    assert Fields().find("caption", ["x", "y"]) is None
    for role, names in KNOWN.items():
        assert Fields().find(role, reversed(names)) == names[0]


def test_a_name_of_ones_own_is_the_only_one() -> None:
    fields = Fields({"caption": "answer"})
    assert fields.find("caption", ["caption", "answer"]) == "answer" and fields.find("caption", ["caption"]) is None
    assert fields.find("image_id", ["id"]) == "id"
    assert fields.pick("caption", {"caption": 1, "answer": 2}) == "answer"
    assert Fields().pick("label", {"Label": 1}) is None  # one record of very many: exactly as it is known


def test_an_unknown_role_says_which_there_are() -> None:
    with pytest.raises(InputError, match="`captoin` is not a role of a field; choose one of image_id, caption"):
        Fields({"captoin": "x"})


def test_a_missing_column_lists_those_there_are() -> None:
    own = Fields({"caption": "answer"}).missing("caption", ["a", "b"], "t.csv", 3)
    assert (own.source, own.row, own.field) == ("t.csv", 3, "answer") and "the fields are: a, b" in own.problem
    usual = Fields().missing("references", ["a", "b"], "t.csv")
    assert "no field holds the captions; the fields are: a, b" in str(usual) and "references" in str(usual.fix)
    assert "no field holds the image id" in str(Fields().missing("image_id", [], "t.csv"))


def test_captions_of_each_side() -> None:
    names = ["image_id", "prediction", "references"]
    assert Wanted().captions_in(names) == "prediction" and Wanted("references").captions_in(names) == "references"
    assert Wanted().role == "caption" and Wanted("references").role == "references"
    assert "references" in str(Wanted("references").no_captions(["x"], "t.csv").fix)


def test_a_column_that_only_references_have_goes_before_numbered_ones_and_captions() -> None:
    assert Wanted("references").references_in(["id", "captions", "ref1", "refs"]) == ("refs",)
    assert Wanted("references").references_in(["id", "captions", "ref2", "ref1"]) == ("ref1", "ref2")
    assert Wanted("references").references_in(["id", "captions"]) == ("captions",)
    assert Wanted().references_in(["id", "captions"]) == ()  # a row of candidates does not bring these along
    own = Wanted(fields=Fields({"references": "gold_*"}))
    assert own.references_in(["id", "gold_a", "gold_b", "refs"]) == ("gold_a", "gold_b")


def test_the_picture_itself_is_no_id() -> None:
    first = {"image": object(), "filename": "1.jpg", "id": 3.5}.get
    assert Wanted().ids_in(["image", "filename"], first) == "filename"
    assert Wanted().ids_in(["image"], first) is None
    assert Wanted().ids_in(["id"], first) == "id"  # whose error comes later, with its row
    assert Wanted(fields=Fields({"image_id": "image"})).ids_in(["image", "filename"], first) == "image"


def test_columns_that_are_kept() -> None:
    assert Wanted(keep=("b", "x")).kept(["a", "b"]) == ["b"]
    assert Wanted(keep=(EVERY,)).kept(["a", "b"]) == ["a", "b"] and Wanted(keep=(EVERY,)).every
    assert not Wanted().every
