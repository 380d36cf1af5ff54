"""SPICE stage by stage against the original: propositions from its trees, scores from its propositions, and the
whole way with our own parser."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vericap.corpus import Corpus
from vericap.metrics.spice import PARTS, Spice, SpiceExact, f_score
from vericap.scene.caption_graphs import caption_propositions
from vericap.scene.collapse import collapse
from vericap.scene.dependencies import Dependencies, Sentence
from vericap.scene.graph import SceneGraph
from vericap.scene.parser import Parser
from vericap.scene.rules import propositions
from vericap.scene.synsets import synset_lookup
from vericap.views import Views, graphs

SETS = ("fakecap1000", "k5k_nn", "flickr8k_expert", "composite_c0", "pascal50s_first5")

OURS = Spice("vericap")
CROWD_FLOWER = "flickr8k_cf_no2"  # scores alone, of captions #2 against the other four

# CIDEr-R's Table 3, SPICE × 100: correct candidates, then incorrect ones. Printed by its authors.
TABLE_3 = (
    [80.0, 80.0, 66.7, 50.0, 15.4, 10.5, 35.3, 22.2, 35.3, 14.3, 50.0, 50.0, 50.0, 50.0, 50.0],
    [20.0, 20.0, 20.0, 20.0, 20.0, 15.4, 15.4, 15.4, 15.4, 15.4, 88.9, 46.2, 53.3, 40.0, 30.8],
)


def lines(path: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def sentence(silver: dict[str, Any]) -> Sentence:
    heads = [head - 1 for head in silver["heads"]]
    return Sentence(silver["words"], silver["tags"], silver["lemmas"], heads, silver["relations"])


def references_without_2(data: Path) -> dict[str, list[str]]:
    """The captions of Flickr8k's images as written, but #2."""
    found: dict[str, list[str]] = {}
    for line in (data / "flickr8k" / "Flickr8k.token.txt").read_text("utf-8").splitlines():
        name, caption = line.split("\t")
        image, number = name.split("#")
        if number != "2":
            found.setdefault(image, []).append(caption)
    return found


def f1(found: list[set[Any]], wanted: list[set[Any]]) -> float:
    both = sum(len(a & b) for a, b in zip(found, wanted, strict=True))
    return 2 * both / (sum(map(len, found)) + sum(map(len, wanted)))


@pytest.fixture(scope="module")
def dev(data: Path) -> list[dict[str, Any]]:
    return list(lines(data / "oracle" / "silver" / "dev.jsonl.xz"))


@pytest.fixture(scope="module")
def scored(data: Path) -> Callable[[str], tuple[list[dict[str, Any]], Views]]:
    def read(name: str) -> tuple[list[dict[str, Any]], Views]:
        rows = list(lines(data / "oracle" / "spice" / f"{name}.jsonl.xz"))
        if name == CROWD_FLOWER:
            captions = references_without_2(data)
            for row in rows:
                row["references"] = captions[row["id"].split("|")[0]]
            corpus = Corpus.from_lists([row["candidate"] for row in rows], [row["references"] for row in rows])
            return rows, Views(corpus, tokenizer="ptb")
        corpus = Corpus.from_lists([row["candidate"] for row in rows], [row["references"] for row in rows])
        return rows, Views(corpus, tokenizer="none")

    return read


@pytest.fixture(scope="module")
def originals(data: Path) -> dict[str, list[tuple[str, ...]]]:
    """The original's propositions of each caption of the sets."""
    silver = lines(data / "oracle" / "silver" / "sets.jsonl.xz")
    return {row["caption"]: [tuple(t) for t in row["tuples"]] for row in silver}


def test_propositions_from_the_originals_collapsed_graph(dev):
    found = [
        {p for s in row["sentences"] for p in propositions(Dependencies.from_edges(sentence(s), s["collapsed"]))}
        for row in dev
    ]
    assert f1(found, [set(map(tuple, row["tuples"])) for row in dev]) >= 0.999


