"""Requests made from the OpenAPI document, right and wrong ones, are answered as the document says. Schemathesis runs
in a process of its own: it brings a plug-in for pytest and warnings of its own."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.streaming.demo_rows import DEMO

needs = [name for name in ("schemathesis", "starlette") if find_spec(name) is None]

CHECKED = """
import sys

import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import checks

from vericap.options.settings import Settings
from vericap.serve.app import make_app
from vericap.serve.options import ServeOptions
from vericap.serve.scorer import Scorer

app = make_app(
    Scorer.load(Settings(df="coco"), "bleu-4,cider-d,ter,fluency", sys.argv[1]),
    ServeOptions(most_captions=4, most_references=3, longest_caption=60),
)
schema = schemathesis.openapi.from_asgi("/openapi.json", app)
wanted = [checks.not_a_server_error, *(checks.CHECKS.get_one(name) for name in sys.argv[2:])]
seen = []
for operation in schema.get_all_operations():
    operation = operation.ok()
    for mode in schemathesis.GenerationMode:
        if mode.name == "NEGATIVE" and not len(operation.body):
            continue  # without a body or parameters there is nothing that could be wrong

        @settings(max_examples=60, deadline=None, database=None, derandomize=True, suppress_health_check=[*HealthCheck])
        @given(operation.as_strategy(generation_mode=mode))
        def run(case):
            response = case.call()
            case.validate_response(response, checks=wanted)
            seen.append((operation.label, mode.name, response.status_code))

        run()
for label in sorted(set(seen)):
    print(*label, seen.count(label), sep="|")
"""
CHECKS = (
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
)


@pytest.mark.service
@pytest.mark.skipif(bool(needs), reason=f"not installed: {', '.join(needs)}")
def test_every_answer_is_in_the_document(tmp_path):
    script = tmp_path / "checked.py"
    script.write_text(CHECKED, "utf-8")
    command = [sys.executable, script, DEMO / "references.json", *CHECKS]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    seen = [line.split("|") for line in done.stdout.splitlines()]
    statuses = {(label, mode): set() for label, mode, *_ in seen}
    for label, mode, status, _ in seen:
        statuses[label, mode].add(int(status))
    assert 200 in statuses["POST /score", "POSITIVE"] and 422 in statuses["POST /score", "NEGATIVE"]
    assert 200 not in statuses["POST /score", "NEGATIVE"]
    assert statuses["GET /health", "POSITIVE"] == statuses["GET /metrics", "POSITIVE"] == {200}
