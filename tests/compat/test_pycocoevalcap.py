"""pycocoevalcap's calls give pycocoevalcap's answers. Expected numbers are outputs of pycocoevalcap 1.2."""

from __future__ import annotations

import importlib.util
import json
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from vericap.compat.pycocoevalcap.bleu.bleu import Bleu
from vericap.compat.pycocoevalcap.cider.cider import Cider
from vericap.compat.pycocoevalcap.coco import COCO
from vericap.compat.pycocoevalcap.eval import COCOEvalCap
from vericap.compat.pycocoevalcap.rouge.rouge import Rouge
from vericap.compat.pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer
from vericap.errors import InputError

# The script of pycocoevalcap's README: only the two import lines are others.
EXAMPLE = """
from vericap.compat.pycocoevalcap.coco import COCO
from vericap.compat.pycocoevalcap.eval import COCOEvalCap

coco = COCO(annotation_file)
coco_result = coco.loadRes(results_file)
coco_eval = COCOEvalCap(coco, coco_result)
coco_eval.params['image_id'] = coco_result.getImgIds()
coco_eval.evaluate()
for metric, score in coco_eval.eval.items():
    print(f'{metric}: {score:.3f}')
"""

REFERENCES = {
    7: ["a brown dog runs on the grass", "the dog is running outside"],
    3: [
        "two people ride bikes down a street",
        "people on bicycles in the city street",
        "a man and a woman cycling",
    ],
    5: ["a red bus stops at the corner"],
}
# In another order than the references, and with blanks that ROUGE-L takes for words.
RESULTS = {3: ["two people riding bikes on a street"], 5: ["a  red bus "], 7: ["a dog runs on grass"]}


