"""Trains the caption parser of `vericap.scene.parser` on silver trees and writes its 8-bit weights.

    python tools/train_parser.py train --silver SILVER --work WORK --minutes 80 --seed 1
    python tools/train_parser.py export --silver SILVER --work WORK --out src/vericap/data/parser

SILVER is the folder with train-*.jsonl.xz, raw.jsonl.xz and dev.jsonl.xz (one caption a line: words, tags, lemmas,
heads, relations of each sentence). `train` keeps a moving average of the weights in WORK/weights.pt and anneals the
learning rate over the given minutes of processor time, so a paused run ends where it would have; `export` rounds
the weights to 8 bits and measures the NumPy parser on dev. Needs torch.
"""

from __future__ import annotations

import argparse
import collections
import hashlib
import json
import lzma
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from vericap.scene.lemmas import learn_endings
from vericap.scene.network import affixes, shape
from vericap.scene.parser import Parser
from vericap.scene.prepositions import OBJECT, raise_prepositions

TRAIN = ("train-coco-0", "train-coco-1", "train-coco-2", "train-flickr8k", "train-vg", "raw")
SIZE, HIDDEN, LAYERS, ARC, LABEL = 192, 176, 3, 128, 192
LONGEST = 48
BATCH_WORDS, AVERAGE = 1800, 0.9985