def test_propositions_from_the_originals_tree(dev):
    found = [{p for s in row["sentences"] for p in propositions(collapse(sentence(s)))} for row in dev]
    assert f1(found, [set(map(tuple, row["tuples"])) for row in dev]) >= 0.999


def test_lemmas(dev):
    lemma = Parser.load().lemmatizer.lemma
    pairs = [
        (lemma(word, tag), given.lower())
        for row in dev
        for s in row["sentences"]
        for word, tag, given in zip(s["words"], s["tags"], s["lemmas"], strict=True)
    ]
    assert np.mean([ours == theirs for ours, theirs in pairs]) > 0.9995


@pytest.mark.parametrize("name", SETS)
def test_scores_from_the_originals_propositions(scored, originals, monkeypatch, name):
    """Merging, matching and counting alone: every score and sub-score of every caption is the original's."""

    def parse(views, source):
        return [originals[text] for text in (*views.corpus.candidates, *views.corpus.references)]

    monkeypatch.setitem(graphs.PARSERS, "vericap", graphs._Parser(parse, lambda source: ""))
    rows, views = scored(name)
    statistics = OURS.statistics(views)
    for part in ("all", *PARTS):
        theirs = [np.nan if row.get(part) is None else row[part][3] for row in rows]
        np.testing.assert_allclose(f_score(statistics, part), theirs, atol=1e-8, equal_nan=True)
    exact = SpiceExact("vericap")
    np.testing.assert_allclose(exact.score(exact.statistics(views)), [row["exact"][3] for row in rows], atol=1e-8)


# With our own parser.

# Bars that are missed, with the figure. Strict: whoever meets one hears of it.
TUPLES_MISSED = {
    "flickr8k_expert": "F1 .942 where .95 is wanted",
    "composite_c0": "F1 .914 where .95 is wanted: captions of 25 to 60 words, unlike those of training",
    "pascal50s_first5": "F1 .934 where .95 is wanted",
}


@pytest.mark.slow_when_pure
@pytest.mark.parametrize(
    ("column", "aim"),
    [
        ("tags", 98),
        pytest.param("unlabelled", 96, marks=pytest.mark.xfail(reason="95.1 % where 96 is the aim", strict=True)),
        pytest.param("labelled", 95, marks=pytest.mark.xfail(reason="94.2 % where 95 is the aim", strict=True)),
    ],
)
def test_trees_are_the_originals(trees, column, aim):
    assert trees[column] >= aim


@pytest.mark.slow_when_pure
def test_the_accuracy_that_is_recorded_is_the_parsers(trees):
    recorded = Parser.load().about["dev"]
    assert {name: round(value, 2) for name, value in trees.items()} == {name: recorded[name] for name in trees}


@pytest.fixture(scope="module")
def trees(dev):
    """Tags, heads, and heads with relations that are the original's, in percent."""
    gold = [s for row in dev for s in row["sentences"]]
    right = np.zeros(3)
    for g, p in zip(gold, Parser.load().parse([s["words"] for s in gold]), strict=True):
        heads = np.array(g["heads"]) - 1 == np.array(p.heads)
        labelled = heads & (np.array(g["relations"]) == np.array(p.relations))
        right += [(np.array(g["tags"]) == np.array(p.tags)).sum(), heads.sum(), labelled.sum()]
    right *= 100 / sum(len(s["words"]) for s in gold)
    return dict(zip(("tags", "unlabelled", "labelled"), map(float, right), strict=True))


@pytest.fixture(scope="module", params=(*SETS, CROWD_FLOWER))
def parsed(request, scored, data):
    rows, views = scored(request.param)
    views.workers = 2
    means = json.loads((data / "oracle" / "spice" / "corpus.json").read_text("utf-8"))[request.param]
    return request.param, rows, views, means, OURS.statistics(views)