def read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def test_the_readme_example_gives_coco_numbers_for_every_image(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    example = data / "coco_fakecap"
    script: dict[str, Any] = {
        "annotation_file": str(example / "en_captions_val2014.json"),
        "results_file": str(example / "en_captions_val2014_fakecap_results.json"),
    }
    exec(EXAMPLE, script)
    evaluation = script["coco_eval"]
    corpus = read(example / "mikuhatsune_captions_val2014_fakecap_eval.json")
    images = read(example / "mikuhatsune_captions_val2014_fakecap_evalImgs.json")
    metrics = [metric for metric in [*corpus, "SPICE"] if metric in evaluation.eval]
    assert {"Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "ROUGE_L", "CIDEr"} <= set(metrics)
    assert list(evaluation.eval) == metrics
    # The script's own lines are all that is printed.
    assert capsys.readouterr().out.splitlines() == [f"{m}: {evaluation.eval[m]:.3f}" for m in metrics]
    assert [image["image_id"] for image in evaluation.evalImgs] == [image["image_id"] for image in images]
    assert evaluation.evalImgs == list(evaluation.imgToEval.values())
    for metric in ("Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "ROUGE_L", "CIDEr"):
        assert evaluation.eval[metric] == pytest.approx(corpus[metric], abs=1e-9)
        np.testing.assert_allclose(
            [image[metric] for image in evaluation.evalImgs],
            [image[metric] for image in images],
            atol=1e-9,
            rtol=0,
        )


@pytest.mark.parametrize("name", ["fakecap1000", "k5k_nn", "pascal1000"])
def test_scorers_agree_with_the_original_on_tokenised_captions(data: Path, name: str) -> None:
    oracle = data / "oracle" / "coco"
    given = read(oracle / f"{name}.tokenized.json")
    gts = dict(zip(given["ids"], given["refs"], strict=True))
    res = {image: [caption] for image, caption in zip(given["ids"], given["cands"], strict=True)}
    corpus = read(oracle / f"{name}.corpus.json")
    captions = np.load(oracle / f"{name}.npz")
    orders, bleu = Bleu(4).compute_score(gts, res, verbose=0)
    answers = {f"bleu{n}": (orders[n - 1], bleu[n - 1]) for n in (1, 2, 3, 4)}
    answers |= {"rouge": Rouge().compute_score(gts, res), "cider": Cider().compute_score(gts, res)}
    for key, (score, scores) in answers.items():
        assert score == pytest.approx(corpus[key], abs=1e-9), key
        np.testing.assert_allclose(scores, captions[key], atol=1e-9, rtol=0, err_msg=key)


def test_scores_come_in_the_order_of_the_references() -> None:
    score, scores = Bleu(4).compute_score(REFERENCES, RESULTS)
    assert score == pytest.approx(
        [0.7148664490450234, 0.5232286648242627, 0.35984838713200734, 4.938543599855411e-05], abs=1e-12
    )
    assert scores[0] == pytest.approx([0.9999999996000004, 0.8571428568979593, 0.26359713793999556], abs=1e-12)
    assert scores[3] == pytest.approx([9.55442791706741e-05, 1.0932651135653227e-08, 0.00833567340487775], abs=1e-12)
    assert Cider().compute_score(REFERENCES, RESULTS)[1] == pytest.approx(
        [2.1705971751884756, 1.2248277454693255, 3.317093520787397], abs=1e-12
    )


def test_rouge_takes_every_single_blank_for_a_border_of_words() -> None:
    assert Rouge().compute_score(REFERENCES, RESULTS)[1] == pytest.approx(
        [0.8090185676392573, 0.7142857142857143, 0.48541114058355433], abs=1e-12
    )
    # The empty caption is one empty word, which also stands between the two blanks of the reference.
    gts = {1: ["a brown dog runs on the grass"], 2: ["a  red bus stops here"]}
    assert Rouge().compute_score(gts, {1: ["a dog"], 2: [""]})[0] == pytest.approx(0.3285427715643978, abs=1e-12)


def test_an_empty_caption_scores_as_in_the_original() -> None:
    gts = {1: ["a brown dog runs on the grass"], 2: ["a  red bus stops here"]}
    res = {1: ["a dog"], 2: [""]}
    score, scores = Bleu(4).compute_score(gts, res)
    assert score == pytest.approx(
        [0.00673794699234754, 2.1307259243972528e-10, 6.737946992347544e-10, 1.1981952403923059e-09], rel=1e-9
    )
    assert scores[0] == pytest.approx([0.08208499854181397, 0.0], abs=1e-12)
    assert Cider().compute_score(gts, res)[0] == pytest.approx(0.36060993924330703, abs=1e-12)


def test_references_may_be_too_short_for_the_longest_order() -> None:
    gts, res = {"1": ["a dog runs", "the dog"]}, {"1": ["a dog runs on the grass"]}
    assert Bleu(4).compute_score(gts, res)[0] == pytest.approx(
        [0.6666666665555557, 0.5163977793996495, 0.4054801329548782, 6.865890478059747e-05], abs=1e-12
    )
    assert Cider().compute_score(gts, res)[0] == 0.0


def test_types_are_the_originals() -> None:
    score, scores = Bleu(2).compute_score(REFERENCES, RESULTS)
    assert (type(score), type(score[0])) == (list, float)
    assert (type(scores), type(scores[0]), type(scores[0][0])) == (list, list, float)
    for scorer in (Rouge(), Cider()):
        mean, captions = scorer.compute_score(REFERENCES, RESULTS)
        assert type(mean) is np.float64
        assert captions.dtype == np.float64
    assert type(Rouge().calc_score(RESULTS[7], REFERENCES[7])) is float
    assert [scorer.method() for scorer in (Bleu(), Rouge(), Cider())] == ["Bleu", "Rouge", "CIDEr"]


def test_calc_score_scores_one_caption_with_the_beta_that_is_set() -> None:
    rouge = Rouge()
    assert rouge.calc_score(RESULTS[7], REFERENCES[7]) == pytest.approx(0.8090185676392573, abs=1e-12)
    rouge.beta = 1.0
    assert rouge.calc_score(RESULTS[7], REFERENCES[7]) == pytest.approx(0.8333333333333333, abs=1e-12)


def test_cider_keeps_what_the_original_does_with_sigma_with_n_and_with_one_image() -> None:
    assert Cider(sigma=2.0).compute_score(REFERENCES, RESULTS)[0] == pytest.approx(1.1012799875036459, abs=1e-12)
    assert Cider(n=5).compute_score(REFERENCES, RESULTS)[0] == pytest.approx(1.7900049177187194, abs=1e-12)
    mean, scores = Cider().compute_score({7: REFERENCES[7]}, {7: RESULTS[7]})
    assert (mean, scores.tolist()) == (0.0, [0.0])


@pytest.mark.parametrize(
    ("gts", "res", "message"),
    [
        ({1: ["a dog"]}, {2: ["a dog"]}, "has no"),
        ({1: ["a dog"]}, {"1": ["a dog"]}, "1 and '1' are two"),
        ({1: ["a dog"]}, {1: ["a dog", "a cat"]}, r"res\[1\] has 2 captions"),
        ({1: ["a dog"]}, {1: "a dog"}, r"res\[1\] is not a list of captions"),
        ({1: []}, {1: ["a dog"]}, r"gts\[1\] is not a list of captions"),
        ({1: ["a dog"]}, {1: [None]}, r"res\[1\] is not a list of captions"),
    ],
)
@pytest.mark.parametrize("scorer", [Bleu(), Rouge(), Cider()])
def test_captions_the_original_refuses_are_refused(scorer: Any, gts: Any, res: Any, message: str) -> None:
    # Scripts written for the original catch AssertionError, others Vericap's own error.
    with pytest.raises(AssertionError, match=message):
        scorer.compute_score(gts, res)
    with pytest.raises(InputError, match=message):
        scorer.compute_score(gts, res)


def test_the_tokenizer_keeps_ids_and_order_and_drops_images_without_captions() -> None:
    captions = {
        "b": [{"caption": "A man's dog, running!", "id": 1}, {"caption": "Two\ndogs."}],
        "none": [],
        "a": [{"caption": "It isn't (really) red."}],
    }
    tokens = PTBTokenizer().tokenize(captions)
    assert list(tokens.items()) == [
        ("b", ["a man 's dog running", "two dogs"]),
        ("a", ["it is n't -lrb- really -rrb- red"]),
    ]


def test_the_tokenizer_agrees_with_the_original_on_raw_references(data: Path) -> None:
    coco = COCO(data / "coco_fakecap/en_captions_val2014.json")
    given = read(data / "oracle/coco/fakecap1000.tokenized.json")
    wanted = dict(zip(given["ids"], given["refs"], strict=True))
    tokens = PTBTokenizer().tokenize({image: coco.imgToAnns[image] for image in given["ids"]})
    # The oracle's input was tokenised before, and has lost the comma of "getting ready to bat.,".
    wanted[377715] = ["a young baseball player in uniform getting ready to bat.", *wanted[377715][1:]]
    assert tokens == wanted


def captions_file() -> dict[str, Any]:
    return {
        "info": {"year": 2014},
        "images": [{"id": image} for image in REFERENCES],
        "annotations": [
            {"id": 10 * image + number, "image_id": image, "caption": f"{caption.capitalize()}."}
            for image, captions in REFERENCES.items()
            for number, caption in enumerate(captions)
        ],
    }


def results_list() -> list[dict[str, Any]]:
    return [{"image_id": image, "caption": caption} for image, (caption,) in RESULTS.items()]


def load(tmp_path: Path) -> COCO:
    path = tmp_path / "captions.json"
    path.write_text(json.dumps(captions_file()))
    return COCO(str(path))


def test_coco_indexes_a_captions_file(tmp_path: Path) -> None:
    coco = load(tmp_path)
    assert coco.getImgIds() == [7, 3, 5]
    assert coco.getImgIds(imgIds=[3, 3]) == [3]
    assert coco.getAnnIds(imgIds=7) == coco.getAnnIds(imgIds=[7]) == [70, 71]
    assert len(coco.getAnnIds()) == 6
    assert coco.loadAnns(coco.getAnnIds(imgIds=[7]))[1]["caption"] == "The dog is running outside."
    assert coco.loadImgs(5) == [{"id": 5}]
    assert coco.anns[50]["image_id"] == 5
    assert coco.imgToAnns[999] == []


def test_results_get_ids_and_only_their_images(tmp_path: Path) -> None:
    coco, given = load(tmp_path), results_list()[:2]
    results = coco.loadRes(given)
    assert results.getImgIds() == [3, 5]
    assert [entry["id"] for entry in given] == [1, 2]
    assert results.anns[2]["caption"] == "a  red bus "
    assert results.dataset["info"] == {"year": 2014}


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ({"image_id": 7, "caption": "a dog"}, "results are not a list"),
        ([{"image_id": 7, "caption": "a dog"}, {"image_id": 8, "caption": "a cat"}], "row 2.*image 8"),
        ([{"image_id": 7}], 'row 1, field "caption"'),
        ([7], "row 1: .*not an object"),
    ],
)
def test_results_that_do_not_fit_say_where(tmp_path: Path, results: Any, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        load(tmp_path).loadRes(results)


def test_a_file_that_is_not_annotations_says_so(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps(results_list()))
    with pytest.raises(InputError, match=r"results\.json: .*loadRes"):
        COCO(path)
    path.write_text('{"images": [')
    with pytest.raises(InputError, match=r"results\.json: this is not JSON"):
        COCO(path)


def test_params_choose_the_images_and_their_order(tmp_path: Path) -> None:
    coco = load(tmp_path)
    evaluation = COCOEvalCap(coco, coco.loadRes(results_list()))
    assert evaluation.params["image_id"] == [7, 3, 5]
    evaluation.params["image_id"] = [5, 7]
    evaluation.evaluate()
    assert [image["image_id"] for image in evaluation.evalImgs] == list(evaluation.imgToEval) == [5, 7]


def test_an_image_without_results_is_refused_with_the_way_out(tmp_path: Path) -> None:
    coco = load(tmp_path)
    with pytest.raises(AssertionError, match=r"image 7 .*cocoRes\.getImgIds"):
        COCOEvalCap(coco, coco.loadRes(results_list()[:2])).evaluate()


def test_any_object_with_image_ids_and_annotations_will_do() -> None:
    def annotations(entries: list[dict[str, Any]]) -> Any:
        by_image = defaultdict(list)
        for entry in entries:
            by_image[entry["image_id"]].append(entry)
        return SimpleNamespace(imgToAnns=by_image, getImgIds=lambda: list(by_image))

    evaluation = COCOEvalCap(annotations(captions_file()["annotations"]), annotations(results_list()))
    evaluation.evaluate()
    assert evaluation.eval["CIDEr"] == pytest.approx(2.2375061471483995, abs=1e-9)


@pytest.mark.skipif(importlib.util.find_spec("pycocotools") is None, reason="pycocotools is not installed")
def test_pycocotools_objects_give_the_same_scores(tmp_path: Path) -> None:
    from pycocotools import coco as pycocotools  # type: ignore[import-not-found,unused-ignore]

    ours = load(tmp_path)
    theirs = pycocotools.COCO(str(tmp_path / "captions.json"))
    evaluations = [COCOEvalCap(coco, coco.loadRes(results_list())) for coco in (ours, theirs)]
    for evaluation in evaluations:
        evaluation.evaluate()
    # As text, where an undefined sub-score of SPICE (NaN) equals itself.
    assert str(evaluations[0].eval) == str(evaluations[1].eval)
    assert str(evaluations[0].evalImgs) == str(evaluations[1].evalImgs)
