"""Which references a protocol uses, and what every metric scores with them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.judging import benchmark_folders as folders
from vericap.errors import InputError
from vericap.judging import judge, load
from vericap.judging.scoring import draws, score


def test_pairs_that_divide_people_are_counted_over_several_draws_too(tmp_path):
    path = tmp_path / "pairs.json"
    rows = [
        {"a": "a dog", "b": "a cat", "references": ["dogs", "a dog", "the dog"], "preferred": said}
        for said in ("a", "b", "tie")
    ]
    path.write_text(json.dumps(rows))
    choices = {"references_used": 1, "sampling": "random", "draws": 12}
    verdict = judge("pairs", path, metrics="bleu-1", bootstrap=0, **choices)
    assert "1 of 3 pairs left out: people were divided" in verdict.notes
    folder = folders.abstract(tmp_path / "f")
    judged, protocol = load("abstract-50s", folder, **{**choices, "references_used": 2})
    divided = [int((each.preferred() == 0).sum()) for each in draws(judged, protocol)]
    assert min(divided) < max(divided)
    verdict = judge("abstract-50s", folder, metrics="bleu-1", bootstrap=0, **{**choices, "references_used": 2})
    said = f"by draw of references {min(divided)} to {max(divided)} of 2 pairs left out: people were divided"
    assert said in verdict.notes


def test_draws_of_references_follow_the_seed_and_are_nested(tmp_path):
    judged, protocol = load("pascal-50s", folders.pascal(tmp_path / "f"))

    def used(n, seed):
        at = protocol.changed(references_used=n, seed=seed, draws=3)
        return [[places.tolist() for places in draw.used] for draw in draws(judged, at)]

    assert used(2, 1) == used(2, 1) != used(2, 2)
    for two, three in zip(used(2, 1), used(3, 1), strict=True):
        assert all(more[:2] == fewer for fewer, more in zip(two, three, strict=True))
    assert len(used(5, 1)) == 1  # all of them: nothing to draw
    with pytest.raises(InputError, match="no item has more than 5"):
        used(6, 1)


def test_without_references_metrics_that_need_them_are_left_out_by_name(tmp_path):
    folder = folders.pascal(tmp_path / "f")
    verdict = judge("pascal-50s", folder, metrics="all", references_used=0, bootstrap=0)
    assert "bleu-4" not in [row.metric for row in verdict.rows]
    [note] = [note for note in verdict.notes if note.startswith("no references were given")]
    assert "bleu-3, bleu-4, " in note
    with pytest.raises(InputError, match="bleu-4 compares with reference captions"):
        judge("pascal-50s", folder, metrics="bleu-4", references_used=0, bootstrap=0)


def test_a_set_with_more_metrics_behind_it(tmp_path):
    folder = folders.nebula(tmp_path / "f")
    for metrics in (
        "default,ter,bleu-smoothed(smoothing=halving)",
        ["default", "ter", "bleu-smoothed(smoothing=halving)"],
    ):
        names = [row.metric for row in judge("nebula", folder, metrics=metrics, bootstrap=0).rows]
        assert {"bleu-4", "ter", "bleu-smoothed(smoothing=halving)"} <= set(names)


def test_the_label_is_the_majority_of_the_votes_used(tmp_path):
    judged, protocol = load("abstract-50s", folders.abstract(tmp_path / "f"))
    for draw in draws(judged, protocol.changed(references_used=1, sampling="random", draws=4)):
        votes = [judged.votes[i, places].item() for i, places in enumerate(draw.used)]
        assert draw.preferred().tolist() == votes


def test_document_frequencies_count_rows_or_images(tmp_path):
    folder = folders.nebula(tmp_path / "f")  # the dog is shown twice, the cat once
    found = {
        documents: judge("nebula", folder, metrics="cider-d", documents=documents, bootstrap=0)["cider-d"]
        for documents in ("rows", "images")
    }
    judged, protocol = load("nebula", folder)
    rows = score(judged, protocol, "cider-d").metrics
    images = score(judged, protocol.changed(df="images"), "cider-d").metrics
    assert not np.allclose(rows["cider-d"].scores[0], images["cider-d"].scores[0])
    assert "documents:3" in found["rows"].signature
    assert "documents:2" in found["images"].signature


def test_a_metric_named_alone_must_be_there_and_beside_a_set_is_left_out(tmp_path):
    table = tmp_path / "ratings.json"
    table.write_text(
        '[{"image_id": 1, "caption": "a dog", "references": ["the dog"], "score": 1},'
        ' {"image_id": 2, "caption": "a cat", "references": ["a dog"], "score": 0}]'
    )
    with pytest.raises(InputError, match="vifidel"):
        judge("ratings", table, metrics="bleu-1,vifidel", bootstrap=0)
    verdict = judge("ratings", table, metrics="default,vifidel", bootstrap=0)
    assert any("no objects were given, so these were left out: vifidel" in note for note in verdict.notes)
