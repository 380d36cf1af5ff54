"""Whatever bytes come, a reader gives captions or an error that explains; whatever captions come, no row shifts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from tests.readers.captions.caption_writers import FILES, OBJECTS
from vericap.errors import InputError
from vericap.readers import load, read_captions, read_references

BREAKS = "\r\n\t\x0b\x0c\x1c\x85\u2028\u2029\ufeff\u200f\"',;{}[]\\#\u0301🐕אبé "
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXT = st.text(st.sampled_from(BREAKS) | CHARACTERS, max_size=20)
CAPTIONS = st.lists(TEXT, min_size=1, max_size=6)
NAMES = ["f", "f.json", "f.jsonl", "f.csv", "f.tsv", "f.txt", "f.parquet", "f.gz", "f.zst"]
quick = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)

MARKS = [
    b"[", b"]", b"{", b"}", b'"', b":", b",", b"\n", b"\r", b"\t", b"1", b"null", b"NaN", b"\\", b"caption",
    b"image_id", b'"caption"', b'"image_id"', b'"annotations"', b'"images"', b"\xef\xbb\xbf", b"\xff\xfe",
    b"\x1f\x8b\x08", b"PAR1", b"\x28\xb5\x2f\xfd", b"\x80\x04", b"\xe9", b"\0", b"a.jpg#0\t",
    b"image_id,caption\n", b"id\tcaption\n",
]  # fmt: skip
BYTES = st.binary(max_size=60) | st.lists(st.sampled_from(MARKS), max_size=25).map(b"".join)


@pytest.mark.parametrize("name", NAMES)
@given(data=BYTES)
@quick
def test_any_bytes_give_captions_or_an_error(name: str, data: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    for read in (read_captions, read_references, load, lambda p: load(p, p, repeated="keep")):
        try:
            read(path)
        except InputError as error:
            assert "\n" not in str(error)


@pytest.mark.parametrize("name", FILES)
@given(captions=CAPTIONS, place=st.integers(0, 1 << 20), damage=st.binary(max_size=3), cut=st.integers(0, 3))
@quick
def test_damaged_files_give_captions_or_an_error(
    name: str, captions: list[str], place: int, damage: bytes, cut: int, tmp_path: Path
) -> None:
    data = FILES[name](list(enumerate(captions)))
    place %= len(data) + 1
    path = tmp_path / name
    path.write_bytes(data[:place] + damage + data[place + cut :])
    try:
        read_captions(path)
    except InputError as error:
        assert str(path) in str(error)


@pytest.mark.parametrize("name", FILES)
@given(captions=CAPTIONS)
@example(captions=["a\r", "\r\n", "\n", "\u2028", '"', "", "\\", "\ufeff"])
@quick
def test_captions_come_back_from_every_file(name: str, captions: list[str], tmp_path: Path) -> None:
    path = tmp_path / name
    if name == "unix.csv":  # a field that ends with \r and is not quoted ends with a line break like any other
        captions = [caption.rstrip("\r") for caption in captions]
    path.write_bytes(FILES[name](list(enumerate(captions))))
    read = read_captions(path)
    assert read.captions == captions
    assert [int(image_id) for image_id in read.ids or ()] == list(range(len(captions)))


@pytest.mark.parametrize("name", OBJECTS)
@given(captions=CAPTIONS)
@quick
def test_captions_come_back_from_every_object(name: str, captions: list[str]) -> None:
    assert read_captions(OBJECTS[name](list(enumerate(captions)))).captions == captions


@given(captions=CAPTIONS, line_break=st.sampled_from(["\n", "\r\n"]), last=st.booleans())
@quick
def test_captions_come_back_from_plain_text(captions: list[str], line_break: str, last: bool, tmp_path: Path) -> None:
    captions = [caption.replace("\n", " ").rstrip("\r") for caption in captions]
    assume(last or captions[-1])
    path = tmp_path / "captions.txt"
    content = (line_break.join(captions) + (line_break if last else "")).encode()
    assume(
        content and not content.startswith((b"\xef\xbb\xbf", b"{", b"[", b" ", b"\t", b"\r")) and b"#" not in content
    )
    path.write_bytes(content)
    assert read_captions(path).captions == captions


@given(st.lists(st.lists(TEXT, min_size=1, max_size=4), min_size=1, max_size=5), st.randoms())
@quick
def test_references_come_back_in_the_order_of_the_candidates(groups: list[list[str]], random: object) -> None:
    images = list(range(len(groups)))
    random.shuffle(images)  # type: ignore[attr-defined]
    rows = [{"image_id": i, "caption": caption} for i in range(len(groups)) for caption in groups[i]]
    random.shuffle(rows)  # type: ignore[attr-defined]
    corpus = load(dict.fromkeys(images, "a dog"), rows)
    for row, image in enumerate(images):
        assert corpus.references_of(row) == [r["caption"] for r in rows if r["image_id"] == image]
