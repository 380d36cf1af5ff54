"""The calls of the code bases that train with CIDEr: self-critical.pytorch with `cider` and `coco-caption`, and M².

Expected numbers are outputs of these code bases' own scorers."""

from __future__ import annotations

import json
import os
import pickle
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vericap.compat import pycocoevalcap as evaluation
from vericap.compat.pyciderevalcap.cider.cider import Cider as PlainCider
from vericap.compat.pyciderevalcap.ciderD.ciderD import CiderD
from vericap.compat.pyciderevalcap.ciderD.ciderD_scorer import CiderScorer
from vericap.compat.pycocoevalcap.bleu.bleu import Bleu, BleuScorer
from vericap.compat.pycocoevalcap.cider.cider_scorer import CiderScorer as CocoScorer
from vericap.errors import InputError

REFERENCES = {
    7: ["a brown dog runs on the grass", "the dog is running outside"],
    3: ["two people ride bikes down a street", "people on bicycles in the city street", "a man and a woman cycling"],
    5: ["a red bus stops at the corner"],
}
RESULTS = {7: ["a dog runs on grass"], 3: ["two people riding bikes on a street"], 5: ["a  red bus "]}
ROWS = [{"image_id": image, "caption": captions} for image, captions in RESULTS.items()]


def spell(numbers: list[int]) -> str:
    """Word numbers up to the first 0, the end of a caption, as the code bases write them."""
    end = numbers.index(0) + 1 if 0 in numbers else len(numbers)
    return " ".join(map(str, numbers[:end]))


