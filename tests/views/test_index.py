"""References indexed once: what is saved is what was built."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.reward.captions import REFERENCES
from vericap.errors import InputError
from vericap.lexicon.frequencies import count
from vericap.metrics.cider import Cider
from vericap.options.inputs import Inputs
from vericap.run.prepare import prepare
from vericap.views.index import IndexedReferences


def test_norms_are_those_of_the_whole_corpus() -> None:
    index = IndexedReferences.build(REFERENCES)
    views = prepare(Inputs(dict.fromkeys(REFERENCES, "a dog"), REFERENCES))
    for order in range(1, 5):
        expected = views.ngrams(order).reference_norm
        np.testing.assert_allclose(index.norms[:, order - 1], expected, rtol=1e-12)
    assert Cider().n == index.order


def test_a_saved_index_is_mapped_and_has_the_same_columns(tmp_path: Path) -> None:
    built = IndexedReferences.build(REFERENCES)
    built.save(tmp_path / "index", {"note": 1})
    loaded = IndexedReferences.load(tmp_path / "index")
    for name, values in built.arrays.items():
        np.testing.assert_array_equal(loaded.arrays[name].view(values.dtype), values)
        assert not loaded.arrays[name].flags.writeable
    assert loaded.ids == list(REFERENCES) and loaded.facts["note"] == 1


def test_images_are_found_by_any_spelling_of_their_id() -> None:
    index = IndexedReferences.build({"COCO_val2014_000000000042.jpg": ["a dog"], "x.jpg": ["a cat"]})
    assert index.rows([42, "42", "x", "x.jpg", np.int64(42)]).tolist() == [0, 0, 1, 1, 0]


@pytest.mark.parametrize("image_id", [8, "dog", 7.5, None])
def test_an_image_without_references_is_named(image_id: object) -> None:
    with pytest.raises(InputError, match="row 1"):
        IndexedReferences.build(REFERENCES).rows([7, image_id])  # type: ignore[list-item]


def test_a_table_without_the_word_that_ends_captions_is_refused() -> None:
    table = count([["a dog"], ["a dog"]], tokenizer="none", name="toy")
    with pytest.raises(InputError, match="do not count the word '<eos>'"):
        IndexedReferences.build(REFERENCES, df=table, tokenizer="none", end="<eos>")


def test_the_word_that_ends_captions_is_in_every_document() -> None:
    """So that it weighs log 1 = 0 by itself, as in the code bases that count it."""
    index = IndexedReferences.build(REFERENCES, end="<eos>")
    assert index.vocabulary[index.words[0][-1]] == "<eos>"
    node = index.arrays["root_weight"][index.end]
    assert index.arrays["weights"][node] == 0


@pytest.mark.parametrize("position", [20, 2000, -1])
def test_a_damaged_file_is_refused(tmp_path: Path, position: int) -> None:
    IndexedReferences.build(REFERENCES).save(tmp_path / "index", {})
    content = bytearray((tmp_path / "index").read_bytes())
    content[position] ^= 0xFF
    (tmp_path / "index").write_bytes(content)
    with pytest.raises(InputError, match="index: "):
        IndexedReferences.load(tmp_path / "index")


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    count([["a dog"], ["a dog"]], name="toy").save(tmp_path / "toy.df")
    with pytest.raises(InputError, match="not an index of references"):
        IndexedReferences.load(tmp_path / "toy.df")


def test_references_are_kept_as_they_are_written_where_asked_for():
    given = {1: ["A dog.", "The  dög!"], 2: ["", "One Cat"]}
    index = IndexedReferences.build(given, texts=True)
    assert index.has_texts and not IndexedReferences.build(given).has_texts
    assert [index.text(row) for row in range(4)] == ["A dog.", "The  dög!", "", "One Cat"]
