"""Trains the grammar of the caption parser on silver trees, for a network that is trained and rounded already.

An averaged perceptron with a margin (Collins 2002; Taskar et al. 2003): where the best tree, wrong words favoured, is
not the silver one, the weights of the silver tree's features rise and those of the tree found fall. The network's
scores weigh little here, for it knows its training captions better than new ones; how much they weigh in the parser
is chosen on dev. The weights are rounded to 16 bits.
"""

from __future__ import annotations

import collections
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.parser.export import measure
from tools.parser.silver import LONGEST, Silver
from vericap.engine.blas import one_blas_thread
from vericap.kernels.grammar import NEVER, Grammar
from vericap.scene.caption_grammar import UNIT, Candidates, CaptionGrammar, candidates
from vericap.scene.network import ParserNetwork
from vericap.scene.parser import Parser, batches_by_length
from vericap.scene.prepositions import raise_prepositions

SIZE = 2**20
STEP, MARGIN = 0.02 * UNIT, 0.3 * UNIT
# How much the network's tags, heads and relations weigh in training, and in the parser (chosen on dev).
TRAINING = (0.4, 0.2, 0.2)
SCALES = ((0.5, 0.3, 0.3), (0.6, 0.4, 0.4), (0.8, 0.6, 0.6))
LONG = 13
EASY = 0.25  # the share of sentences parsed right last time that are tried again

FUNCTION_TAGS = set("IN TO DT CC PRP PRP$ WDT WP WRB WP$ MD EX POS RP PDT . , : `` ''".split())
AUXILIARIES = set("is are was were be been being has have had having do does did 's 're am n't not".split())


@dataclass
class Tree:
    """A silver tree in numbers, prepositions raised, with its words."""

    tags: np.ndarray
    heads: np.ndarray
    relations: np.ndarray
    closed: np.ndarray
    words: np.ndarray


def function_words(sentences: list[Silver]) -> list[str]:
    """Words that are mostly function words, auxiliaries and frequent adverbs, most frequent first."""
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for sentence in sentences:
        for word, tag in zip(sentence["words"], sentence["tags"], strict=True):
            counts[word.lower()][tag] += 1

    def is_function_word(word: str) -> bool:
        tags = counts[word]
        total = tags.total()
        return total >= 10 and (
            word in AUXILIARIES
            or sum(tags[t] for t in FUNCTION_TAGS) >= 0.4 * total
            or (total >= 60 and tags["RB"] + tags["RBR"] + tags["RBS"] >= 0.4 * total)
        )

    return sorted(filter(is_function_word, counts), key=lambda word: (-counts[word].total(), word))[:500]


def tables(trees: list[Tree], grammar: CaptionGrammar, relations: int) -> dict[str, np.ndarray]:
    """Return the classes of siblings, states and arcs that were seen, for `vericap.kernels.grammar.Grammar`."""
    pairs: collections.Counter[tuple[int, int]] = collections.Counter()
    states = np.zeros((64, 64), np.int32)
    arcs = np.zeros((64, 2, 64, 64), np.uint8)
    for tree in trees:
        pairs.update(zip(tree.tags.tolist(), tree.relations.tolist(), strict=True))
        governor = np.where(tree.heads > 0, grammar.tag_class[tree.tags[tree.heads - 1]], 3)
        np.bitwise_or.at(states, (tree.tags, tree.relations), 15 << (4 * governor))
        word = np.nonzero(tree.heads)[0]
        head = tree.heads[word] - 1
        arcs[tree.tags[head], (head < word).astype(int), tree.tags[word], tree.relations[word]] = 1
    # A class for each relation, and for the most frequent pairs of tag and relation beyond each relation's first.
    siblings = np.tile(np.arange(64, dtype=np.int32), (64, 1))
    siblings[:, relations:] = 0
    free, met = relations, set()
    for (tag, relation), _ in pairs.most_common():
        if relation in met and free < 62:
            siblings[tag, relation] = free
            free += 1
        met.add(relation)
    return {"siblings": np.ascontiguousarray(siblings), "states": states, "arcs": arcs}


