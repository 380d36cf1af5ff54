"""Plain text, CSV, TSV and Flickr8k's own format."""

from __future__ import annotations

from pathlib import Path

import pytest

from vericap.errors import InputError
from vericap.readers.captions.caption_tables import delimiter_of, read_table
from vericap.readers.captions.caption_text import FLICKR, read_flickr, read_text
from vericap.readers.fields import Fields, Wanted
from vericap.readers.files import File


def written(path: Path, text: str) -> File:
    path.write_bytes(text.encode())
    return File(path)


def test_a_line_is_a_caption(tmp_path: Path) -> None:
    found = read_text(written(tmp_path / "t", "a dog\r\n\n a\u2028cat \n"), Wanted())
    assert found.captions == ["a dog", "", " a\u2028cat "] and found.ids is None


@pytest.mark.parametrize(
    ("header", "extension", "delimiter"),
    [
        ("image_id,caption", "", ","),
        ("id;text;score", ".txt", ";"),
        ("file_name\tcaption", "", "\t"),
        ("a dog, running", ".txt", None),  # no header: a caption with a comma
        ("caption,score", "", None),  # no image ids
        ("caption", ".csv", ","),
        ("a;b;c,d", ".csv", ";"),
        ("anything", ".tsv", "\t"),
        ("anything", ".tab", "\t"),
    ],
)
def test_a_table_is_told_by_its_header_or_its_name(header: str, extension: str, delimiter: str | None) -> None:
    assert delimiter_of(header, Wanted(), extension) == delimiter


def test_a_header_with_names_of_ones_own() -> None:
    fields = Fields({"caption": "words", "image_id": "photo"})
    assert delimiter_of("photo,words", Wanted(fields=fields), "") == ","
    assert delimiter_of("photo,words", Wanted(), "") is None


def test_columns_of_a_table(tmp_path: Path) -> None:
    file = written(tmp_path / "t.csv", 'image_id,caption,score\n42,"a dog, running",1\n7,a cat,2\n')
    found = read_table(file, Wanted(keep=("score",)))
    assert (found.ids, found.captions, found.fields) == (
        ["42", "7"],
        ["a dog, running", "a cat"],
        {"score": ["1", "2"]},
    )


def test_references_of_a_table_may_be_lists_of_json(tmp_path: Path) -> None:
    lists = written(tmp_path / "t.csv", 'id,references\n1,"[""a dog"", ""one dog""]"\n2,"[""a cat""]"\n')
    assert read_table(lists, Wanted("references")).captions == ["a dog", "one dog", "a cat"]
    texts = written(tmp_path / "t.csv", 'id,references\n1,"[""a dog"", ""one dog""]"\n2,[UNK] cat\n')
    assert read_table(texts, Wanted("references")).captions == ['["a dog", "one dog"]', "[UNK] cat"]


def test_flickrs_own_format(tmp_path: Path) -> None:
    file = written(tmp_path / "t", "1.jpg#0\tA child .\n2258277193_586949ec62.jpg.1#4\tA\tdog .\n")
    assert FLICKR.recognises(file, Wanted())
    for text in ("A child .", "1.jpg\tA child ."):
        assert not FLICKR.recognises(written(tmp_path / "other", text), Wanted())
    found = read_flickr(file, Wanted("references"))
    assert found.ids == ["1.jpg", "2258277193_586949ec62.jpg.1"] and found.captions == ["A child .", "A\tdog ."]


def test_what_is_wrong_names_file_and_row(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a picture's name, #, a number, a tab and a caption") as error:
        read_flickr(written(tmp_path / "t", "1.jpg#0\tA child .\nA dog .\n"), Wanted())
    assert (error.value.source, error.value.row) == (str(tmp_path / "t"), 2)
    with pytest.raises(InputError, match="no field holds the captions; the fields are: image_id, words"):
        read_table(written(tmp_path / "t.csv", "image_id,words\n1,a\n"), Wanted())
    with pytest.raises(InputError, match="the row has 3 fields") as error:
        read_table(written(tmp_path / "t.csv", "image_id,caption\n1,a dog, running\n"), Wanted())
    assert error.value.row == 1
