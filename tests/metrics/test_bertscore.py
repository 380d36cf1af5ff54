"""BERTScore on small networks: its definition, idf, baselines of bert-score, and what is refused."""

from __future__ import annotations

import contextlib
import io
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.encoders.models import write_bert
from vericap import evaluate, explain
from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.metrics.bertscore import BertScore, read_baseline
from vericap.views import Views

CANDIDATES = ["A dog runs on the street.", "two cats and a red ball", "the woman is with a man", "blue, blue!"]


REFERENCES = [
    ["The dog is running in a street.", "a dog", "a man with a blue ball"],
    ["two cats", "a cat plays with a ball"],
    ["the woman is with a man"],
    ["the blue street", "a"],
]


def of_bert_score(folder: Path, layers: int, candidates: list[str], references: list[list[str]], **options: Any) -> Any:
    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        from bert_score import score

        found = score(
            candidates,
            references,
            model_type=str(folder),
            num_layers=layers,
            device="cpu",
            batch_size=1,  # in a larger batch the package lets a negative cosine lose against the 0 of padding
            nthreads=0,
            **options,
        )
    return np.stack([part.numpy() for part in found], axis=1)


def ours(metric: BertScore, candidates: list[str], references: list[list[str]]) -> np.ndarray:
    return metric.statistics(Views(Corpus.from_lists(candidates, references)))


@pytest.mark.torch
@pytest.mark.parametrize("idf", [False, True])
@pytest.mark.parametrize("layer", [1, 3])
def test_numbers_are_those_of_bert_score(tmp_path: Path, layer: int, idf: bool) -> None:
    write_bert(tmp_path)
    right = of_bert_score(tmp_path, layer, CANDIDATES, REFERENCES, idf=idf)
    found = ours(BertScore(model=str(tmp_path), layer=layer, idf=idf), CANDIDATES, REFERENCES)
    assert found == pytest.approx(right, abs=1e-5)


@pytest.mark.torch
@pytest.mark.parametrize("idf", [False, True])
def test_another_architecture(tmp_path: Path, idf: bool) -> None:
    from tests.encoders.test_transformers_encoder import write_roberta

    write_roberta(tmp_path)
    right = of_bert_score(tmp_path, 2, CANDIDATES, REFERENCES, idf=idf, use_fast_tokenizer=True)
    assert ours(BertScore(model=str(tmp_path), idf=idf), CANDIDATES, REFERENCES) == pytest.approx(right, abs=1e-5)


@pytest.mark.torch
def test_real_weights(minilm: Path, data: Path) -> None:
    references: dict[int, list[str]] = {}
    for each in json.loads((data / "coco_val2017" / "captions_val2017.json").read_text("utf-8"))["annotations"]:
        if len(references) < 10 or each["image_id"] in references:
            references.setdefault(each["image_id"], []).append(each["caption"])
    candidates = [given.pop() for given in references.values()]
    right = of_bert_score(minilm, 6, candidates, list(references.values()), idf=True)
    found = evaluate(candidates, references=list(references.values()), metrics="bertscore(idf=yes)")
    [result] = found.values()
    assert result.captions == pytest.approx(right[:, 2], abs=1e-5)
    assert result.score == pytest.approx(right[:, 2].mean(), abs=1e-5)
    assert "model:all-MiniLM-L6-v2" in result.signature
    assert "layer:6|idf:yes" in result.signature


def test_a_side_without_words_scores_nothing(minilm: Path) -> None:
    found = ours(BertScore(), ["", "a dog", "a dog"], [["a dog"], [""], ["", "a dog"]])
    assert found.tolist()[:2] == [[0, 0, 0], [0, 0, 0]]
    assert found[2] == pytest.approx([1, 1, 1], abs=1e-6)


