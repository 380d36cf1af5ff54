"""CIDEr-D as a reward: batches of 10 images × 5 samples × 20 tokens with the document frequencies of COCO's train2014
captions, against pycocoevalcap's CiderScorer with the same frequencies loaded; how long a saved index takes to load and
what memory eight workers share; and METEOR and SPICE with their jars."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from benchmarks import coco
from benchmarks.places import INPUT, ROOT
from benchmarks.speed.environment import PYTHON, SCRIPTS, peer_python
from benchmarks.speed.measure import row

IMAGES, SAMPLES, WORDS = 10, 5, 20
BATCHES = 50
INDEX = INPUT / "reward" / "train2014.reward"
SPICE_JAR = 41  # captions a second, spice-1.0.jar with CoreNLP 3.6.0 on two cores; see benchmarks/speed/spice.py
PACKAGES = ("pycocoevalcap",)
SPICE = "spice(parser=vericap)"
METRICS = ("cider", "cider-r", "bleu-4", "rouge-l", "rouge-su4", "ter", "meteor", SPICE, "wmd", "fluency")
Batch: TypeAlias = tuple[list[list[str]], list[int]]


def index() -> Path:
    """Return the reward of CIDEr-D with train2014's references, saved."""
    if not INDEX.exists():
        from vericap.reward import Reward

        INDEX.parent.mkdir(parents=True, exist_ok=True)
        Reward("cider-d", json.loads(coco.annotations("train2014")), df="coco").save(INDEX)
    return INDEX


def batches(count: int, seed: int = 0) -> list[Batch]:
    """Samples as lists of words and the id of the image of each: pieces of the image's captions and of others', so
    that n-grams of every order are found, and missed."""
    from vericap.reward import Reward

    saved = Reward.load(index()).index
    random = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        samples, ids = [], []
        for image in random.choice(saved.images, IMAGES, replace=False).tolist():
            own = np.arange(saved.offsets[image], saved.offsets[image + 1])
            for _ in range(SAMPLES):
                parts = [random.choice(own), *random.integers(0, len(saved.words), 3)]
                words = [word for part in parts for word in saved.words[int(part)].tolist()]
                samples.append([saved.vocabulary[word] for word in words[:WORDS]])
                ids.append(saved.named_images.ids[image])
        made.append((samples, ids))
    return made


def peer_input(given: list[Batch], path: Path) -> None:
    """The same batches, references and frequencies for the peer."""
    from vericap.reward import Reward

    saved = Reward.load(index()).index
    trie, frequencies = saved.frequencies.trie, []
    words = trie.words
    prefixes = [(word,) for word in words]
    frequencies += list(zip(words, trie.arrays["count_1"].tolist(), strict=True))
    for order in range(2, trie.order + 1):
        first, last = trie.arrays[f"first_{order}"].tolist(), trie.arrays[f"word_{order}"].tolist()
        ngrams = [(*prefix, words[last[i]]) for p, prefix in enumerate(prefixes) for i in range(first[p], first[p + 1])]
        counts = trie.arrays[f"count_{order}"].tolist()
        frequencies += [(" ".join(n), c) for n, c in zip(ngrams, counts, strict=True)]
        prefixes = ngrams

    def spelled(image_id: int) -> list[str]:
        image = int(saved.rows([image_id])[0])
        rows = range(saved.offsets[image], saved.offsets[image + 1])
        return [" ".join(saved.vocabulary[word] for word in saved.words[r].tolist()) for r in rows]

    path.write_text(
        json.dumps(
            {
                "documents": saved.frequencies.documents,
                "frequencies": frequencies,
                "batches": [
                    {"samples": [" ".join(s) for s in samples], "references": [spelled(i) for i in ids]}
                    for samples, ids in given
                ],
            }
        ),
        "utf-8",
    )


def timed(reward: Any, given: list[tuple[Any, list[int]]]) -> tuple[float, list[list[float]]]:
    """Median seconds of a batch, and all rewards."""
    reward(*given[0])
    seconds, values = [], []
    for samples, ids in given:
        start = time.perf_counter()
        found = reward(samples, ids)
        seconds.append(time.perf_counter() - start)
        values.append(found.tolist())
    return statistics.median(seconds), values


def ours(given: list[Batch]) -> dict[str, tuple[float, list[list[float]]]]:
    """CIDEr-D of samples as token numbers, as lists of words, and as strings that are tokenised."""
    from vericap.reward import Reward, Vocabulary

    reward = Reward.load(index())
    words = reward.index.vocabulary
    number = reward.index.number
    with_numbers = Reward.load(index())
    with_numbers.vocabulary = Vocabulary(words)
    with_numbers._use(reward.index)
    numbers = [(np.array([[number[word] for word in s] for s in samples]), ids) for samples, ids in given]
    texts = [([" ".join(s) for s in samples], ids) for samples, ids in given]
    return {
        "token numbers": timed(with_numbers, numbers),
        "lists of words": timed(reward, given),
        "strings, PTB tokens included": timed(reward, texts),
    }