@pytest.mark.slow_when_pure
def test_caption_scores_go_with_the_originals(parsed):
    _, rows, _, _, statistics = parsed
    assert np.corrcoef(OURS.score(statistics), [row["all"][3] for row in rows])[0, 1] >= 0.97


@pytest.mark.slow_when_pure
def test_corpus_scores_are_near_the_originals(parsed):
    _, _, _, means, statistics = parsed
    assert OURS.aggregate(statistics) == pytest.approx(means["all"]["mean"], abs=0.002)


@pytest.mark.slow_when_pure
def test_corpus_sub_scores_are_near_the_originals(parsed):
    _, _, _, means, statistics = parsed
    for part in PARTS:
        assert np.nanmean(f_score(statistics, part)) == pytest.approx(means[part]["mean"], abs=0.005)


@pytest.mark.slow_when_pure
def test_candidate_tuples_are_the_originals(request, parsed):
    name, rows, views, _, _ = parsed
    if name == CROWD_FLOWER:
        pytest.skip("the original's tuples of this set were not kept")
    if name in TUPLES_MISSED:
        request.applymarker(pytest.mark.xfail(reason=f"{name}: {TUPLES_MISSED[name]}", strict=True))
    candidates, _ = views.get(OURS.graphs)
    synsets = synset_lookup(candidates)
    ours = [{tuple(map(str, t)) for t in SceneGraph.of(p, synsets).tuples()} for p in candidates]
    theirs = [{tuple(words) for words, _ in row["candidate_tuples"]} for row in rows]
    assert f1(ours, theirs) >= 0.95


# With SPICE's own parser.


@pytest.mark.slow_when_pure
@pytest.mark.parametrize("name", (*SETS, CROWD_FLOWER))
def test_scores_with_its_own_parser_are_the_originals(grammar, scored, name):
    """The first rows of each set; `python -m benchmarks.papers.spice_sets --exact` compares all."""
    rows, views = scored(name)
    few = views.rows(range(60))
    few.workers = 2
    statistics = Spice("stanford").statistics(few)
    for part in ("all", *PARTS):
        theirs = [np.nan if row.get(part) is None else row[part][3] for row in rows[:60]]
        np.testing.assert_allclose(f_score(statistics, part), theirs, atol=1e-6, equal_nan=True)


@pytest.mark.slow_when_pure
@pytest.mark.parametrize(("parser", "least"), [("stanford", 30), ("vericap", 24)])
def test_table_3_of_cider_r(grammar, data, parser, least):
    folder = data / "ciderr"
    from vericap import evaluate

    agreed = 0
    for side, printed in zip(("correct", "incorrect"), TABLE_3, strict=True):
        result = evaluate(
            folder / f"toy_candidate_classification_{side}_candidates.json",
            folder / "toy_candidate_classification_references.json",
            metrics=[Spice(parser)],
        )
        scores = next(iter(result.values())).captions
        agreed += sum(f"{100 * s:.1f}" == f"{p:.1f}" for s, p in zip(scores, printed, strict=True))
    assert agreed >= least


@pytest.mark.slow_when_pure
def test_order_and_workers_do_not_matter(scored):
    rows, views = scored("fakecap1000")
    backwards = Views(
        Corpus.from_lists([r["candidate"] for r in rows[::-1]], [r["references"] for r in rows[::-1]]), tokenizer="none"
    )
    ours = OURS.statistics(views)
    backwards.workers = 2
    assert ours.tobytes() == np.ascontiguousarray(OURS.statistics(backwards)[::-1]).tobytes()


def test_captions_are_parsed_once(monkeypatch):
    parsed: list[int] = []
    parse = Parser.parse_each
    monkeypatch.setattr(Parser, "parse_each", lambda self, s, *rest: parsed.append(len(s)) or parse(self, s, *rest))
    caption_propositions([["a", "dog"]] * 5)
    assert parsed == [1]