@pytest.fixture(scope="module")
def batch(data: Path) -> tuple[dict[int, list[str]], list[dict[str, Any]]]:
    """Five samples of each of ten images, then the greedy caption of each; every row has references of its own."""
    first = json.loads((data / "oracle/coco/scst_batches.json").read_text())["batches"][0]
    references = [[spell(reference) for reference in image] for image in first["gts"]]
    captions = [*first["gen"], *first["greedy"]]
    gts = {row: references[row // 5] if row < 50 else references[row - 50] for row in range(60)}
    return gts, [{"image_id": row, "caption": [spell(caption)]} for row, caption in enumerate(captions)]


@pytest.fixture(scope="module")
def table(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with data/scst-idxs.p, made as prepro_ngrams.py makes it."""
    folder = tmp_path_factory.mktemp("training")
    scorer = CiderScorer(df_mode="corpus")
    for each in json.loads((data / "oracle/coco/scst_batches.json").read_text())["batches"]:
        for references in each["gts"]:
            scorer.cook_append(None, [spell(reference) for reference in references])
    scorer.compute_doc_freq()
    content = {"document_frequency": scorer.document_frequency, "ref_len": len(scorer.crefs)}
    (folder / "data").mkdir()
    (folder / "data/scst-idxs.p").write_bytes(pickle.dumps(content))
    return folder


EXPECTED = {  # the mean, then the scores of rows 0, 1, 2, 50 and 51
    (CiderD, "corpus"): (
        0.5568157256809987,
        [0.8868532862510532, 0.008063015412977943, 0.17721468955267294, 0.5486746468297382, 0.8377850573275326],
    ),
    (PlainCider, "corpus"): (
        1.5819499034909228,
        [3.4285551924732838, 0.01961268392883763, 0.5960621478877431, 1.5345857620528052, 3.792772534406617],
    ),
    (CiderD, "scst-idxs"): (
        0.6592458766900308,
        [0.9739866576257166, 0.012581114385667572, 0.26732296304770115, 0.7772037070815887, 0.8653935531177638],
    ),
    (PlainCider, "scst-idxs"): (
        1.8565121715548942,
        [3.62242816802675, 0.030610611185612063, 0.892134168884272, 2.1393039795203235, 4.078064468937662],
    ),
}


@pytest.mark.parametrize(("metric", "df"), EXPECTED)
def test_rewards_are_those_of_the_original(
    metric: Any, df: str, batch: Any, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table)
    mean, scores = metric(df=df).compute_score(*batch)
    expected_mean, expected = EXPECTED[metric, df]
    assert type(mean) is np.float64 and isinstance(scores, np.ndarray) and scores.dtype == np.float64
    assert mean == pytest.approx(expected_mean, abs=1e-12)
    assert scores[[0, 1, 2, 50, 51]].tolist() == pytest.approx(expected, abs=1e-12)


def test_bleu_of_word_numbers_is_the_original_s(batch: Any) -> None:
    gts, res = batch
    score, scores = Bleu(4).compute_score(gts, {entry["image_id"]: entry["caption"] for entry in res}, verbose=0)
    assert score == pytest.approx([0.5333333333328889, 0.49132831057401616, 0.46194060350790683, 0.4368928101339532])
    assert scores[3][:2] == pytest.approx([0.821816058149686, 2.560744480418492e-09], rel=1e-9)
    assert np.array(scores[3]).shape == (60,)


@pytest.mark.parametrize(
    ("name", "metric", "key"), [("luo_ciderd", CiderD, "ciderD"), ("luo_cider", PlainCider, "cider")]
)
def test_words_score_as_in_the_original(data: Path, name: str, metric: Any, key: str) -> None:
    oracle = data / "oracle/coco"
    given = json.loads((oracle / "fakecap1000.tokenized.json").read_text("utf-8"))
    gts = dict(zip(given["ids"], given["refs"], strict=True))
    res = [{"image_id": i, "caption": [c]} for i, c in zip(given["ids"], given["cands"], strict=True)]
    mean, scores = metric(df="corpus").compute_score(gts, res)
    np.testing.assert_allclose(scores, np.load(oracle / f"others/fakecap1000.{name}.npz")[key], atol=1e-9, rtol=0)
    assert mean == pytest.approx(json.loads((oracle / f"others/fakecap1000.{name}.json").read_text())[key], abs=1e-9)


def test_a_table_is_found_by_its_name_and_by_its_path(table: Path, batch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = table / "data/scst-idxs.p"
    by_path = CiderD(df=str(path)).compute_score(*batch)[1]
    monkeypatch.chdir(table)
    assert CiderD(df="scst-idxs").compute_score(*batch)[1].tolist() == by_path.tolist()
    assert CiderD(df=path).cider_scorer.ref_len == pytest.approx(np.log(100))
    with pytest.raises(InputError, match=r"neither a file data/coco-train-idxs\.p nor a file coco-train-idxs; .*path"):
        CiderD(df="coco-train-idxs")


def test_the_table_that_ships_scores_a_single_image() -> None:
    assert CiderD(df="coco").compute_score({1: ["a dog runs"]}, [{"image_id": 1, "caption": ["a dog runs"]}])[0] > 7


class Command:
    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("opened",)


def test_a_table_cannot_run_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/evil.p").write_bytes(pickle.dumps({"document_frequency": Command(), "ref_len": 5}))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"evil\.p.*mkdir"):
        CiderD(df="evil")
    assert not (tmp_path / "opened").exists()


def test_rows_come_in_the_order_of_a_list_and_may_repeat_an_image() -> None:
    rows = [ROWS[2], ROWS[0], ROWS[2]]
    for scorer in (CiderD(), Bleu(4), evaluation.Rouge()):
        scores = np.array(scorer.compute_score(REFERENCES, rows)[1])
        assert scores.shape[-1] == 3
        assert scores[..., 0].tolist() == scores[..., 2].tolist()


def test_both_shapes_of_results_give_the_same() -> None:
    for scorer in (CiderD(), PlainCider(), evaluation.Cider(), evaluation.Rouge(), evaluation.Meteor()):
        of_rows, of_images = scorer.compute_score(REFERENCES, ROWS), scorer.compute_score(REFERENCES, RESULTS)
        assert (of_rows[0], list(of_rows[1])) == (of_images[0], list(of_images[1]))


@pytest.mark.parametrize(
    ("res", "message"),
    [
        ([{"image_id": 9, "caption": ["a dog"]}], "row 1: image 9 has no references"),
        ([{"image_id": 7, "caption": "a dog"}], r"res\[0\]\['caption'\] is not a list"),
        ([{"image_id": 7, "caption": ["a", "b"]}], r"res\[0\]\['caption'\] has 2 captions"),
        ([{"image_id": 7}], r"res\[0\] is not an object with image_id and caption"),
        ([7], r"res\[0\] is not an object"),
    ],
)
def test_rows_that_do_not_fit_say_where(res: Any, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        CiderD().compute_score(REFERENCES, res)


def test_names_are_the_originals() -> None:
    assert [scorer.method() for scorer in (CiderD(), PlainCider(), evaluation.Cider())] == ["CIDEr-D", "CIDEr", "CIDEr"]


def test_m2_takes_document_frequencies_from_references_of_its_own(data: Path) -> None:
    given, others = (
        json.loads((data / f"oracle/coco/{name}.tokenized.json").read_text("utf-8"))
        for name in ("fakecap1000", "k5k_nn")
    )
    cider = evaluation.Cider(dict(zip(others["ids"], others["refs"], strict=True)))
    gts = dict(zip(given["ids"], given["refs"], strict=True))
    gen = {image: [caption] for image, caption in zip(given["ids"], given["cands"], strict=True)}
    mean, scores = cider.compute_score(gts, gen)
    assert mean == pytest.approx(0.5801633579581983, abs=1e-12)
    assert scores[:3].tolist() == pytest.approx([0.013010041485921582, 0.14642415399337233, 0.7605955783880748])
    assert scores.astype(np.float32).dtype == np.float32


def test_m2_scores_all_metrics_under_its_names() -> None:
    gts = evaluation.PTBTokenizer.tokenize({image: [f"{r}." for r in refs] for image, refs in REFERENCES.items()})
    gen = evaluation.PTBTokenizer.tokenize(RESULTS)
    score, scores = evaluation.compute_scores(gts, gen)
    assert list(score) == list(scores) == ["BLEU", "METEOR", "ROUGE", "CIDEr"]
    assert len(score["BLEU"]) == 4
    assert score["CIDEr"] == evaluation.Cider().compute_score(gts, gen)[0]


def test_rows_are_added_one_after_the_other() -> None:
    for scorer, whole in ((CocoScorer(), evaluation.Cider()), (CiderScorer(), CiderD())):
        for image, references in REFERENCES.items():
            scorer += (RESULTS[image][0], references)
        assert scorer.size() == 3
        mean, scores = scorer.compute_score()
        expected = whole.compute_score(REFERENCES, RESULTS)
        assert (mean, scores.tolist()) == (expected[0], expected[1].tolist())
        copy = scorer.copy()
        copy += ("a dog", ["a dog"])
        assert (copy.size(), scorer.size(), scorer.copy_empty().size()) == (4, 3, 0)


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("closest", [0.7148664490450234, 0.5232286648242627, 0.35984838713200734, 4.938543599855411e-05]),
        ("shortest", [0.7641487027708969, 0.5592995810785731, 0.38465601314547687, 5.2790023793232305e-05]),
        ("average", [0.6837903031320962, 0.5004832550269136, 0.3442053240116377, 4.7238588825750315e-05]),
        (None, [0.7148664490450234, 0.5232286648242627, 0.35984838713200734, 4.938543599855411e-05]),
    ],
)
def test_bleu_of_added_rows_takes_the_reference_length_asked_for(option: Any, expected: list[float]) -> None:
    scorer = BleuScorer(n=4)
    for image, references in REFERENCES.items():
        scorer += (RESULTS[image][0], references)
    score, scores = scorer.compute_score(option=option, verbose=0)
    assert score == pytest.approx(expected, abs=1e-12)
    assert (len(scores), len(scores[0])) == (4, 3)


def test_bleu_of_one_row_takes_the_average_reference_length() -> None:
    scorer = BleuScorer(RESULTS[7][0], REFERENCES[7])
    assert scorer.compute_score()[0] == pytest.approx(
        [0.8187307527504899, 0.5789300672213649, 0.450564896974941, 7.822503963769894e-05], abs=1e-12
    )
    with pytest.raises(InputError, match="`longest` is not a reference length"):
        scorer.compute_score(option="longest")  # type: ignore[arg-type]


def test_a_row_without_a_caption_or_references_is_refused() -> None:
    scorer = CiderScorer()
    scorer += (None, ["a dog"])
    with pytest.raises(AssertionError, match="row 1: the row has references, but no caption"):
        scorer.compute_score()
    with pytest.raises(AssertionError, match="row 1: the row has no references"):
        BleuScorer("a dog", []).compute_score()


def test_document_frequencies_count_every_n_gram_once_per_image() -> None:
    scorer = CiderScorer(df_mode="corpus")
    for references in REFERENCES.values():
        scorer.cook_append(None, references)
    counted: dict[tuple[str, ...], float] = defaultdict(float)
    for references in REFERENCES.values():
        grams = set()
        for words in map(str.split, references):
            grams |= {tuple(words[i : i + n]) for n in range(1, 5) for i in range(len(words) - n + 1)}
        for gram in grams:
            counted[gram] += 1
    assert scorer.document_frequency == counted
    assert len(scorer.crefs) == 3


@pytest.mark.parametrize("metric", [CiderD, PlainCider])
def test_self_cider_scores_each_caption_with_each_as_its_reference(metric: Any, tmp_path: Path) -> None:
    captions = ["a dog runs on the grass", "a brown dog", "people on the street"]
    scorer = metric(df="corpus")
    with pytest.raises(InputError, match="needs document frequencies"):
        scorer.my_self_cider([captions])
    for references in REFERENCES.values():
        scorer.cider_scorer += (None, references)
    scorer.cider_scorer.compute_doc_freq()
    scorer.cider_scorer.ref_len = np.log(float(len(scorer.cider_scorer.crefs)))
    [found] = scorer.my_self_cider([captions])
    with_table = metric(df=REFERENCES)
    for i, caption in enumerate(captions):
        for j, other in enumerate(captions):
            alone = with_table.compute_score({0: [other]}, [{"image_id": 0, "caption": [caption]}])[0]
            assert found[i, j] == pytest.approx(alone, abs=1e-12)
    assert found.diagonal() == pytest.approx([10, 7.5, 10])  # a caption of three words has no n-gram of order 4
    with pytest.raises(InputError, match="ref_len is the logarithm"):
        scorer.cider_scorer.ref_len = 5.0
