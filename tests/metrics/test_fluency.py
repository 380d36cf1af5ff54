"""Fluency tells a caption from the same words said badly, and says where."""

from __future__ import annotations

import json

import numpy as np
import pytest

from vericap import evaluate, explain
from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.lexicon.language_model import COCO, train
from vericap.metrics import parse
from vericap.metrics.fluency import Fluency
from vericap.text.tokenizers import tokenizer
from vericap.views import Views

ARTICLES_AND_PREPOSITIONS = frozenset(
    "a an the about above across after against along among around as at before behind below beneath beside besides "
    "between beyond by down during for from in inside into near of off on onto opposite out outside over past through "
    "to toward towards under underneath up upon with within without".split()
)


def scores(captions: list[str], metric: Fluency | None = None) -> np.ndarray:
    metric = metric or Fluency()
    return metric.score(metric.statistics(Views(Corpus.from_lists(captions), tokenizer="whitespace")))


@pytest.fixture(scope="module")
def val2017(data) -> list[list[str]]:
    """2,000 captions of COCO val2017, none of them in train2014, as words."""
    annotations = json.loads((data / "coco_val2017" / "captions_val2017.json").read_text("utf-8"))["annotations"]
    vocabulary: dict[str, int] = {}
    ids = tokenizer("ptb")([row["caption"] for row in annotations], vocabulary)
    words = list(vocabulary)
    captions = [[words[i] for i in row] for row in ids]
    usable = [c for c in captions if len(set(c)) > 1 and ARTICLES_AND_PREPOSITIONS & set(c)]
    chosen = np.random.default_rng(0).choice(len(usable), 2000, replace=False)
    return [usable[i] for i in chosen]


def doubled(words: list[str], random: np.random.Generator) -> list[str]:
    at = random.integers(len(words))
    return [*words[: at + 1], *words[at:]]


def shuffled(words: list[str], random: np.random.Generator) -> list[str]:
    while (order := random.permutation(len(words)).tolist()) and [words[i] for i in order] == words:
        pass
    return [words[i] for i in order]


def stripped(words: list[str], random: np.random.Generator) -> list[str]:
    return [word for word in words if word not in ARTICLES_AND_PREPOSITIONS]


@pytest.mark.parametrize("scale", ["probability", "slor"])
@pytest.mark.parametrize("spoil, bar", [(doubled, 0.95), (shuffled, 0.98), (stripped, 0.90)])
def test_a_spoilt_caption_scores_below_the_original(val2017, spoil, bar, scale):
    random = np.random.default_rng(1)
    metric = Fluency(scale=scale)
    original = scores([" ".join(words) for words in val2017], metric)
    worse = scores([" ".join(spoil(words, random)) for words in val2017], metric)
    assert (worse < original).mean() >= bar


def test_the_model_knows_captions_it_has_not_seen(val2017):
    metric = Fluency()
    statistics = metric.statistics(
        Views(Corpus.from_lists([" ".join(words) for words in val2017]), tokenizer="whitespace")
    )
    # A 5-gram model of COCO gives held-out captions a perplexity of 20 to 30; nobody's gives below 10.
    assert 10 < metric.details(statistics)["perplexity"] < 30


def test_the_score_is_one_over_the_perplexity_of_the_caption():
    metric = Fluency()
    views = Views(Corpus.from_lists(["a man riding a wave on top of a surfboard"]))
    statistics = metric.statistics(views)
    perplexity = float(metric.explain(views, 0).values["perplexity"])
    assert (
        metric.score(statistics)[0]
        == pytest.approx(1 / perplexity)
        == pytest.approx(1 / metric.details(statistics)["perplexity"])
    )
    assert statistics[0, 2] == 11  # ten words and the end


@pytest.mark.parametrize("caption", ["", "zzyzx", "zzyzx " * 10_000, "🙂 🙂", "</s> <s> <unk>", "كلب يجري"])
@pytest.mark.parametrize("scale", ["probability", "slor"])
def test_whatever_the_caption_the_score_is_between_0_and_1_and_low(caption, scale):
    [score] = evaluate([caption], metrics=f"fluency(scale={scale})")[parse(f"fluency(scale={scale})").key].captions
    assert 0 < score < 1
    assert score < scores(["a dog runs on the beach"], Fluency(scale=scale))[0]


def test_it_needs_nothing_but_captions_and_joins_all():
    result = evaluate(["a dog runs", "dog a runs"], metrics="all")
    assert list(result) == ["fluency"] and result["fluency"].captions[0] > result["fluency"].captions[1]
    assert "model:train2014@" in result["fluency"].signature


def test_explain_shows_the_surprising_word_and_what_was_expected():
    [why] = explain({1: "a man riding a wave on a bananas"}, image_id=1, metrics="fluency")
    first, *_ = why.sections["surprising words"]
    assert first.text == "bananas" and "surfboard" in str(first.values["expected"])
    assert [part.text for part in why.sections["words"]] == "a man riding a wave on a bananas (end)".split()


def test_another_language_or_tokenizer_is_refused():
    with pytest.raises(InputError, match="has a model of captions in 'en'"):
        evaluate(["ein Hund"], metrics="fluency", language="de")
    with pytest.raises(InputError, match="has a model of words by ptb"):
        evaluate(["a dog"], metrics="fluency", tokenizer="unicode")
    with pytest.raises(InputError, match="scale"):
        parse("fluency(scale=bits)")
    with pytest.raises(InputError, match="cannot be read"):
        evaluate(["a dog"], metrics="fluency(model=nowhere.lm)")


def test_a_model_of_ones_own(tmp_path):
    captions = ["ein Hund läuft", "ein Hund schläft", "eine Katze schläft", "ein Hund läuft"]
    train(captions, name="german", tokenizer="unicode", language="de", order=3).save(tmp_path / "de.lm")
    key = f"fluency(model={tmp_path}/de.lm)"
    result = evaluate(["ein Hund läuft", "läuft Hund ein"], metrics=key, tokenizer="unicode", language="de")[
        parse(key).key
    ]
    assert result.captions[0] > 3 * result.captions[1] and "model:german@" in result.signature


def test_what_ships_is_small():
    assert COCO.stat().st_size <= 8_000_000


def test_a_combination_with_fluency_needs_what_the_others_need():
    assert parse("mean(fluency,rouge-l)").needs == ("references",) and parse("mean(fluency)").needs == ()
