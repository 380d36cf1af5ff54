"""Captions in another language than the metrics take them for: refused where it is said, noted where it shows."""

from __future__ import annotations

from pathlib import Path

import pytest

import vericap
from vericap.errors import InputError

PORTUGUESE = {
    1: "homem de camisa azul anda de bicicleta na rua com um cachorro",
    2: "uma mulher segurando um guarda-chuva vermelho na praia",
}
CHINESE = {1: "一只棕色的狗在草地上奔跑", 2: "一个女人在海滩上行走"}
ENGLISH = {1: "a man in a blue shirt rides a bike with his dog", 2: "a woman holding a red umbrella on the beach"}


def notes(captions: dict[int, str], metrics: str, **options: str) -> str:
    references = {image: [caption] for image, caption in captions.items()}
    return "\n".join(vericap.evaluate(captions, references, metrics=metrics, **options).notes)  # type: ignore[arg-type]


@pytest.mark.parametrize("metric", ["wmd", "vifidel(objects=references)", "mean(wmd,bleu-1)"])
def test_english_vectors_do_not_measure_german(metric: str) -> None:
    with pytest.raises(InputError, match=r"vectors that ship are of English words.*'de'.*vectors=FILE"):
        vericap.evaluate({1: "zwei Hunde"}, {1: ["Hunde"]}, metrics=metric, language="de")


def test_vectors_of_the_language_are_taken(tmp_path: Path) -> None:
    vectors = tmp_path / "de.vec"
    vectors.write_text("2 2\nhunde 1 0\nkatzen 0 1\n")
    result = vericap.evaluate({1: "Hunde"}, {1: ["Hunde"]}, metrics=f"wmd(vectors={vectors})", language="de")
    assert result["wmd"].score == 1 if "wmd" in result else next(iter(result.values())).score == 1
    assert any("stop words are English" in note for note in result.notes)


@pytest.mark.parametrize("metric", ["verity", "spice.object", "mean(bleu-1,spice)"])
def test_every_metric_that_knows_english_words_is_named(metric: str) -> None:
    assert f"taken for English by {metric}, but" in notes(PORTUGUESE, metric)


def test_portuguese_under_english_defaults_is_said_to_look_foreign() -> None:
    found = notes(PORTUGUESE, "spice,meteor")
    assert "taken for English by spice, meteor" in found and "--language" in found
    assert "taken for English" not in notes(ENGLISH, "spice,meteor")
    assert "taken for English" not in notes(PORTUGUESE, "bleu-1,cider-d")
    assert "taken for English" not in notes(PORTUGUESE, "meteor", language="pt")


def test_a_script_without_spaces_asks_for_another_tokenizer() -> None:
    assert "--tokenizer unicode" in notes(CHINESE, "bleu-1")
    assert "--tokenizer" not in notes(CHINESE, "bleu-1", tokenizer="unicode")
    assert "--tokenizer" not in notes({i: " ".join(text) for i, text in CHINESE.items()}, "bleu-1")


def test_words_without_vectors_are_counted(tmp_path: Path) -> None:
    vectors = tmp_path / "few.txt"
    vectors.write_text("man 1 0\nwoman 0 1\n")
    assert "have no vector in few.txt" in notes(ENGLISH, f"wmd(vectors={vectors})")