def pack(c: Candidates) -> Candidates:
    """Return the same in 16 bits, to keep those of all sentences in memory."""
    small = (np.maximum(x, -32768).astype(np.int16) for x in (c.tags, c.head_scores, c.relations))
    tags, head_scores, relations = small
    return Candidates(tags, c.heads, c.start, head_scores, relations)  # type: ignore[arg-type]


def unpack(c: Candidates) -> Candidates:
    tags, relations = (np.where(x == -32768, NEVER, x.astype(np.float64)) for x in (c.tags, c.relations))
    return Candidates(tags, c.heads, c.start, c.head_scores.astype(np.float64), relations)


def all_candidates(network: ParserNetwork, sentences: list[list[str]], root: int) -> list[Candidates]:
    found: list[Candidates | None] = [None] * len(sentences)
    network.learn_words(sentences)
    with one_blas_thread():
        for batch in batches_by_length(sentences):
            groups = network.scores([sentences[i] for i in batch])
            in_order = (c for scores in groups for c in candidates(scores, root, TRAINING))
            for i, c in zip(batch, in_order, strict=True):
                found[i] = pack(c)
    return [c for c in found if c is not None]


def with_margin(c: Candidates, tree: Tree) -> Candidates | None:
    """Everything but the silver tree scores a little more; None if the silver tree is not a candidate."""
    n = len(tree.tags)
    word = np.arange(n)
    arc_word = np.repeat(word, np.diff(c.start))
    right = c.heads == tree.heads[arc_word]
    if right.sum() != n or (c.tags[word, tree.tags] == NEVER).any():
        return None
    if (c.relations[right, tree.relations] == NEVER).any():
        return None
    tags, relations = c.tags + MARGIN, c.relations + MARGIN
    tags[word, tree.tags] -= MARGIN
    relations[np.arange(len(arc_word)), tree.relations[arc_word]] -= MARGIN
    return Candidates(tags, c.heads, c.start, c.head_scores + MARGIN * ~right, relations)


def searcher(grammar: CaptionGrammar, seen: Mapping[str, Any], weights: NDArray[np.float32]) -> Grammar:
    """Return a search with these weights; `seen` are the tables of siblings, states and arcs."""
    return Grammar(weights, grammar.tag_class, grammar.marks, seen["siblings"], seen["states"], seen["arcs"])


def train(
    make: Any, found: list[Candidates], trees: list[Tree], epochs: int, seed: int
) -> Iterator[tuple[np.ndarray, dict[str, int]]]:
    """Averaged weights after each epoch, and counts of what happened in it. `make` gives a grammar on weights."""
    random = np.random.default_rng(seed)
    weights, change = np.zeros(SIZE, np.float32), np.zeros(SIZE, np.float32)
    grammar: Grammar = make(weights)
    changes: Grammar = make(change)
    hard, seen = np.ones(len(trees), bool), 1
    for _ in range(epochs):
        counts = collections.Counter[str]()
        for i in random.permutation(len(trees)):
            if not hard[i] and random.random() >= EASY:
                continue
            seen += 1
            counts["tried"] += 1
            hard[i] = False
            tree = trees[i]
            c = with_margin(unpack(found[i]), tree)
            if c is None:
                counts["out of reach"] += 1
                continue
            best = grammar.best_tree(c.tags, c.heads, c.start, c.head_scores, c.relations, tree.closed, tree.words)
            assert best is not None
            tags, heads, relations = best
            if (tags == tree.tags).all() and (heads == tree.heads).all() and (relations == tree.relations).all():
                continue
            hard[i] = True
            counts["wrong"] += 1
            for to, step in ((grammar, STEP), (changes, STEP * seen / 1e5)):
                to.add_tree(step, tree.tags, tree.heads, tree.relations, tree.closed, tree.words)
                to.add_tree(-step, tags, heads, relations, tree.closed, tree.words)
        yield weights - change * np.float32(1e5 / seen), dict(counts)