@pytest.mark.torch
def test_a_baseline_rescales(tmp_path: Path) -> None:
    write_bert(tmp_path)
    table = tmp_path / "baseline.tsv"
    table.write_text("LAYER,P,R,F\n0,0.1,0.1,0.1\n1,0.2,0.3,0.25\n2,0.3,0.3,0.3\n")
    right = of_bert_score(
        tmp_path, 1, CANDIDATES[:2], REFERENCES[:2], rescale_with_baseline=True, baseline_path=str(table), lang="en"
    )
    metric = BertScore(model=str(tmp_path), layer=1, baseline=str(table))
    assert ours(metric, CANDIDATES[:2], REFERENCES[:2]) == pytest.approx(right, abs=1e-5)
    views = Views(Corpus.from_lists(CANDIDATES[:2], REFERENCES[:2]))
    assert "baseline:0.2:0.3:0.25" in metric.signature(views)


@pytest.mark.bits
def test_chunks_do_not_change_a_number(minilm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = ours(BertScore(idf=True), CANDIDATES, REFERENCES)
    monkeypatch.setattr("vericap.metrics.bertscore._ROWS", 12)
    assert np.array_equal(ours(BertScore(idf=True), CANDIDATES, REFERENCES), whole)


@pytest.mark.bits
def test_idf_of_an_explained_row_is_that_of_the_corpus(minilm: Path) -> None:
    [found] = explain(CANDIDATES, references=REFERENCES, image_id=1, metrics="bertscore(idf=yes)")
    whole = ours(BertScore(idf=True), CANDIDATES, REFERENCES)
    assert found.score == pytest.approx(whole[1, 2], abs=1e-9)


def test_explanation_says_which_word_matched_which(minilm: Path) -> None:
    [found] = explain(["a puppy sleeps"], references=[["the dog sleeps", "a red car"]], image_id=0, metrics="bertscore")
    forth, back = found.sections.values()
    assert [part.text for part in forth][1:] == ["puppy → dog", "sleeps → sleeps"]
    assert "dog → puppy" in [part.text for part in back]
    [matrix] = found.matrices.values()
    assert (list(matrix.rows), list(matrix.columns)) == (["a", "puppy", "sleeps"], ["the", "dog", "sleeps"])


def test_parts(minilm: Path) -> None:
    keys = [f"bertscore(part={part})" for part in ("precision", "recall")]
    found = evaluate(["a dog"], references=[["a dog on a red sofa"]], metrics=keys)
    precision, recall = (found[key].score for key in keys)
    assert precision > recall


@pytest.mark.parametrize(
    ("key", "problem"),
    [
        ("bertscore(layer=7)", "the model has 6 layers"),
        ("bertscore(layer=-1)", "the model has 6 layers"),
        ("bertscore(baseline=nowhere)", "the baseline cannot be read"),
    ],
)
def test_wrong_parameters_are_errors_before_any_work(minilm: Path, key: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        evaluate(["a dog"], references=[["a dog"]], metrics=key)


@pytest.mark.torch
def test_a_file_of_the_package() -> None:
    import bert_score

    [folder] = bert_score.__path__
    path = Path(folder) / "rescale_baseline" / "en" / "roberta-large.tsv"
    header, *rows = path.read_text().splitlines()
    assert header == "LAYER,P,R,F"
    assert read_baseline(str(path), 17) == tuple(float(x) for x in rows[17].split(",")[1:])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("LAYER,P,R,F\n0,0.1,0.1,0.1\n", "has no layer 1"),
        ("LAYER,P,R\n1,0.1,0.1\n", "line 2 is not a baseline"),
        ("LAYER,P,R,F\n1,0.1,x,0.1\n", "line 2 is not a baseline"),
        ("LAYER,P,R,F\n1,1.0,0.1,0.1\n", "a baseline of 1 or more"),
    ],
)
def test_wrong_files(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "b.csv").write_text(text)
    with pytest.raises(InputError, match=problem):
        read_baseline(str(tmp_path / "b.csv"), 1)