def by_metric(given: list[Batch]) -> dict[str, float]:
    """Median seconds of a batch by metric, once words and references have come up."""
    from vericap.reward import Reward

    indexed = Reward.load(index())
    found = {}
    for metric in METRICS:
        reward = indexed.with_metrics({metric: -1.0 if metric == "ter" else 1.0})
        some = given[: 4 if metric == SPICE else 20]
        for samples, ids in some:
            reward(samples, ids)
        found[metric] = timed(reward, some)[0]
    return found


def meteor_jar(asked: Path, answered: Path) -> float:
    """Median seconds of a batch by meteor-1.5.jar, whose process runs already; the later half of the batches, as Java
    compiles on the way."""
    script = SCRIPTS / "pycocoevalcap_meteor_reward.py"
    subprocess.run([peer_python(), script, asked, answered], check=True, cwd=ROOT)
    seconds = json.loads(answered.read_text())["seconds"]
    return statistics.median(seconds[len(seconds) // 2 :])


def workers(count: int = 8) -> dict[str, float]:
    """Return what `benchmarks.speed.reward_workers` measures: seconds to the first batch, and memory of `count`
    workers."""
    said = subprocess.run(
        [PYTHON, "-m", "benchmarks.speed.reward_workers", index(), str(count)],
        stdout=subprocess.PIPE,
        check=True,
        cwd=ROOT,
    )
    answer: dict[str, float] = json.loads(said.stdout)
    return answer


def benchmark(images: int, repetitions: int) -> dict[str, Any]:
    given = batches(BATCHES)
    asked, answered = INPUT / "reward" / "peer.json", INPUT / "reward" / "peer-scores.json"
    peer_input(given, asked)
    peer_seconds, runs, jar, metrics = [], [], [], []
    for _ in range(repetitions):
        subprocess.run([peer_python(), SCRIPTS / "pycocoevalcap_reward.py", asked, answered], check=True, cwd=ROOT)
        peer = json.loads(answered.read_text())
        peer_seconds.append(statistics.median(peer["seconds"]))
        runs.append(ours(given))
        jar.append(meteor_jar(asked, INPUT / "reward" / "jar-scores.json"))
        metrics.append(by_metric(given))
    return {
        "title": f"Rewards, a batch of {IMAGES} images × {SAMPLES} samples × {WORDS} tokens",
        "peer": "pycocoevalcap",
        "command": "vericap.reward.Reward on batches",
        "rows": [
            *cider_rows(runs, statistics.median(peer_seconds), peer["scores"]),
            *start_rows(workers()),
            *metric_rows(metrics, statistics.median(jar)),
        ],
        "runs": {
            "vericap": [{name: each[name][0] for name in each} for each in runs],
            "metrics": metrics,
            "CiderScorer": peer_seconds,
            "meteor-1.5.jar": jar,
        },
    }


def cider_rows(runs: list[dict[str, Any]], peer: float, scores: list[list[float]]) -> list[dict[str, object]]:
    """CIDEr-D by the shape of the samples, and how far it is from the peer's."""
    seconds = {name: statistics.median(each[name][0] for each in runs) for name in runs[0]}
    bar = "lists of words"  # the peer, too, gets words
    rows = [
        row(
            f"CIDEr-D, samples as {name}",
            1000 * seconds[name],
            1000 * peer,
            unit="ms",
            bar="≥ 40×" if name == bar else "",
            met=peer / seconds[name] >= 40 if name == bar else None,
        )
        for name in seconds
    ]
    difference = max(float(np.abs(np.array(values) - np.array(scores)).max()) for _, values in runs[0].values())
    return [*rows, row("largest difference of a reward", difference, unit="", bar="≤ 1e-6", met=difference <= 1e-6)]


def start_rows(start: dict[str, float]) -> list[dict[str, object]]:
    """Return the saved index of COCO's training captions in workers that share it."""
    size, seconds = INDEX.stat().st_size / 1e6, start["seconds"]
    return [
        row("from the saved index to the first batch", seconds, unit="s", bar="≤ 1 s", met=seconds <= 1),
        row("index of train2014, mapped", size, unit="MB", bar="≤ 150 MB", met=size <= 150),
        row(
            "what it adds to 8 workers together, PSS",
            start["megabytes"],
            unit="MB",
            bar="≤ 150 MB",
            met=start["megabytes"] <= 150,
        ),
    ]


def metric_rows(runs: list[dict[str, float]], jar: float) -> list[dict[str, object]]:
    """Return the other metrics, METEOR and SPICE with their jars."""
    seconds = {name: statistics.median(each[name] for each in runs) for name in runs[0]}
    peers = {"meteor": (jar, 10), SPICE: (IMAGES * SAMPLES / SPICE_JAR, 20)}
    names = {SPICE: f"{SPICE} (the jar at {SPICE_JAR} captions a second, without its start)"}
    rows = []
    for name, taken in seconds.items():
        peer, bar = peers.get(name, (None, None))
        rows.append(
            row(
                names.get(name, name),
                1000 * taken,
                None if peer is None else 1000 * peer,
                unit="ms",
                bar="" if bar is None else f"≥ {bar}×",
                met=None if peer is None or bar is None else peer / taken >= bar,
            )
        )
    return rows


if __name__ == "__main__":
    os.chdir(ROOT)
    json.dump(benchmark(0, int(sys.argv[1]) if len(sys.argv) > 1 else 1), sys.stdout, indent=1)
