"""Differences between our caption parser and the one that SPICE uses, by kind, on every set for which the
original's output is at hand.

    python -m benchmarks.papers.spice_differences            # prints the tables
    python -m benchmarks.papers.spice_differences --write    # puts them into docs/spice.md

A caption whose tree differs has one kind: that of its first different tag, for the arcs follow from the tags; where all
tags are the same, that of the different arcs, prepositions above their nouns, the first in the order of `ARCS`. Beside
the captions of each kind come the propositions that only one of the two parsers finds in them.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.pages import replace, table
from benchmarks.places import DATA, ROOT
from vericap.readers.storage.graph_files import read_notation
from vericap.scene.caption_graphs import caption_propositions
from vericap.scene.collapse import collapse
from vericap.scene.dependencies import Sentence
from vericap.scene.graph import SceneGraph
from vericap.scene.parser import MAX_WORDS, Parser
from vericap.scene.prepositions import raise_prepositions
from vericap.scene.rules import propositions
from vericap.scene.synsets import synset_lookup
from vericap.text.ptb import PUNCTUATION, tokenize

SETS = ("fakecap1000", "k5k_nn", "flickr8k_expert", "composite_c0", "pascal50s_first5", "flickr8k_cf_no2")

# Classes of tags, and what two of them mean together.
_CLASSES = (("noun", "NN"), ("adjective", "JJ"), ("participle", "VBG VBN"), ("verb", "VB MD"), ("number", "CD"))
_SMALL = {"IN": "preposition", "TO": "preposition", "RP": "preposition", "RB": "preposition"}
TAGS = (
    "noun or adjective", "noun or participle", "noun or verb", "adjective or participle", "forms of a verb",
    "preposition, particle or adverb", "numbers", "kinds of a noun", "other tags",
)  # fmt: skip

# Kinds of arcs by the relations of the words that are attached differently, in either tree.
ARCS = {
    "coordination": frozenset({"conj", "cc"}),
    "participles and clauses": frozenset({"acl", "acl:relcl", "advcl", "xcomp", "ccomp", "mark"}),
    "attachment of prepositions": frozenset({"nmod", "pobj", "case", "mwe"}),
    "compounds": frozenset({"compound"}),
    "numbers in the tree": frozenset({"nummod"}),
    "adverbs": frozenset({"advmod"}),
}
OTHER_ARCS, SAME_TREE, TOO_LONG = "other arcs", "same tree, other lemma", f"longer than {MAX_WORDS} words"
KINDS = (*TAGS, *ARCS, OTHER_ARCS, SAME_TREE, TOO_LONG)

# A caption that ends in one of these tags stops in the middle.
_OPEN_ENDS = frozenset(("DT", "IN", "TO", "CC", "PRP$", "WDT"))
LONG = 25


def tag_kind(first: str, second: str) -> str:
    """Return the kind of confusion of two parsers that give a word different tags.

    >>> tag_kind("JJ", "NN"), tag_kind("VBD", "VBN"), tag_kind("IN", "RP"), tag_kind("NNP", "NN")
    ('noun or adjective', 'forms of a verb', 'preposition, particle or adverb', 'kinds of a noun')
    """
    if first in _SMALL and second in _SMALL:
        return "preposition, particle or adverb"
    if first.startswith("VB") and second.startswith("VB"):
        return "forms of a verb"
    classes = {_tag_class(first), _tag_class(second)}
    if "number" in classes:
        return "numbers"
    if classes == {"noun"}:
        return "kinds of a noun"
    if classes in ({"adjective", "verb"}, {"adjective", "participle"}):
        return "adjective or participle"
    name = " or ".join(name for name, _ in _CLASSES if name in classes)
    return name if len(classes) == 2 and name in TAGS else "other tags"


def _tag_class(tag: str) -> str:
    return next((name for name, tags in _CLASSES if tag.startswith(tuple(tags.split()))), "")


def arc_kind(heads: Sequence[int], relations: Sequence[str], other: tuple[Sequence[int], Sequence[str]]) -> str:
    """Return the kind of difference between two trees of the same tags; heads are 1-based, 0 is the root.

    >>> arc_kind([0, 1, 2, 3, 4], ["root", "nmod", "pobj", "nmod", "pobj"],
    ...          ([0, 1, 2, 1, 4], ["root", "nmod", "pobj", "nmod", "pobj"]))
    'attachment of prepositions'
    """
    different = {
        name
        for head, relation, its_head, its_relation in zip(heads, relations, *other, strict=True)
        if (head, relation) != (its_head, its_relation)
        for name in (relation, its_relation)
    }
    return next((kind for kind, names in ARCS.items() if not names.isdisjoint(different)), OTHER_ARCS)


def kind_of(original: Sentence, ours: Sentence) -> str | None:
    """Return the kind of difference between two trees of a sentence; None if they are the same."""
    for first, second in zip(original.tags, ours.tags, strict=True):
        if first != second:
            return tag_kind(first, second)
    raised = [raise_prepositions([head + 1 for head in s.heads], s.relations) for s in (original, ours)]
    return None if raised[0] == raised[1] else arc_kind(*raised[0], raised[1])


def is_cut(sentence: Sentence) -> bool:
    """Return whether a caption stops in the middle: "a man riding a bike with a train in the"."""
    return sentence.tags[-1] in _OPEN_ENDS


@dataclass
class Tally:
    """Captions, those with another tree, and propositions that only one parser finds."""

    captions: int = 0
    trees: int = 0
    propositions: int = 0
    different: int = 0
    by_kind: Counter[str] = field(default_factory=Counter)
    propositions_by_kind: Counter[str] = field(default_factory=Counter)

    def add(self, kind: str | None, different: int, propositions: int) -> None:
        """Count one caption."""
        self.captions += 1
        self.propositions += propositions
        self.different += different
        if kind is None and different:
            kind = SAME_TREE
        if kind is not None:
            self.trees += 1
            self.by_kind[kind] += 1
            self.propositions_by_kind[kind] += different


def tally(rows: Iterable[tuple[str | None, int, int]]) -> Tally:
    found = Tally()
    for row in rows:
        found.add(*row)
    return found


def lines(path: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def compared(silver: Iterable[dict[str, Any]]) -> dict[str, tuple[Sentence, tuple[str | None, int, int]]]:
    """Return for each caption the original's tree, the kind of its difference, and how many propositions differ of how
    many."""
    captions = [row for row in silver if len(row["sentences"]) == 1]
    originals = [
        Sentence(s["words"], s["tags"], s["lemmas"], [head - 1 for head in s["heads"]], s["relations"])
        for row in captions
        for s in row["sentences"]
    ]
    short = [sentence for sentence in originals if len(sentence.words) <= MAX_WORDS]
    trees = iter(Parser.load().parse([sentence.words for sentence in short]))
    found = {}
    for row, original in zip(captions, originals, strict=True):
        theirs = set(map(tuple, row["tuples"]))
        if len(original.words) > MAX_WORDS:
            (ours,) = map(set, caption_propositions([original.words]))
            kind: str | None = TOO_LONG
        else:
            tree = next(trees)
            ours, kind = set(propositions(collapse(tree))), kind_of(original, tree)
        found[row["caption"]] = original, (kind, len(ours ^ theirs), len(ours) + len(theirs))
    return found


def captions_of(name: str) -> list[str]:
    """Return the different captions of a set, candidates and references."""
    rows = list(lines(DATA / "oracle" / "spice" / f"{name}.jsonl.xz"))
    return list(dict.fromkeys(text for row in rows for text in (row["candidate"], *row.get("references", ()))))


def graphs_apart() -> list[list[str]]:
    """Return sets of which only tuples are known: the SPICE authors' examples, and FACTUAL's file of the parser's
    output."""
    examples = json.loads((DATA / "spice" / "coco_examples_new.json").read_text("utf-8"))
    factual = (DATA / "spice" / "factual_SPICE_parsing_outputs.txt").read_text("utf-8").splitlines()
    phrases = [line.split("\t") for line in factual if "\t" in line]
    body = []
    for name, texts, wanted in (
        (
            "SPICE's examples, candidates",
            [text for row in examples for text in row["test_caption"]],
            [{tuple(t["tuple"]) for t in row["test_tuples"]} for row in examples],
        ),
        (
            "FACTUAL's file, attributes and relations alone",
            [text for text, _ in phrases],
            [{_in_order(t) for t in read_notation(graph) if len(t) > 1} for _, graph in phrases],
        ),
    ):
        words = [[word for word in tokenize(text.lower()) if word not in PUNCTUATION] for text in texts]
        said = caption_propositions(words)
        if name.startswith("SPICE"):
            synsets = synset_lookup(said)
            ours = [{tuple(map(str, t)) for t in SceneGraph.of(p, synsets).tuples()} for p in said]
        else:
            ours = [{_in_order(t) for t in p if len(t) > 1} for p in said]
        counts = []
        for size in (1, 2, 3):
            pairs = [({t for t in a if len(t) == size}, {t for t in b if len(t) == size})
                     for a, b in zip(ours, wanted, strict=True)]  # fmt: skip
            counts.append(f"{sum(len(a - b) for a, b in pairs)} / {sum(len(b - a) for a, b in pairs)}")
        both = sum(len(a & b) for a, b in zip(ours, wanted, strict=True))
        f1 = 2 * both / sum(len(a) + len(b) for a, b in zip(ours, wanted, strict=True))
        body.append([name, f"{len(texts):,}", f"{f1:.3f}", *counts])
    return [["set", "captions", "tuple F1", "objects, only ours / only theirs", "attributes", "relations"], *body]


def _in_order(t: Sequence[str]) -> tuple[str, ...]:
    return (t[0], t[2].removeprefix("be "), t[1]) if len(t) == 3 else tuple(t)


def by_kind(tallies: dict[str, Tally]) -> str:
    def cell(count: int, tuples: int) -> str:
        return f"{count:,} ({tuples:,})" if count else "–"

    every = list(tallies.values())
    body = [["captions", *(f"{t.captions:,}" for t in every)]]
    body.append(["another tree", *(cell(t.trees, t.different) for t in every)])
    body.append(["share", *(f"{t.trees / t.captions:.1%} ({t.different / t.propositions:.1%})" for t in every)])
    for kind in sorted(KINDS, key=lambda kind: -sum(t.by_kind[kind] for t in every)):
        if any(t.by_kind[kind] for t in every):
            body.append([kind, *(cell(t.by_kind[kind], t.propositions_by_kind[kind]) for t in every)])
    return table([["captions (propositions)", *tallies], *body])


def by_group(tallies: dict[str, Tally]) -> str:
    body = [
        [name, f"{t.captions:,}", f"{t.trees / max(t.captions, 1):.1%}", f"{t.different / max(t.propositions, 1):.1%}"]
        for name, t in tallies.items()
    ]
    return table([["captions of all sets", "captions", "another tree", "different propositions"], *body])


def report() -> str:
    """Return the three tables."""
    silver = DATA / "oracle" / "silver"
    dev = compared(lines(silver / "dev.jsonl.xz"))
    found = compared(lines(silver / "sets.jsonl.xz"))
    tallies = {name: tally(found[text][1] for text in captions_of(name) if text in found) for name in SETS}
    tallies["dev"] = tally(row for _, row in dev.values())
    every = [*found.values(), *dev.values()]
    groups = {
        "cut": tally(row for tree, row in every if is_cut(tree)),
        f"{LONG} words and more": tally(row for tree, row in every if len(tree.words) >= LONG),
        "all others": tally(row for tree, row in every if not is_cut(tree) and len(tree.words) < LONG),
    }
    return "\n\n".join([by_kind(tallies), by_group(groups), table(graphs_apart())])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--write", action="store_true", help="put the tables into docs/spice.md")
    given = options.parse_args()
    text = report()
    print(text)
    if given.write:
        replace(ROOT / "docs" / "spice.md", "differences", text)


if __name__ == "__main__":
    main()
