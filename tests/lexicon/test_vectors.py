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


TABLE = {"dog": [1.0, 0.5, -2.0], "cat": [0.0, 3.0, 4.0], "New York": [1.0, 1.0, 1.0]}


def write_binary(path: Path, *, line_breaks: bool) -> Path:
    rows = [word.replace(" ", "_").encode() + b" " + np.array(v, "<f4").tobytes() for word, v in TABLE.items()]
    path.write_bytes(b"3 3\n" + b"".join(row + (b"\n" if line_breaks else b"") for row in rows))
    return path


def write_text(path: Path, header: str) -> Path:
    path.write_text(header + "".join(f"{word} {' '.join(map(str, v))}\n" for word, v in TABLE.items()), "utf-8")
    return path


def write_array(path: Path) -> Path:
    np.save(path, np.array(list(TABLE.values()), np.float32))
    path.with_suffix(".vocab").write_text("\n".join(TABLE) + "\n", "utf-8")
    return path


@pytest.mark.parametrize("form", ["word2vec", "gensim", "glove", "fasttext", "numpy"])
def test_files_people_have(form: str, tmp_path: Path) -> None:
    path = {
        "word2vec": lambda: write_binary(tmp_path / "v.bin", line_breaks=True),
        "gensim": lambda: write_binary(tmp_path / "v.bin", line_breaks=False),
        "glove": lambda: write_text(tmp_path / "v.txt", ""),
        "fasttext": lambda: write_text(tmp_path / "v.vec", "3 3\n"),
        "numpy": lambda: write_array(tmp_path / "v.npy"),
    }[form]()
    vectors = resolve(path)
    table, known = vectors.of(["cat", "Dog", "bird"], normalised=False)
    assert table.tolist() == [TABLE["cat"], TABLE["dog"], [0, 0, 0]] and known.tolist() == [True, True, False]
    assert vectors.of(["cat"])[0].tolist() == [[0.0, 0.6, 0.8]]
    assert len(vectors) == 3 and len(vectors.digest) == 12


def test_gensim_reads_and_writes_the_same(tmp_path: Path) -> None:
    gensim = pytest.importorskip("gensim.models")
    keyed = gensim.KeyedVectors(150)
    words = ["dog", "cat", "surfboard"]
    keyed.add_vectors(words, shipped().of(words)[0].astype(np.float32))
    for name, binary in (("v.bin", True), ("v.txt", False)):
        keyed.save_word2vec_format(tmp_path / name, binary=binary)
        assert np.allclose(resolve(tmp_path / name).of(words)[0], keyed.get_normed_vectors(), atol=1e-6)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it is empty"),
        (b"3 3\ndog \xff\xff\xff\xff", "3 words of 3 numbers, which do not fit into 12 bytes"),
        (b"only words here\n", "its first row is not a word and numbers"),
    ],
)
def test_wrong_files_are_named(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "v.bin").write_bytes(content)
    with pytest.raises(InputError, match=message):
        resolve(tmp_path / "v.bin")


def test_a_short_row_is_named_when_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("dog 1 2 3\ncat 1 x 3\n")
    with pytest.raises(InputError, match="has not 3 numbers"):
        resolve(tmp_path / "v.txt").of(["cat"])
    (tmp_path / "n.txt").write_text("dog 1 2\ncat nan 3\n")
    with pytest.raises(InputError, match="the vector of 'cat' has NaN"):
        resolve(tmp_path / "n.txt").of(["cat"])


def test_an_array_needs_its_vocabulary(tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", np.ones((2, 3)))
    with pytest.raises(InputError, match="no vocabulary lies beside it"):
        resolve(tmp_path / "v.npy")
    (tmp_path / "v.vocab").write_text("dog\n")
    with pytest.raises(InputError, match="has 1 words"):
        resolve(tmp_path / "v.npy")
    with pytest.raises(InputError, match="cannot be read"):
        resolve(tmp_path / "nothing.bin")
