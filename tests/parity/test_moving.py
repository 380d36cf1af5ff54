"""WMD and VIFIDEL against their formulas with POT's exact transport, WMD against gensim, both on real captions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import ot
import pytest

from vericap.corpus import Corpus
from vericap.lexicon.stop_words import ENGLISH
from vericap.lexicon.vectors import shipped
from vericap.metrics import parse
from vericap.readers.objects import add_objects
from vericap.readers.objects.labels import normalise
from vericap.views import Views


def bag(words: Sequence[str]) -> tuple[list[str], np.ndarray]:
    known = dict(zip(words, shipped().of(words)[1], strict=True)) if words else {}
    counts = Counter(word for word in words if known[word])
    return list(counts), np.array(list(counts.values()), float)


def content(caption: str) -> list[str]:
    return [word for word in caption.split() if word not in ENGLISH]


def moved(left: Sequence[str], right: Sequence[str], p: int, references: Sequence[str] = ()) -> float:
    """The paper's equations 1 to 5 word by word."""
    (a, mass_a), (b, mass_b) = bag(left), bag(right)
    if not a or not b:
        return float("inf")
    vector = dict(zip([*a, *b], shipped().of([*a, *b])[0], strict=True))
    rho = dict.fromkeys(vector, 1.0)
    said = [words for words, _ in (bag(content(reference)) for reference in references) if words]
    if said:
        for k in vector:
            most = [max(float(vector[k] @ shipped().of([t])[0][0]) for t in words) for words in said]
            rho[k] = float(np.mean([max(0.0, 1 - cosine) / 2 for cosine in most]))
    cost = np.array([[np.linalg.norm(rho[i] * vector[i] - rho[j] * vector[j]) ** p for j in b] for i in a])
    return float(ot.emd2(mass_a / mass_a.sum(), mass_b / mass_b.sum(), cost))


@pytest.fixture(scope="module")
def pascal(data: Path) -> Corpus:
    """Sixty pairs of PASCAL-50S as they are tokenised, five references each, with VOC's objects."""
    pairs = json.loads((data / "pascal50s" / "pascal50s_pairs_joined.json").read_text("utf-8"))[:60]
    references = json.loads((data / "pascal50s" / "pascal50s_refs_by_image.json").read_text("utf-8"))
    raw = Corpus.from_lists([p["a"] for p in pairs], [references[p["image"]][:5] for p in pairs])
    tokens = Views(raw).words
    candidates = [" ".join(tokens.spell(row)) for row in tokens.candidates]
    said = [" ".join(tokens.spell(row)) for row in tokens.references]
    corpus = Corpus.from_lists(candidates, [said[5 * i : 5 * i + 5] for i in range(60)], [f"{i}" for i in range(60)])
    voc = json.loads((data / "voc_objects" / "voc2012_objects_for_pascal50s.json").read_text("utf-8"))
    return add_objects(corpus, {f"{i}": voc[pair["image"]] for i, pair in enumerate(pairs)})


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize(("reduce", "choose"), [("best", min), ("worst", max), ("mean", np.mean)])
def test_wmd_is_pot_on_the_formula(pascal: Corpus, p: int, reduce: str, choose: object) -> None:
    metric = parse(f"wmd(reduce={reduce},p={p})")
    found = metric.statistics(Views(pascal, tokenizer="whitespace"))[:, 0]
    assert callable(choose)
    for row in range(0, 60, 2):
        left = content(pascal.candidates[row])
        wanted = choose([moved(left, content(reference), p) for reference in pascal.references_of(row)])
        assert found[row] == pytest.approx(wanted, abs=1e-9)


def test_wmd_is_gensims(pascal: Corpus) -> None:
    gensim = pytest.importorskip("gensim.models")
    keyed = gensim.KeyedVectors(shipped().dimensions)
    words = sorted({w for text in [*pascal.candidates, *pascal.references] for w in content(text)})
    words = [word for word, known in zip(words, shipped().of(words)[1], strict=True) if known]
    keyed.add_vectors(words, shipped().of(words)[0].astype(np.float64))
    keyed.vectors = shipped().of(words)[0]  # in 64 bits, as here
    found = parse("wmd").statistics(Views(pascal, tokenizer="whitespace"))[:, 0]
    for row in range(20):
        left = content(pascal.candidates[row])
        wanted = min(keyed.wmdistance(left, content(r), norm=False) for r in pascal.references_of(row))
        assert found[row] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("references", [0, 1, 5])
@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("frequency", [True, False])
def test_vifidel_is_pot_on_the_formula(pascal: Corpus, references: int, p: int, frequency: bool) -> None:
    said = [pascal.references_of(i)[:references] for i in range(60)]
    corpus = Corpus.from_lists(pascal.candidates, said if references else None, pascal.image_ids)
    corpus = Corpus(**{**corpus.__dict__, "objects": pascal.objects})
    metric = parse(f"vifidel(p={p},frequency={'yes' if frequency else 'no'})")
    found = metric.score(metric.statistics(Views(corpus, tokenizer="whitespace")))
    for row in range(0, 60, 3):
        labels = corpus.objects_of(row)
        labels = labels if frequency else list(dict.fromkeys(labels))
        wanted = np.exp(-moved(labels, content(corpus.candidates[row]), p, said[row]))
        assert found[row] == pytest.approx(wanted, abs=1e-9)


def test_the_released_code_on_its_sample(data: Path) -> None:
    """The authors' one sample, by what their scorer does, written anew here."""
    folder = data / "vifidel_samples"
    objects, description = ((folder / f"sample.{end}").read_text("utf-8").strip() for end in ("objs", "desc"))
    references = (folder / "sample.refs").read_text("utf-8").strip().split("\n")

    def words(text: str) -> list[str]:
        found = [word for word in text.lower().split() if len(word) > 1 and word not in ENGLISH]
        return [word for word, known in zip(found, shipped().of(found)[1], strict=True) if known]

    def scored(said: list[list[str]]) -> float:
        vocabulary = sorted({*words(objects), *words(description)})
        vectors = shipped().of(vocabulary)[0]
        weights = np.ones(len(vocabulary))
        if said:
            near = [(vectors @ shipped().of(one)[0].T).max(axis=1) for one in said]
            weights = np.mean([np.maximum(1 - cosine, 0) / 2 for cosine in near], axis=0)
        scaled = weights[:, None] * vectors
        cost = np.linalg.norm(scaled[:, None] - scaled[None], axis=2)
        left, right = (np.array([words(text).count(w) for w in vocabulary], float) for text in (objects, description))
        return float(ot.emd2(left / left.sum(), right / right.sum(), cost))

    metric = parse("vifidel(variant=released)")
    labels = {1: objects.split()}
    for given in ([], references):
        corpus = Corpus.from_lists([description], [given] if given else None, [1])
        found = metric.score(metric.statistics(Views(add_objects(corpus, labels))))
        assert found[0] == pytest.approx(scored([words(one) for one in given]), abs=1e-9)
    assert normalise("tv") == "tv" and not metric.higher_is_better
