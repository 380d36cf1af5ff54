"""What is true of METEOR whatever the captions: words of one meaning match, order matters, odd input has a value."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vericap import evaluate, explain
from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.metrics.meteor import MOST_MATCHES, Meteor
from vericap.views import Views

WORDS = ["a", "the", "dog", "dogs", "hound", "runs", "running", "in front of", "before", "street", "road", "is", "eu"]
captions = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)


def meteor(caption: str, *references: str, metric: Meteor | None = None) -> float:
    metric = metric or Meteor()
    views = Views(Corpus.from_lists([caption], [references]), tokenizer="none")
    return float(metric.score(metric.statistics(views))[0])


def matched_by(caption: str, reference: str) -> set[str]:
    [why] = explain({1: caption}, {1: [reference]}, image_id=1, metrics="meteor", tokenizer="none")
    return {str(part.values["by"]) for part in why.sections["matches"]}


def test_each_matcher_finds_its_words():
    assert matched_by("dog", "dog") == {"exact"}
    assert matched_by("photoshopped", "photoshopping") == {"stem"}
    assert matched_by("hound", "dog") == {"synonym"}
    assert matched_by("in front of", "before") == {"paraphrase"}
    assert matched_by("dog", "street") == set()


def test_irregular_forms_have_the_synsets_of_their_lemmas():
    assert matched_by("is", "exist") == {"synonym"}  # to be
    assert matched_by("axes", "bloc") == {"synonym"}  # axis


def test_words_that_match_in_two_ways_are_left_out_at_the_end():
    """In the search a match of one word that is not exact adds nothing, but opens a chunk: only where no other match
    competes, and the search has no say, is it taken. The jar gives 0, too."""
    assert meteor("hound", "dog") == pytest.approx(0.8)
    assert meteor("running", "runs") == 0  # by stem, by synonym and by paraphrase


def test_scrambled_words_are_fragmented():
    assert meteor("a dog runs on grass", "a dog runs on grass") == 1
    assert 0 < meteor("grass on runs dog a", "a dog runs on grass") < 0.5


def test_the_best_reference_counts():
    assert meteor("a dog runs", "a red bus", "a dog runs") == meteor("a dog runs", "a dog runs") == 1


def test_the_corpus_score_is_the_formula_on_sums_not_a_mean():
    result = evaluate(["a dog runs", "a cat"], [["the hound ran home"], ["a cat"]], metrics="meteor")
    statistics = result["meteor"].statistics
    assert result["meteor"].score != pytest.approx(result["meteor"].captions.mean(), abs=1e-3)
    summed = statistics.sum(axis=0)
    summed[20] -= 1  # the perfect caption is not fragmented
    assert result["meteor"].score == pytest.approx(float(Meteor().score(summed[None])[0]))


@given(st.lists(st.tuples(captions, captions), min_size=1, max_size=6))
@settings(max_examples=30, deadline=None)
def test_captions_do_not_depend_on_their_neighbours(rows):
    views = Views(Corpus.from_lists([a for a, _ in rows], [[b] for _, b in rows]), tokenizer="none")
    together = Meteor().score(Meteor().statistics(views))
    assert together.tolist() == [meteor(a, b) for a, b in rows]
    assert ((together >= 0) & (together <= 1)).all()


# Values that meteor-1.5.jar gives.
@pytest.mark.parametrize(
    "caption, references, score",
    [
        ("", ["a dog runs"], 0.0),
        ("a dog", [""], 0.0),
        ("", [""], 0.0),
        ("dog", ["a dog runs", "dog"], 1.0),
        (". , !", [". !", "a dog"], 0.38554216867469876),
        ("...", ["a dog ..."], 0.1875),
        ("собака бежит", ["собака бежит по траве"], 0.2581998173093651),
        ("一只狗", ["一只狗在跑"], 0.33086493379395415),
        ("كلب يجري", ["كلب"], 0.43196255245321796),
        ("a dog 😀😀", ["a dog 😀"], 0.48704502558483637),
        ("a a a", ["a a a a"], 0.4039130360601519),
    ],
)
def test_odd_captions(caption, references, score):
    assert meteor(caption, *references) == pytest.approx(score, abs=1e-12)


@pytest.mark.slow_when_pure
def test_five_hundred_times_the_same_word_are_scored_within_bounds(bounded):
    """The search for an alignment does not grow as fast as the number of alignments: the jar takes 14 s."""
    said = bounded(
        "from vericap import evaluate\n"
        "captions, references = {1: ' '.join(['a'] * 500)}, {1: [' '.join(['a'] * 499 + ['b'])]}\n"
        "print(evaluate(captions, references, metrics='meteor', tokenizer='none')['meteor'].score)"
    )
    assert float(said) == pytest.approx(0.8223570511432267)


def test_a_language_is_a_choice_of_parameters_and_stemmer():
    assert meteor("dois cachorros", "um cachorro", metric=Meteor(language="pt")) > 0
    result = evaluate({1: "dois cachorros"}, {1: ["um cachorro"]}, metrics="meteor", language="pt", tokenizer="unicode")
    assert "stem:0.5" in result["meteor"].signature and "language:pt" in result["meteor"].signature


def test_a_language_without_resources_is_an_error_that_names_the_way_out():
    with pytest.raises(InputError, match=r"language 'ja'.*paraphrases=FILE"):
        evaluate({1: "犬"}, {1: ["犬"]}, metrics="meteor", language="ja", tokenizer="unicode")


def test_universal_meteor_takes_a_table_of_paraphrases(tmp_path):
    table, functions = tmp_path / "paraphrase.gz", tmp_path / "function.words"
    with gzip.open(table, "wt", encoding="utf-8") as file:
        file.write("0.5\ngroßer hund\ndogge\n")
    functions.write_text("ein\n", "utf-8")
    metric = parse(f"meteor(paraphrases={table},functions={functions})").in_language("xx")
    # exact weight 1 on a function word (.3 of 1.7 and of 1), paraphrase weight .6; one chunk of 2.5 words
    precision, recall = (0.3 + 0.6 * 1.4) / 1.7, (0.3 + 0.6 * 0.7) / 1.0
    mean = 1 / (0.3 / precision + 0.7 / recall)
    assert meteor("ein großer hund", "ein dogge", metric=metric) == pytest.approx(mean)


def test_a_damaged_table_is_an_error_that_names_the_row(tmp_path):
    table = tmp_path / "table.txt"
    table.write_text("0.5\na\nb\nhalf\nc\nd\n", "utf-8")
    with pytest.raises(InputError, match="row 4"):
        evaluate({1: "a"}, {1: ["b"]}, metrics=f"meteor(paraphrases={table})", language="xx")


def test_parameters_and_matchers_can_be_chosen():
    exact = parse("meteor(modules=exact)")
    assert meteor("hound", "dog", metric=exact) == 0 < meteor("hound", "dog")
    assert str(parse("meteor(alpha=0.5)")) == "meteor(alpha=0.5)"
    even = parse("meteor(alpha=0.5,gamma=0)")
    assert meteor("dog", "dog street", metric=even) == pytest.approx(2 / 3)
    with pytest.raises(InputError, match="no matcher"):
        evaluate({1: "a"}, {1: ["a"]}, metrics="meteor(modules=exact+wordnet)")


def test_captions_are_the_same_in_blocks_of_any_size(monkeypatch):
    rows = [("a dog runs", ["the hound ran", "a dog"]), ("a cat", []), ("the road", ["a street"]), ("a b", ["b a"])] * 3
    views = Views(Corpus.from_lists([c for c, _ in rows], [r for _, r in rows]), tokenizer="none", workers=2)
    whole = Meteor().statistics(views)
    for size in (1, 2, 5):
        monkeypatch.setattr("vericap.metrics.meteor.BLOCK", size)
        assert (Meteor().statistics(views) == whole).all()


def test_a_weight_does_not_bring_a_matcher_that_the_language_lacks():
    assert Meteor(language="cs", stem=0.5).used == ("exact",)
    assert Meteor(language="pt", synonym=0.8, paraphrase=0.6).used == ("exact", "stem")


def test_an_explanation_draws_the_alignment():
    [why] = explain({1: "a dog runs"}, {1: ["some street", "a hound is running"]}, image_id=1, metrics="meteor")
    assert why.values["best reference"] == 2
    assert [part.text for part in why.sections["matches"]] == ["a = a", "dog = hound", "runs = is"]
    assert [part.values["by"] for part in why.sections["matches"]] == ["exact", "synonym", "paraphrase"]
    assert {part.values["chunk"] for part in why.sections["matches"]} == {1}
    assert [part.text for part in why.sections["not matched in the reference"]] == ["running"]
    assert why.drawing[0].split() == ["caption", "a", "dog", "runs"]
    assert why.score == pytest.approx(0.27254260134560976)  # the jar's
    result = evaluate({1: "a dog runs"}, {1: ["some street", "a hound is running"]}, metrics="meteor")
    assert np.allclose(result["meteor"].captions, why.score)


def test_meteor_aligns_a_limited_number_of_repetitions() -> None:
    times = int(MOST_MATCHES**0.5) + 1
    with pytest.raises(InputError, match=r"row 1, .*image 1: the caption and a reference share words at 4,004,001 "):
        evaluate({1: "dog " * times}, {1: ["cat", "dog " * times]}, metrics="meteor")


def test_a_long_text_of_different_words_is_aligned() -> None:
    words = " ".join(f"w{number}" for number in range(2100))
    result = evaluate({1: words}, {1: [words]}, metrics="meteor")
    assert result["meteor"].score == 1
