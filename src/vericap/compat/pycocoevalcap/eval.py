"""`COCOEvalCap` with pycocoevalcap's calls (Chen et al. 2015): COCO's evaluation of a results file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from vericap.compat.pycocoevalcap.bleu.bleu import Bleu
from vericap.compat.pycocoevalcap.captions import Captions, CaptionsError, Results, aligned, tokenized_views
from vericap.compat.pycocoevalcap.cider.cider import Cider
from vericap.compat.pycocoevalcap.meteor.meteor import Meteor
from vericap.compat.pycocoevalcap.rouge.rouge import Rouge
from vericap.compat.pycocoevalcap.spice.spice import Spice
from vericap.compat.pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer
from vericap.corpus import Corpus
from vericap.options.inputs import Inputs
from vericap.run.prepare import prepare
from vericap.views import Views

__all__ = ["Bleu", "COCOEvalCap", "Cider", "Meteor", "PTBTokenizer", "Rouge", "Spice", "compute_scores"]


class Annotations(Protocol):
    """The methods of annotations and results that are called: pycocotools' COCO has them, and `coco.COCO`."""

    @property
    def imgToAnns(self) -> Mapping[Any, Sequence[Mapping[str, Any]]]: ...

    def getImgIds(self) -> list[Any]: ...


class Scorer(Protocol):
    """A corpus score and a score for each caption, or lists of both."""

    def score_views(self, views: Views) -> tuple[Any, Any]: ...


class COCOEvalCap:
    """Scores results against annotations; set `params["image_id"]` to score some of the images.

    After `evaluate`, `eval` is {"Bleu_1": …, "CIDEr": …}, `imgToEval` is {id: {"image_id": id, "Bleu_1": …}}
    and `evalImgs` the list of its values. Nothing is printed.

    >>> from vericap.compat.pycocoevalcap.coco import COCO
    >>> coco = COCO()
    >>> coco.dataset = {
    ...     "images": [{"id": 1}, {"id": 2}],
    ...     "annotations": [{"id": 1, "image_id": 1, "caption": "A dog runs."},
    ...                     {"id": 2, "image_id": 2, "caption": "A red cat sits."}],
    ... }
    >>> coco.createIndex()
    >>> results = coco.loadRes([{"image_id": 2, "caption": "a red cat"}, {"image_id": 1, "caption": "a dog"}])
    >>> evaluation = COCOEvalCap(coco, results)
    >>> evaluation.evaluate()
    >>> {metric: round(float(evaluation.eval[metric]), 4) for metric in ("Bleu_4", "ROUGE_L", "CIDEr")}
    {'Bleu_4': 0.0212, 'ROUGE_L': 0.8039, 'CIDEr': 4.6282}
    """

    def __init__(self, coco: Annotations, cocoRes: Annotations) -> None:
        self.evalImgs: list[dict[str, Any]] = []
        self.eval: dict[str, Any] = {}
        self.imgToEval: dict[Any, dict[str, Any]] = {}
        self.coco = coco
        self.cocoRes = cocoRes
        self.params: dict[str, Any] = {"image_id": coco.getImgIds()}

    def evaluate(self) -> None:
        """Tokenises both sides once and fills `eval`, `imgToEval` and `evalImgs`."""
        images = list(dict.fromkeys(self.params["image_id"]))
        references = _captions(self.coco, images, "references")
        results = _captions(self.cocoRes, images, "results")
        views = prepare(Inputs(Corpus.from_lists(*aligned(references, results))))
        # In the original's order, which is that of the keys of `eval`.
        found = list(zip(["Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4"], *Bleu(4).score_views(views), strict=True))
        scorers: dict[str, Scorer] = {"METEOR": Meteor(), "ROUGE_L": Rouge(), "CIDEr": Cider(), "SPICE": Spice()}
        answers = [*found, *((name, *scorer.score_views(views)) for name, scorer in scorers.items())]
        for name, score, scores in answers:
            self.setEval(score, name)
            self.setImgToEvalImgs(scores, images, name)
        self.setEvalImgs()

    def setEval(self, score: Any, method: str) -> None:
        self.eval[method] = score

    def setImgToEvalImgs(self, scores: Iterable[Any], imgIds: Iterable[Any], method: str) -> None:
        for image, score in zip(imgIds, scores, strict=False):
            self.imgToEval.setdefault(image, {"image_id": image})[method] = score

    def setEvalImgs(self) -> None:
        self.evalImgs = list(self.imgToEval.values())


def compute_scores(gts: Captions, gen: Results) -> tuple[dict[str, Any], dict[str, Any]]:
    """BLEU, METEOR, ROUGE and CIDEr of tokenised captions, with the call of M²'s package `evaluation`: the corpus
    scores by name, and those of the captions.

    >>> score, scores = compute_scores({1: ["a dog runs"], 2: ["a cat"]}, {1: ["a dog"], 2: ["a cat"]})
    >>> list(score), [round(float(s), 4) for s in scores["ROUGE"]]
    (['BLEU', 'METEOR', 'ROUGE', 'CIDEr'], [0.7722, 1.0])
    """
    views = tokenized_views(gts, gen)
    scorers: list[Scorer] = [Bleu(), Meteor(), Rouge(), Cider()]
    answers = {str(scorer): scorer.score_views(views) for scorer in scorers}
    return {name: answer[0] for name, answer in answers.items()}, {name: answer[1] for name, answer in answers.items()}


def _captions(annotations: Annotations, images: Sequence[Any], name: str) -> dict[Any, list[str]]:
    captions = {}
    for image in images:
        if image not in annotations.imgToAnns:
            raise CaptionsError(
                f"image {image!r} has no caption in the {name}",
                fix="to score the images with results alone, set params['image_id'] = cocoRes.getImgIds()",
            )
        captions[image] = [entry["caption"] for entry in annotations.imgToAnns[image]]
    return captions
