"""`evaluate` reads a run: corpus scores, captions, groups and intervals are those of its statistics."""

from __future__ import annotations

import numpy as np
import pytest

from vericap import evaluate
from vericap.metrics import parse
from vericap.options.inputs import Inputs
from vericap.options.settings import Settings
from vericap.run.evaluate import evaluate_inputs
from vericap.stats.bootstrap import interval

ROWS = [
    {"image_id": k, "caption": caption, "source": source}
    for k, (caption, source) in enumerate(
        [("a dog runs", "x"), ("two cats", "y"), ("a man walks in a park", "x"), ("a red bus", "y"), ("birds", "x")]
    )
]
REFERENCES = {
    0: ["a dog is running", "the dog runs"],
    1: ["two cats sit"],
    2: ["a man in a park"],
    3: ["a bus"],
    4: ["birds"],
}


def test_every_row_has_its_score_in_the_order_given():
    result = evaluate(ROWS, REFERENCES, metrics="rouge-l")
    backwards = evaluate(ROWS[::-1], REFERENCES, metrics="rouge-l")
    np.testing.assert_array_equal(result["rouge-l"].captions, backwards["rouge-l"].captions[::-1])
    assert result["rouge-l"].score == pytest.approx(result["rouge-l"].captions.mean())


def test_a_groups_score_is_that_of_its_captions_alone():
    result = evaluate(ROWS, REFERENCES, metrics="bleu-2,rouge-l", group_by="source")
    for source, group in result.groups.items():
        own = [row for row in ROWS if row["source"] == source]
        alone = evaluate(own, {row["image_id"]: REFERENCES[row["image_id"]] for row in own}, metrics="bleu-2,rouge-l")
        assert group.captions == len(own)
        assert dict(group.scores) == pytest.approx({key: alone[key].score for key in alone})


def test_intervals_are_those_of_resampled_images():
    result = evaluate(ROWS, REFERENCES, metrics="bleu-1", bootstrap=99, seed=5)["bleu-1"]
    again = interval(parse("bleu-1"), result.statistics, np.arange(5), resamples=99, seed=5)
    assert result.interval == again
    assert evaluate(ROWS, REFERENCES, metrics="bleu-1")["bleu-1"].interval is None


def test_progress_tells_what_is_about_to_be_done():
    told = []
    evaluate(ROWS, REFERENCES, metrics="bleu-1,rouge-l", progress=lambda *step: told.append(step))
    assert list(dict.fromkeys(what for what, _, _ in told)) == ["reading", "bleu-1", "rouge-l"]
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
    assert all(done < steps for _, done, steps in told)


def test_inputs_and_settings_give_what_keywords_give():
    plain = evaluate(ROWS, REFERENCES, metrics="cider-d", tokenizer="unicode")
    made = evaluate_inputs(Inputs(ROWS, REFERENCES), Settings(tokenizer="unicode"), "cider-d")
    assert made["cider-d"].score == plain["cider-d"].score
    assert made["cider-d"].signature == plain["cider-d"].signature
