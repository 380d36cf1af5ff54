"""Pictures of a page."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import pytest

from vericap.errors import InputError
from vericap.options.page import PageOptions
from vericap.show.report.pictures import address, link, pictures, small_copy


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    image = pytest.importorskip("PIL.Image", reason="Pillow makes the pictures")
    made = tmp_path / "pictures with spaces"
    made.mkdir()
    image.new("RGB", (640, 320), "red").save(made / "COCO_val2014_000000000042.jpg")
    return made


def test_a_picture_is_found_by_any_spelling_of_its_id_and_a_missing_one_is_noted(folder: Path) -> None:
    found = pictures([42, 43], PageOptions(images=folder, folder=folder.parent))
    assert found.sources == ["pictures%20with%20spaces/COCO_val2014_000000000042.jpg", None]
    assert found.notes == [f"1 of 2 images have no picture in {folder}"]


def test_a_link_starts_from_the_folder_of_the_page(tmp_path: Path) -> None:
    assert link(tmp_path / "a" / "1.jpg", tmp_path / "b") == "../a/1.jpg"
    assert link(tmp_path / "1.jpg", None).startswith("file:///")


def test_a_small_copy_is_inside_the_page_and_knows_the_size_of_the_original(folder: Path) -> None:
    from PIL import Image

    [path] = folder.iterdir()
    source, size = small_copy(path)
    with Image.open(io.BytesIO(base64.b64decode(source.partition(",")[2]))) as copy:
        assert (copy.size, size) == ((320, 160), (640, 320))
    embedded = pictures([42], PageOptions(images=folder, embed_images=True))
    assert embedded.sources[0] == source and embedded.sizes == [size]


def test_a_small_copy_is_upright_as_detectors_see_it(folder: Path) -> None:
    from PIL import Image

    lying = Image.new("RGB", (640, 320), "red")
    exif = lying.getexif()
    exif[0x0112] = 6  # to be turned by a quarter
    lying.save(folder / "43.jpg", exif=exif)
    source, size = small_copy(folder / "43.jpg")
    with Image.open(io.BytesIO(base64.b64decode(source.partition(",")[2]))) as copy:
        assert (copy.size, size) == ((160, 320), (320, 640))


def test_an_id_cannot_leave_its_place_in_an_address() -> None:
    assert address("https://example.org/{id}.jpg", "../x?y#z") == "https://example.org/..%2Fx%3Fy%23z.jpg"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (PageOptions(images="nowhere"), "there is no such folder"),
        (PageOptions(images="https://example.org/a.jpg"), "no {id} in it"),
        (PageOptions(images="https://example.org/{id}.jpg", embed_images=True), "cannot be embedded"),
    ],
)
def test_what_cannot_be_done_is_said(options: PageOptions, says: str) -> None:
    with pytest.raises(InputError, match=says.replace("{", r"\{")):
        pictures([1], options)
