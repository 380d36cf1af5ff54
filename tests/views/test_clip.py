"""Vectors of pictures: found by image id, computed once, kept on disk, and answered for where a picture is broken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.encoders.clip.tiny import image_features, models, picture_files
from vericap.corpus import Corpus, PictureFolder
from vericap.encoders.clip.encoder import ClipEncoder
from vericap.errors import InputError
from vericap.views import Views
from vericap.views.clip import ClipModel, PictureVectors, TextVectors, check_pictures

pytestmark = pytest.mark.torch

SIZES = [(32, 32), (60, 40), (33, 90)]


def model() -> ClipModel:
    return ClipModel(models().paths["hugging-face"])


def corpus_of(folder: Path, ids: list[int | str], **options: object) -> Corpus:
    pictures = PictureFolder(folder, **options)  # type: ignore[arg-type]
    return replace(Corpus.from_lists(["a dog"] * len(ids), image_ids=ids), pictures=pictures)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many pictures each call of the network sees."""
    seen: list[int] = []
    plain = ClipEncoder.pictures

    def pictures(self: ClipEncoder, pixels: list[np.ndarray]) -> np.ndarray:
        seen.append(len(pixels))
        return plain(self, pixels)

    monkeypatch.setattr(ClipEncoder, "pictures", pictures)
    return seen


def test_pictures_are_found_by_id_and_encoded(tmp_path: Path) -> None:
    files = picture_files(tmp_path, SIZES)
    corpus = corpus_of(tmp_path, [3, "1.jpg", "COCO_val2014_000000000002.jpg"])
    found = Views(corpus, workers=2).get(PictureVectors(model()))
    preprocessing = model().encoder().checkpoint.preprocessing
    pixels = np.stack([preprocessing.pixels(np.asarray(Image.open(files[place]))) for place in (2, 0, 1)])
    np.testing.assert_allclose(found, image_features(models().model, pixels), atol=1e-5)


def test_a_picture_with_several_captions_is_seen_once(tmp_path: Path, counted: list[int]) -> None:
    picture_files(tmp_path, SIZES)
    corpus = Corpus([1, 2, 1], ["a", "b", "c"], np.array([0, 1, 0]), pictures=PictureFolder(tmp_path))
    assert Views(corpus).get(PictureVectors(model())).shape == (2, 24) and counted == [2]


def test_what_was_computed_is_kept(tmp_path: Path, counted: list[int]) -> None:
    files = picture_files(tmp_path / "pictures", SIZES)
    corpus = corpus_of(tmp_path / "pictures", [1, 2, 3], cache=tmp_path / "cache")
    first = Views(corpus).get(PictureVectors(model()))
    again = Views(corpus).get(PictureVectors(model()))
    assert counted == [3] and (first == again).all()
    files[1].write_bytes(files[0].read_bytes())  # another picture under the same name
    changed = Views(corpus).get(PictureVectors(model()))
    assert counted == [3] and (changed[1] == first[0]).all()
    Views(corpus).get(PictureVectors(ClipModel(models().paths["open-clip"])))
    assert counted == [3, 3]  # another file of weights


def test_missing_and_broken_pictures(tmp_path: Path) -> None:
    files = picture_files(tmp_path, SIZES)
    files[1].write_bytes(b"not a picture")
    corpus = corpus_of(tmp_path, [1, 2, 9])
    assert corpus.pictures is not None
    with pytest.raises(InputError, match="9"):
        check_pictures(corpus.pictures, corpus.image_ids)
    with pytest.raises(InputError, match=r"2\.png"):
        Views(corpus_of(tmp_path, [1, 2])).get(PictureVectors(model()))
    for missing, expected in (("zero", 0.0), ("drop", np.nan)):
        views = Views(corpus_of(tmp_path, [1, 2, 9], missing=missing))
        found = views.get(PictureVectors(model()))
        assert np.linalg.norm(found[0]) == pytest.approx(1)
        np.testing.assert_array_equal(found[1:], np.full((2, 24), expected))
        assert any("captions of 2 pictures" in note for note in views.notes)
    check_pictures(PictureFolder(tmp_path, missing="drop"), [9])


def test_scores_of_missing_pictures(tmp_path: Path) -> None:
    from vericap import evaluate
    from vericap.options.keys import quote

    picture_files(tmp_path, SIZES[:1])
    key = f"clipscore(model={quote(models().paths['hugging-face'])},w=1)"
    zero = next(iter(evaluate({1: "a dog", 2: "a cat"}, images=tmp_path, metrics=key, missing="zero").values()))
    drop = next(iter(evaluate({1: "a dog", 2: "a cat"}, images=tmp_path, metrics=key, missing="drop").values()))
    assert zero.captions[1] == 0 and np.isnan(drop.captions[1])
    assert zero.score == pytest.approx(drop.score / 2)


def test_texts_of_both_sides(tmp_path: Path) -> None:
    views = Views(Corpus.from_lists(["a dog", "cats"], [["a dog"], ["snow", "cats"]]))
    candidates = views.get(TextVectors(model(), "", "truncate", "candidates"))
    references = views.get(TextVectors(model(), "", "truncate", "references"))
    np.testing.assert_allclose(candidates, references[[0, 2]], atol=1e-6)
    assert references.shape == (3, 24)
