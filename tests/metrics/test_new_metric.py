"""A new metric is one file and one line: the rest of the product learns of it from its class."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import vericap

SOURCE = Path(vericap.__file__).parent
METRIC = '''
"""Words of a caption that are in a reference."""
from dataclasses import dataclass
import numpy as np
from vericap.metrics.base import Metric
from vericap.metrics.bleu import ClippedMatches, ngrams_in_candidates

@dataclass(frozen=True)
class Shared(Metric):
    """The share of a candidate's words that are in a reference."""

    name, paper_name, summary = "shared", "SHARED", "words that a reference has too"
    question, languages, citation = "adequacy", ("en",), "Nobody. Nowhere 2026."

    def statistics(self, views):
        return np.column_stack([views.get(ClippedMatches(1)), ngrams_in_candidates(views, 1)])

    def score(self, statistics):
        return statistics[:, 0] / np.maximum(statistics[:, 1], 1)

    def explain(self, views, i):
        return self.explanation(views, i, self.score(self.statistics(views)[i : i + 1])[0], {"words": 1})
'''
LINE = 'BUILT_IN: dict[str, Entry] = {\n    "shared": _of("shared", "Shared"),\n'
# Asks each verb for the new metric and for one that has the same formula.
ASKED = """
import contextlib, io, json, pathlib, sys
import vericap
from vericap import cli
from vericap.options.settings import Settings
from vericap.serve.request import ScoreRequest
from vericap.serve.scorer import Scorer

captions = ["a dog runs on the grass", "two red cats", "a man rides a horse"]
references = [["the dog is running on grass"], ["a red cat", "two cats sleep"], ["a man on a horse"]]
spanish = ["un perro corre por la hierba verde", "dos gatos rojos duermen en la cama grande"]
rows = [dict(caption=c, references=r, score=n) for n, (c, r) in enumerate(zip(captions, references))]
pathlib.Path("rows.jsonl").write_text("".join(json.dumps(row) + chr(10) for row in rows))
METRICS = "shared,bleu-unigram"

def printed(*words):
    sys.argv, out = ["vericap", *words], io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        cli.main()
    return out.getvalue()

result = vericap.evaluate(captions, references, metrics=METRICS)
images = list(range(3))
reward = {key: vericap.Reward(key, dict(enumerate(references)))(captions, images) for key in METRICS.split(",")}
stream = vericap.stream("rows.jsonl", metrics=METRICS)
batches = [batch.to_pydict() for batch in stream]
served = Scorer.load(Settings(), METRICS).score(ScoreRequest([None] * 3, captions, references))
judged = vericap.judge("ratings", "rows.jsonl", metrics=METRICS, bootstrap=0).to_dict()
compared = vericap.compare({"a": captions, "b": captions[::-1]}, references=references, metrics=METRICS, resamples=9)
print(json.dumps({
    "list": printed("metrics"),
    "described": printed("metrics", "shared"),
    "notes": vericap.evaluate(spanish, spanish, metrics="shared").notes,
    "table": result.table(),
    "latex": result.table("latex"),
    "page": result.to_html(),
    "explained": [each.score for each in vericap.explain(captions, references, image_id=0, metrics="shared")],
    "compared": list(compared.to_dict()["metrics"]),
    "scores": {key: result[key].captions.tolist() for key in METRICS.split(",")},
    "reward": {key: found.tolist() for key, found in reward.items()},
    "stream": {key: [value for batch in batches for value in batch[key]] for key in METRICS.split(",")},
    "served": {key: [row["scores"][key] for row in served["captions"]] for key in METRICS.split(",")},
    "judged": {row["metric"]: row["kendall_b"] for row in judged["rows"]},
}))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the product with one more metric says: the tree is made of links, but for the file and the line."""
    folder = tmp_path_factory.mktemp("tree")
    package = folder / "vericap"
    (package / "metrics").mkdir(parents=True)
    for path in [*SOURCE.iterdir(), *(SOURCE / "metrics").iterdir()]:
        if path.name not in ("metrics", "__pycache__") and path != SOURCE / "metrics" / "__init__.py":
            (package / path.relative_to(SOURCE)).symlink_to(path)
    registry = (SOURCE / "metrics" / "__init__.py").read_text("utf-8")
    changed = registry.replace(LINE.partition("\n")[0] + "\n", LINE)
    assert changed.count("\n") == registry.count("\n") + 1
    (package / "metrics" / "__init__.py").write_text(changed, "utf-8")
    (package / "metrics" / "shared.py").write_text(METRIC, "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", ASKED],
        capture_output=True,
        encoding="utf-8",
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 0, done.stderr
    answers: dict[str, Any] = json.loads(done.stdout)
    return answers


def test_it_is_described(found: dict[str, Any]) -> None:
    assert "words that a reference has too" in found["list"]
    assert "Nobody. Nowhere 2026." in found["described"] and "shared" in found["described"]


def test_its_language_is_noted(found: dict[str, Any]) -> None:
    assert any("taken for English by shared" in note for note in found["notes"])


def test_tables_and_pages_have_it(found: dict[str, Any]) -> None:
    assert "shared ↑" in found["table"] and "SHARED" in found["latex"] and "metric:shared|" in found["page"]


@pytest.mark.parametrize("verb", ["scores", "reward", "stream", "served", "judged"])
def test_every_verb_has_its_numbers(found: dict[str, Any], verb: str) -> None:
    assert found[verb]["shared"] == found[verb]["bleu-unigram"]


def test_it_is_explained_and_compared(found: dict[str, Any]) -> None:
    assert found["explained"] == found["scores"]["shared"][:1] and found["compared"] == ["shared", "bleu-unigram"]
