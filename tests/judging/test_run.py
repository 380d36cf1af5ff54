"""`judge` reads a run: its notes, its signatures and its numbers are those of the run."""

from __future__ import annotations

import json

import pytest

from tests.judging import benchmark_folders as folders
from vericap import compare, evaluate, explain, judge
from vericap.errors import InputError
from vericap.judging.scoring import KnownScores

OBJECTS = {"dog.jpg": ["dog", "xqzzt"], "cat.jpg": ["cat"]}
SAID = "vifidel: labels without a vector do not count: xqzzt"


def test_what_a_metric_notes_while_it_computes_reaches_every_verb(tmp_path):
    folder = folders.nebula(tmp_path / "f")
    captions = {"dog.jpg": "a dog runs", "cat.jpg": "a cat"}
    notes = {
        "judge": judge("nebula", folder, metrics="vifidel", objects=OBJECTS, bootstrap=0).notes,
        "evaluate": evaluate(captions, metrics="vifidel", objects=OBJECTS).notes,
        "explain": explain(captions, metrics="vifidel", objects=OBJECTS, image_id="dog.jpg").notes,
        "compare": compare({"a": captions, "b": captions}, metrics="vifidel", objects=OBJECTS, bootstrap=9).notes,
    }
    assert {verb for verb, said in notes.items() if not any(SAID in note for note in said)} == set()


def test_scores_are_those_of_evaluate_on_the_same_captions(tmp_path):
    path = tmp_path / "mine.json"
    rows = [
        {"image_id": k, "caption": caption, "references": ["a dog runs on grass", "the dog runs"], "score": k}
        for k, caption in enumerate(["a cat", "a dog", "a dog runs", "the dog runs on grass"])
    ]
    path.write_text(json.dumps(rows))
    verdict = judge("ratings", path, metrics="rouge-l,cider-d", bootstrap=0)
    result = evaluate({r["image_id"]: r["caption"] for r in rows}, {r["image_id"]: r["references"] for r in rows})
    assert verdict["rouge-l"].signature == result["rouge-l"].signature
    assert verdict["cider-d"].signature == result["cider-d"].signature
    assert verdict["rouge-l"].value("kendall_b") == 1.0


def test_known_scores_serve_protocols_that_differ_in_what_is_done_with_them(tmp_path):
    folder = folders.flickr8k(tmp_path / "f")
    known = KnownScores()
    first = judge("flickr8k-expert", folder, metrics="bleu-1", bootstrap=0, known=known)
    again = judge("flickr8k-expert", folder, metrics="bleu-1", bootstrap=0, known=known, protocol="judges-averaged")
    assert len(known.kept) == 1
    assert again["bleu-1"].seconds == first["bleu-1"].seconds and (first.n, again.n) == (18, 6)
    judge("flickr8k-expert", folder, metrics="rouge-l", bootstrap=0, known=known)
    judge("flickr8k-expert", folder, metrics="bleu-1", bootstrap=0, known=known, references_used=1)
    assert len(known.kept) == 3


def test_scores_of_other_captions_are_not_taken_for_known(tmp_path):
    known = KnownScores()
    for number, caption in enumerate(("a dog", "a cat")):
        path = tmp_path / f"{number}.json"
        rows = [{"image_id": k, "caption": caption, "references": ["a dog"], "score": k} for k in range(2)]
        path.write_text(json.dumps(rows))
        judge("ratings", path, metrics="bleu-1", bootstrap=0, known=known)
    assert len(known.kept) == 2


def test_people_who_said_nothing_are_an_error(tmp_path):
    path = tmp_path / "pairs.json"
    path.write_text(json.dumps([{"a": "a dog", "b": "a cat", "references": ["dogs"], "preferred": "tie"}]))
    with pytest.raises(InputError, match="no judgement is left"):
        judge("pairs", path, metrics="bleu-1")


def test_a_subset_that_does_not_exist_names_those_that_do(tmp_path):
    with pytest.raises(InputError, match="composite has no subset 'vizwiz'; it has coco"):
        judge("composite", folders.composite(tmp_path / "f"), subset="vizwiz")