def numbered(sentences: list[Silver], about: dict[str, Any], grammar: CaptionGrammar) -> list[Tree]:
    """Return the trees in the parser's numbers."""
    tag, relation = ({w: i for i, w in enumerate(about[k])} for k in ("tags", "relations"))
    trees = []
    for s in sentences:
        heads, relations = raise_prepositions(s["heads"], s["relations"])
        numbers = ([tag[t] for t in s["tags"]], heads, [relation[r] for r in relations])
        trees.append(Tree(*(np.array(x, np.int32) for x in numbers), *grammar.word_numbers(s["words"])))
    return trees


def train_on(
    sentences: list[Silver], about: dict[str, Any], arrays: dict[str, Any], most: int, epochs: int, seed: int
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield the parser's arrays and description after each epoch."""
    sentences = [s for s in sentences if len(s["words"]) <= LONGEST]
    about = {**about, "closed": function_words([s for s in sentences if not s.get("cut")])}
    grammar = CaptionGrammar(about["tags"], about["relations"], about["closed"], about["words"][: about["frequent"]])
    trees = numbered(sentences, about, grammar)
    seen = tables(trees, grammar, len(about["relations"]))
    # Where not all are taken, the long ones are: they are few, and harder.
    order = np.random.default_rng(seed).permutation(len(trees))
    chosen = np.array(sorted(order, key=lambda i: len(sentences[i]["words"]) < LONG)[:most])
    network = ParserNetwork(arrays, about["words"], about["affixes"], about["layers"])
    found = all_candidates(network, [sentences[i]["words"] for i in chosen], about["relations"].index("root"))
    made = {"siblings": seen["siblings"], "states": seen["states"], "arcs": np.packbits(seen["arcs"])}
    told = {"seed": seed, "sentences": len(chosen), "training_scales": TRAINING, "step": STEP, "margin": MARGIN}
    grown = train(lambda w: searcher(grammar, seen, w), found, [trees[i] for i in chosen], epochs, seed)
    for epoch, (weights, counts) in enumerate(grown):
        print(f"grammar: epoch {epoch + 1} of {epochs}, {counts}", flush=True)
        small = np.clip(np.rint(weights), -32767, 32767).astype(np.int16)
        yield {**arrays, **made, "grammar": small}, {**about, "grammar": {**told, "epochs": epoch + 1}}


def best(
    found: Iterable[tuple[dict[str, Any], dict[str, Any]]], dev: list[Silver], trial: Path
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the parser and the weights of the network's scores with most labelled arcs right on dev;
    `trial` is a folder to write them to."""
    kept: tuple[dict[str, Any], dict[str, Any]] | None = None
    for arrays, about in found:
        digest = hashlib.sha256()
        for name in sorted(arrays):
            digest.update(name.encode() + np.asarray(arrays[name]).tobytes())
        for scales in SCALES:
            told = {**about, "hash": digest.hexdigest()[:12], "scales": scales}
            write(trial, arrays, told)
            right = measure(Parser(trial), dev)
            print(f"scales {scales}: {json.dumps(right)}", flush=True)
            if kept is None or right["labelled"] > kept[1]["dev"]["labelled"]:
                kept = arrays, {**told, "dev": right}
    assert kept is not None
    return kept


def write(folder: Path, arrays: dict[str, Any], about: dict[str, Any]) -> None:
    """Write parser.npz and parser.json."""
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(folder / "parser.npz", **arrays)
    (folder / "parser.json").write_text(json.dumps(about, ensure_ascii=False), encoding="utf-8")


def load(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what `write` wrote."""
    with np.load(folder / "parser.npz", allow_pickle=False) as stored:
        return dict(stored), json.loads((folder / "parser.json").read_text("utf-8"))
