"""Views of a few rows are the same views: what a caption scores does not depend on who else is looked at."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.corpus import Corpus
from vericap.metrics import parse
from vericap.metrics.base import Statistics
from vericap.views import Views

WORDS = ["a", "dog", "cat", "runs", "on", "the", "grass", "red", "22 3/4"]
CAPTION = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
CORPUS = st.lists(st.tuples(CAPTION, st.lists(CAPTION, min_size=1, max_size=3)), min_size=2, max_size=6).map(
    lambda rows: Corpus.from_lists([caption for caption, _ in rows], [references for _, references in rows])
)
TEXT_METRICS = ["bleu-4", "rouge-l", "rouge-su4", "ter", "meteor", "cider", "cider-d", "cider-r", "wmd", "fluency"]


@pytest.mark.parametrize("key", TEXT_METRICS)
@given(corpus=CORPUS, data=st.data())
def test_statistics_of_a_few_rows_are_those_of_the_whole_corpus(key: str, corpus: Corpus, data: st.DataObject) -> None:
    rows = sorted(data.draw(st.sets(st.integers(0, len(corpus) - 1), min_size=1)))
    views = Views(corpus, tokenizer="whitespace")
    metric = parse(key)
    whole, few = views.get(Statistics(metric)), views.rows(rows).get(Statistics(metric))
    assert np.array_equal(few, whole[rows])


@given(corpus=CORPUS)
def test_what_a_large_corpus_does_not_keep_is_the_same_when_it_is_made_again(corpus: Corpus) -> None:
    """Tokens with white space inside are split for BLEU and CIDEr, and whole for ROUGE-L."""
    metrics = [parse(key) for key in ("rouge-l", "bleu-4", "mean(cider-d,cider-r)", "rouge-l(beta=2)", "cider-d")]
    plain = Views(corpus)
    expected = [metric.statistics(plain) for metric in metrics]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vericap.views.views.LARGE", 0)
        large = Views(corpus)
        large.look_at([each for metric in metrics for each in metric.expected_views()])
        found = [metric.statistics(large) for metric in metrics]
        assert all(map(np.array_equal, found, expected))
        assert large.tokens.words == plain.tokens.words
        assert large.tokens.captions.values.tolist() == plain.tokens.captions.values.tolist()
        assert large.ngrams(2).match_pair.tolist() == plain.ngrams(2).match_pair.tolist()
    for workers in (2, 9):
        threaded = Views(corpus, workers=workers)
        threaded.look_at([each for metric in metrics for each in metric.expected_views()])
        assert all(map(np.array_equal, [metric.statistics(threaded) for metric in metrics], expected))


def test_spice_parses_only_the_rows_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    from vericap.scene import caption_graphs

    parsed: list[tuple[str, ...]] = []
    original = caption_graphs.split_sentences

    def remember(words: tuple[str, ...]) -> object:
        parsed.append(tuple(words))
        return original(words)

    monkeypatch.setattr(caption_graphs, "split_sentences", remember)
    corpus = Corpus.from_lists(["a red bus", "two dogs"], [["the bus"], ["a dog"]])
    views = Views(corpus)
    spice = parse("spice(parser=vericap)")
    spice.statistics(views.rows([1]))
    assert sorted(parsed) == [("a", "dog"), ("two", "dogs")]


def test_an_explanation_of_one_row_is_that_of_the_corpus() -> None:
    corpus = Corpus.from_lists(["a red bus", "two dogs run"], [["the bus", "a red bus"], ["a dog", "dogs run fast"]])
    views = Views(corpus)
    for key in ["bleu-2", "cider-d", "cider-r", "meteor", "rouge-l", "ter", "spice", "mean(rouge-l,cider-d)"]:
        metric = parse(key)
        assert metric.explain(views.rows([1]), 0).to_dict() == metric.explain(views, 1).to_dict()


def test_quantiles_of_one_row_are_places_among_all_captions() -> None:
    corpus = Corpus.from_lists(["a dog", "a cat", "a dog runs"], [["a dog runs"], ["the bus"], ["a dog runs"]])
    metric = parse("mean(rouge-l,bleu-1,normalize=quantiles)")
    views = Views(corpus)
    assert metric.explain(views.rows([2]), 0).score == metric.explain(views, 2).score
