"""Word vectors: what ships knows the words of captions and object classes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vericap.errors import InputError
from vericap.lexicon.vectors import SHIPPED, resolve, shipped
from vericap.readers.objects.labels import COCO_CATEGORIES, VOC_WORDS


def test_what_ships_fits_and_stays_on_the_disk() -> None:
    assert SHIPPED.stat().st_size <= 12_000_000
    vectors = shipped()
    table, known = vectors.of(["dog"])
    assert table.shape == (1, vectors.dimensions) and known.all()
    assert isinstance(vectors.hashes.base, np.memmap) or not vectors.hashes.flags.owndata


def test_every_class_of_coco_and_voc_has_a_vector() -> None:
    labels = [*COCO_CATEGORIES.values(), *VOC_WORDS.values()]
    parts = [word for label in labels for word in label.split()]
    assert (shipped().rows(parts) >= 0).all()


@pytest.mark.parametrize(
    ("word", "near", "far"),
    [("couch", "sofa", "cow"), ("puppy", "dog", "pizza"), ("woman", "person", "truck"), ("jet", "airplane", "cup")],
)
def test_words_for_the_same_thing_are_near(word: str, near: str, far: str) -> None:
    table, _ = shipped().of([word, near, far])
    assert table[0] @ table[1] > table[0] @ table[2] + 0.3


def test_phrases_are_means_of_their_known_words() -> None:
    table, known = shipped().of(["fire hydrant", "fire", "hydrant", "fire xyzzyx", "xyzzyx"])
    middle = table[1] + table[2]
    assert np.allclose(table[0], middle / np.linalg.norm(middle))
    assert np.array_equal(table[3], table[1])
    assert known.tolist() == [True, True, True, True, False] and not table[4].any()


def test_gensim_reads_and_writes_the_same(tmp_path: Path) -> None:
    gensim = pytest.importorskip("gensim.models")
    keyed = gensim.KeyedVectors(150)
    words = ["dog", "cat", "surfboard"]
    keyed.add_vectors(words, shipped().of(words)[0].astype(np.float32))
    for name, binary in (("v.bin", True), ("v.txt", False)):
        keyed.save_word2vec_format(tmp_path / name, binary=binary)
        assert np.allclose(resolve(tmp_path / name).of(words)[0], keyed.get_normed_vectors(), atol=1e-6)


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    path.write_text("dog 1 0.5 -2\ncat 0 3 4\n")
    vectors = resolve(path)
    table, known = vectors.of(["cat", "Dog", "bird"], normalised=False)
    assert table.tolist() == [[0, 3, 4], [1, 0.5, -2], [0, 0, 0]] and known.tolist() == [True, True, False]
    assert vectors.of(["cat"])[0].tolist() == [[0.0, 0.6, 0.8]]
    assert len(vectors) == 2 and len(vectors.digest) == 12


def test_a_vector_with_nan_is_refused_when_its_word_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "n.txt").write_text("dog 1 2\ncat nan 3\n")
    assert resolve(tmp_path / "n.txt").of(["dog"])[1].all()
    with pytest.raises(InputError, match="the vector of 'cat' has NaN"):
        resolve(tmp_path / "n.txt").of(["cat"])
