"""CIDEr-D with a table of document frequencies is the original's CIDEr-D when the table counts the same references."""

import numpy as np
import pytest

from vericap.lexicon.frequencies import count, load
from vericap.metrics.cider_d import CiderD
from vericap.views import Views


@pytest.mark.parametrize("name", ["fakecap1000", "k5k_nn", "pascal1000"])
def test_cider_d_with_the_corpus_s_own_table_saved_and_loaded(name, data, tokenized, tmp_path):
    corpus = tokenized(name)
    references = [corpus.references_of(row) for row in range(len(corpus))]
    count(references, tokenizer="none", name=name).save(tmp_path / "own.df")
    metric = CiderD()
    with_table = metric.score(metric.statistics(Views(corpus, tokenizer="none", frequencies=load(tmp_path / "own.df"))))
    of_corpus = metric.score(metric.statistics(Views(corpus, tokenizer="none")))
    original = np.load(data / "oracle" / "coco" / f"{name}.npz")["cider"]
    assert np.abs(with_table - of_corpus).max() <= 1e-12
    assert np.abs(with_table - original).max() <= 1e-9