def read(silver: Path, name: str) -> Iterator[dict[str, Any]]:
    """The sentences of a silver file."""
    with lzma.open(silver / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield from json.loads(line)["sentences"]


def data_hash(silver: Path) -> str:
    """What the training files hold, in one line."""
    digest = hashlib.sha256()
    for name in TRAIN:
        digest.update((silver / f"{name}.jsonl.xz").read_bytes())
    return digest.hexdigest()


class Vocabulary:
    """Words seen twice or more, affixes seen four times or more, tags and relations, most frequent first."""

    def __init__(self, silver: Path) -> None:
        words, parts, tags, relations = (collections.Counter[str]() for _ in range(4))
        for name in TRAIN:
            for sentence in read(silver, name):
                for word in sentence["words"]:
                    words[word.lower()] += 1
                    parts.update(affixes(word.lower()))
                tags.update(sentence["tags"])
                relations.update(sentence["relations"])

        def frequent(counts: collections.Counter[str], least: int) -> list[str]:
            return [w for w, c in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if c >= least]

        self.words = ["<unknown>", "<root>", *frequent(words, 2)]
        self.affixes = ["<unknown>", "<root>", *frequent(parts, 4)]
        self.tags = [tag for tag, _ in tags.most_common()]
        self.relations = [*(relation for relation, _ in relations.most_common()), OBJECT]
        self.counts = np.array([0, 10**9, *(words[w] for w in self.words[2:])], np.float32)

    def encode(self, sentences: Iterator[dict[str, Any]]) -> dict[int, dict[str, torch.Tensor]]:
        """Tensors by length: features x, heads h, tags t, relations r."""
        word, affix = ({w: i for i, w in enumerate(names)} for names in (self.words, self.affixes))
        tag, relation = ({w: i for i, w in enumerate(names)} for names in (self.tags, self.relations))
        rows: dict[int, dict[str, list[Any]]] = collections.defaultdict(lambda: collections.defaultdict(list))
        for sentence in sentences:
            length = len(sentence["words"])
            if length > LONGEST:
                continue
            bucket = rows[length]
            bucket["x"].append(
                [
                    (word.get(w.lower(), 0), *(affix.get(a, 0) for a in affixes(w.lower())), shape(w))
                    for w in sentence["words"]
                ]
            )
            heads, relations = raise_prepositions(sentence["heads"], sentence["relations"])
            bucket["h"].append(heads)
            bucket["t"].append([tag.get(t, 0) for t in sentence["tags"]])
            bucket["r"].append([relation.get(r, 0) for r in relations])
        return {n: {k: torch.tensor(v) for k, v in bucket.items()} for n, bucket in sorted(rows.items())}


class Swap:
    """Puts other words of the same tag in the place of words: the original's trees hang on tags far more than on words.
    Only words with (nearly) always one tag take part, so that the tags stay what the original would give."""

    OPEN = ("NN", "NNS", "JJ", "VBG", "VBN", "VBZ", "VBP", "VB", "CD")
    SHARE = 0.15

    def __init__(self, vocabulary: Vocabulary, buckets: dict[int, dict[str, torch.Tensor]]) -> None:
        x, tags = (torch.cat([b[k].flatten(0, 1) for b in buckets.values()]) for k in "xt")
        counts = torch.zeros(len(vocabulary.words), len(vocabulary.tags))
        counts.index_put_((x[:, 0], tags), torch.ones(len(x)), accumulate=True)
        self.single = counts.max(1).values >= 0.97 * counts.sum(1)
        self.single[:2] = False
        self.pools: dict[int, torch.Tensor] = {}
        for tag in map(vocabulary.tags.index, self.OPEN):
            rows = x[(tags == tag) & self.single[x[:, 0]]]
            words, first = np.unique(rows[:, 0].numpy(), return_index=True)
            # The square root of its frequency: rare words more often than they come.
            share = counts[torch.from_numpy(words), tag].sqrt()
            self.pools[tag] = rows[torch.from_numpy(first)][torch.multinomial(share, 20000, replacement=True)]

    def __call__(self, x: torch.Tensor, tags: torch.Tensor) -> torch.Tensor:
        """Features with some words exchanged."""
        chosen = (torch.rand(tags.shape) < self.SHARE) & self.single[x[..., 0]]
        for tag, pool in self.pools.items():
            here = chosen & (tags == tag)
            x[here] = pool[torch.randint(len(pool), (int(here.sum()),))]
        return x


class Norm(nn.Module):
    """Root mean square normalisation."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.ones(size))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.gain


class Student(nn.Module):
    """Word, affix and shape vectors, a window of three words, a bidirectional LSTM, and heads for tags, arcs and
    relations."""

    def __init__(self, vocabulary: Vocabulary, dropout: float = 0.0) -> None:
        super().__init__()
        self.dropout = dropout
        self.word = nn.Embedding(len(vocabulary.words), SIZE)
        self.affix = nn.Embedding(len(vocabulary.affixes), SIZE)
        self.shape = nn.Embedding(8, SIZE)
        for table in (self.word, self.affix, self.shape):
            nn.init.normal_(table.weight, std=0.3)
        self.embedding_norm = Norm(SIZE)
        self.window = nn.Linear(3 * SIZE, SIZE)
        self.lstm = nn.LSTM(SIZE, HIDDEN, LAYERS, bidirectional=True, batch_first=True, dropout=dropout)
        self.project = nn.Linear(2 * HIDDEN, SIZE)
        self.norm = Norm(SIZE)
        self.tag = nn.Linear(SIZE, len(vocabulary.tags))
        self.dependent = nn.Linear(SIZE, ARC)
        self.head = nn.Linear(SIZE, ARC)
        self.bilinear = nn.Linear(ARC, ARC, bias=False)
        self.head_bias = nn.Linear(ARC, 1)
        self.label_dependent = nn.Linear(SIZE, LABEL)
        self.label_head = nn.Linear(SIZE, LABEL, bias=False)
        self.label = nn.Linear(LABEL, len(vocabulary.relations))
        self.reach: dict[str, float] = collections.defaultdict(float)

    def _seen(self, name: str, x: torch.Tensor) -> torch.Tensor:
        """Remembers how large the inputs of a matrix get."""
        if not self.training:
            self.reach[name] = max(self.reach[name], float(x.abs().max()))
        return x

    def encode(self, x: torch.Tensor) -> torch.Tensor:
        root = torch.ones(len(x), 1, 6, dtype=x.dtype)
        root[..., 5] = 7
        x = torch.cat([root, x], 1)
        e = self.embedding_norm(self.word(x[..., 0]) + self.affix(x[..., 1:5]).sum(-2) + self.shape(x[..., 5]))
        e = functional.dropout(self._seen("window", e), self.dropout, self.training)
        padded = functional.pad(e, (0, 0, 1, 1))
        y = e + self.window(torch.cat([padded[:, :-2], e, padded[:, 2:]], -1))
        return self.norm(self.project(self.lstm(self._seen("input0", y))[0]))

    def forward(
        self, x: torch.Tensor, heads: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        y = self._seen("heads", self.encode(x))
        dependent = self._seen("bilinear", functional.relu(self.dependent(y[:, 1:])))
        head = self._seen("head", functional.relu(self.head(y)))
        query = self._seen("dependent", self.bilinear(dependent) * 0.1 + self.head_bias.weight)
        arcs = query @ head.transpose(1, 2)
        if heads is None:
            heads = arcs.argmax(-1)
        chosen = torch.gather(self.label_head(y), 1, heads[..., None].expand(-1, -1, LABEL))
        hidden = self._seen("label", functional.relu(self.label_dependent(y[:, 1:]) + chosen))
        return self.tag(y[:, 1:]), arcs, self.label(hidden)


def train(
    silver: Path, work: Path, minutes: float, seed: int, threads: int, resume: bool, dropout: float, rate: float
) -> None:
    """Trains until the minutes of processor time are used."""
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    vocabulary = Vocabulary(silver)
    buckets = vocabulary.encode(s for name in TRAIN for s in read(silver, name))
    swap = Swap(vocabulary, buckets)
    student = Student(vocabulary, dropout)
    if resume:
        student.load_state_dict(torch.load(work / "weights.pt", weights_only=True))
    optimizer = torch.optim.AdamW(student.parameters(), lr=rate, betas=(0.9, 0.98), weight_decay=0.01)
    average = {name: value.clone() for name, value in student.state_dict().items()}
    counts = torch.from_numpy(vocabulary.counts)
    start, step, spent = time.process_time(), 0, 0.0
    while spent < 1:
        batches = []
        for length, bucket in buckets.items():
            # Long captions are few and hard: they come more often.
            often = 1 if length < 15 else 2 if length < 20 else 4
            order = torch.from_numpy(np.concatenate([random.permutation(len(bucket["x"])) for _ in range(often)]))
            batches += [(length, part) for part in order.split(max(8, BATCH_WORDS // (length + 1)))]
        random.shuffle(batches)
        for length, rows in batches:
            spent = (time.process_time() - start) / (60 * minutes)
            if spent >= 1:
                break
            share = min(1.0, spent / 0.02) * (1 - max(0.0, (spent - 0.3) / 0.7))
            x, heads, tags, relations = (buckets[length][k][rows] for k in "xhtr")
            x = swap(x, tags)
            # Rare words are hidden now and then, so that affixes learn to stand in for words never seen.
            seen = counts[x[..., 0]]
            x[..., 0][torch.rand(seen.shape) < 0.5 / (0.5 + seen) + 0.01] = 0
            tag, arc, label = student(x, heads)
            loss = (
                functional.cross_entropy(arc.flatten(0, 1), heads.flatten())
                + 0.5 * functional.cross_entropy(tag.flatten(0, 1), tags.flatten())
                + 0.7 * functional.cross_entropy(label.flatten(0, 1), relations.flatten())
            )
            optimizer.zero_grad()
            (loss * (heads.numel() / BATCH_WORDS) ** 0.5).backward()
            nn.utils.clip_grad_norm_(student.parameters(), 2.0)
            for group in optimizer.param_groups:
                group["lr"] = rate * share
            optimizer.step()
            step += 1
            decay = min(AVERAGE, (1 + step) / (10 + step))
            with torch.no_grad():
                for name, value in student.state_dict().items():
                    average[name].lerp_(value, 1 - decay)
            if step % 500 == 0:
                print(f"{spent:6.1%} step {step} loss {loss.item():.3f}", flush=True)
                save(average, work)
    save(average, work)
    record = {"seed": seed, "minutes": minutes, "threads": threads, "steps": step}
    record |= {"dropout": dropout, "learning_rate": rate, "torch": torch.__version__}
    runs = json.loads((work / "record.json").read_text()) if resume else []
    (work / "record.json").write_text(json.dumps([*runs, record]))


def save(weights: dict[str, torch.Tensor], work: Path) -> None:
    """Writes weights so that a run that is stopped never leaves half a file."""
    torch.save(weights, work / "weights.tmp")
    (work / "weights.tmp").replace(work / "weights.pt")


def export(silver: Path, work: Path, out: Path) -> None:
    """Rounds the weights to 8 bits, row by row, and writes what `vericap.scene.parser` reads."""
    vocabulary = Vocabulary(silver)
    student = Student(vocabulary)
    student.load_state_dict(torch.load(work / "weights.pt", weights_only=True))
    student.eval()
    with torch.no_grad():
        for length, bucket in vocabulary.encode(read(silver, "train-coco-2")).items():
            if length < 30:
                student(bucket["x"][:200], bucket["h"][:200])
    state = {name: value.numpy() for name, value in student.state_dict().items()}
    arrays: dict[str, np.ndarray] = {}

    def store(name: str, weights: np.ndarray, reach: float | None = None, bias: np.ndarray | None = None) -> None:
        scale = np.maximum(np.abs(weights).max(axis=1), 1e-9) / 127
        arrays[f"{name}.weight"] = np.rint(weights / scale[:, None]).astype(np.int8)
        arrays[f"{name}.scale"] = scale.astype(np.float32)
        if reach is not None:
            arrays[f"{name}.reach"] = np.float32(reach)
        if bias is not None:
            arrays[f"{name}.bias"] = bias.astype(np.float32)

    margin = 1.1  # inputs beyond what was seen
    for table in ("word", "affix", "shape"):
        store(table, state[f"{table}.weight"])
    window = state["window.weight"]
    store("window", np.concatenate(np.split(window, 3, axis=1)), margin * student.reach["window"])
    arrays["window_bias"] = state["window.bias"]
    arrays["embedding_norm"], arrays["norm"] = state["embedding_norm.gain"], state["norm.gain"]
    half = np.repeat([0.5, 0.5, 0.5, 1.0], HIDDEN)

    def gates(values: np.ndarray) -> np.ndarray:
        """Torch's order input, forget, cell, output → input, forget, output, cell; the first three halved."""
        i, f, c, o = np.split(values, 4)
        ordered = np.concatenate([i, f, o, c])
        return ordered * (half[:, None] if ordered.ndim == 2 else half)

    for layer in range(LAYERS):
        ways = [f"l{layer}", f"l{layer}_reverse"]
        weights = np.concatenate([gates(state[f"lstm.weight_ih_{way}"]) for way in ways])
        bias = np.concatenate([gates(state[f"lstm.bias_ih_{way}"] + state[f"lstm.bias_hh_{way}"]) for way in ways])
        store(f"input{layer}", weights, margin * student.reach["input0"] if layer == 0 else 1.0, bias)
        for way, name in zip(ways, ("forward", "backward"), strict=True):
            store(f"recurrent{layer}.{name}", gates(state[f"lstm.weight_hh_{way}"]), 1.0)
    store("project", state["project.weight"], 1.0, state["project.bias"])
    heads = ("tag", "dependent", "head", "label_dependent", "label_head")
    bias = np.concatenate([state.get(f"{name}.bias", np.zeros(LABEL, np.float32)) for name in heads])
    store("heads", np.concatenate([state[f"{name}.weight"] for name in heads]), margin * student.reach["heads"], bias)
    store("bilinear", state["bilinear.weight"] * 0.1, margin * student.reach["bilinear"])
    arrays["head_bias"] = state["head_bias.weight"][0]
    arrays["head.reach"] = np.float32(margin * student.reach["head"])
    arrays["dependent.reach"] = np.float32(margin * student.reach["dependent"])
    store("label", state["label.weight"], margin * student.reach["label"], state["label.bias"])
    out.mkdir(parents=True, exist_ok=True)
    np.savez(out / "parser.npz", **arrays)
    lemmas = learn_endings(
        sorted({
            (word.lower(), tag, lemma.lower())
            for name in TRAIN
            for s in read(silver, name)
            for word, tag, lemma in zip(s["words"], s["tags"], s["lemmas"], strict=True)
        })
    )
    about = {
        "made_by": "tools/train_parser.py and tools/train_grammar.py",
        "training": json.loads((work / "record.json").read_text()),
        "layers": LAYERS,
        "tags": vocabulary.tags,
        "relations": vocabulary.relations,
        "lemmas": lemmas,
        "words": vocabulary.words,
        "affixes": vocabulary.affixes,
        "frequent": int((vocabulary.counts >= 10).sum()) + 1,  # words, with the unknown one
    }
    (out / "parser.json").write_text(json.dumps(about, ensure_ascii=False), encoding="utf-8")


def measure(parser: Parser, silver: Path) -> dict[str, float]:
    """Accuracy of tags, heads, heads with relations and whole trees on dev, in percent."""
    gold = [s for s in read(silver, "dev") if len(s["words"]) <= LONGEST]
    right = np.zeros(4)
    for g, p in zip(gold, parser.parse([s["words"] for s in gold]), strict=True):
        head = np.array(g["heads"]) - 1 == np.array(p.heads)
        labelled = head & (np.array(g["relations"]) == np.array(p.relations))
        tags = np.array(g["tags"]) == np.array(p.tags)
        right += [tags.sum(), head.sum(), labelled.sum(), labelled.all()]
    words = sum(len(s["words"]) for s in gold)
    names = ("tags", "unlabelled", "labelled", "trees")
    return {
        name: round(100 * float(r) / n, 2)
        for name, r, n in zip(names, right, (words, words, words, len(gold)), strict=True)
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("step", choices=["train", "export"])
    parser.add_argument("--silver", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("src/vericap/data/parser"))
    parser.add_argument("--minutes", type=float, default=80)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument("--rate", type=float, default=3e-3, help="highest learning rate")
    parser.add_argument("--resume", action="store_true", help="go on from WORK/weights.pt with a new schedule")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    if options.step == "train":
        o = options
        train(o.silver, o.work, o.minutes, o.seed, o.threads, o.resume, o.dropout, o.rate)
    else:
        export(options.silver, options.work, options.out)


if __name__ == "__main__":
    main()
