"""The server as its clients see it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

import vericap
from tests.streaming.demo_rows import references_by_id

pytest.importorskip("starlette", reason="what a server needs is not installed: pip install 'vericap[serve]'")

import anyio
import anyio.lowlevel
from starlette.testclient import TestClient

from vericap.options.settings import Settings
from vericap.serve.app import make_app
from vericap.serve.options import ServeOptions
from vericap.serve.scorer import Scorer

ROW = {"caption": "a woman stirs soup", "image_id": 1}


@pytest.fixture(scope="module")
def scorer():
    return Scorer.load(Settings(df="coco"), "bleu-4,cider-d,ter", references_by_id())


@pytest.fixture
def client(scorer):
    with TestClient(make_app(scorer, ServeOptions(largest_body=0.01, most_captions=5))) as client:
        yield client


def test_captions_are_scored(client):
    answer = client.post("/score", json={"captions": [ROW], "metrics": ["cider-d"]})
    expected = vericap.evaluate([ROW["caption"]], [references_by_id()[1]], metrics="cider-d", df="coco")
    assert answer.status_code == 200
    assert answer.json()["captions"] == [{**ROW, "scores": {"cider-d": expected["cider-d"].score}}]
    assert answer.json()["metrics"]["cider-d"]["signature"] == expected["cider-d"].signature


@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        (b"{", 400, "the JSON is truncated"),
        (b"\xff", 400, "is not UTF-8"),
        (b"", 400, "the JSON is truncated"),
        (b"[]", 422, "it is a list; send an object"),
        (b'{"captions": [{"caption": 7}]}', 422, 'row 1, field "caption": the caption is a number (7)'),
        (b'{"captions": [{"caption": "a", "image_id": 999}]}', 422, "those of image 999 are not loaded"),
        (b'{"captions": [' + b",".join([b'{"caption": "a"}'] * 6) + b"]}", 422, "at most 5 are allowed"),
        (b" " * 10_001, 413, "the body is larger than 10,000 bytes"),
    ],
)
def test_what_is_wrong_is_a_4xx_with_a_reason(client, body, status, sentence):
    answer = client.post("/score", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == status and sentence in answer.json()["error"]


def test_a_body_without_end_is_cut_off_at_the_limit(client):
    def pieces():
        for _ in range(1000):
            yield b" " * 1000

    answer = client.post("/score", content=pieces(), headers={"content-type": "application/json"})
    assert answer.status_code == 413


def test_other_types_paths_and_methods_are_refused(client):
    assert client.post("/score", content=b"{}", headers={"content-type": "text/plain"}).status_code == 415
    assert client.get("/score").status_code == 405 and "error" in client.get("/score").json()
    assert client.get("/nothing").status_code == 404 and "/openapi.json" in client.get("/nothing").json()["error"]


def test_health_and_counters(client):
    assert client.get("/health").json() == {
        "status": "ok",
        "vericap": vericap.__version__,
        "metrics": ["bleu-4", "cider-d", "ter"],
        "images": 30,
    }
    client.post("/score", json={"captions": [ROW, ROW]})
    client.post("/score", json={})
    text = client.get("/metrics").text
    assert "vericap_captions_total 2" in text
    assert 'vericap_requests_total{path="/score",status="422"} 1' in text and "vericap_requests_in_progress 0" in text


def test_a_token_is_asked_for_where_there_is_one(scorer):
    with TestClient(make_app(scorer, ServeOptions(host="0.0.0.0", token="secret"))) as client:
        assert client.get("/health").status_code == 200
        for wrong in ({}, {"authorization": "Bearer wrong"}, {"authorization": "Basic secret"}):
            answer = client.post("/score", json={"captions": [ROW]}, headers=wrong)
            assert answer.status_code == 401 and "Authorization: Bearer" in answer.json()["error"]
            assert client.get("/metrics", headers=wrong).status_code == 401
        right = {"authorization": "Bearer secret"}
        assert client.post("/score", json={"captions": [ROW]}, headers=right).status_code == 200
        assert client.get("/metrics", headers=right).status_code == 200


@dataclass(frozen=True, eq=False)
class Slow(Scorer):
    """Waits until it is told to go on."""

    go_on: threading.Event | None = None

    def score(self, request):
        if request.captions == ["wait"] and self.go_on is not None:
            self.go_on.wait()
        return super().score(request)


def test_a_request_beyond_the_time_limit_is_told_so_and_the_next_one_is_answered(scorer):
    slow = Slow(scorer.settings, scorer.metrics, scorer.references, threading.Event())
    with TestClient(make_app(slow, ServeOptions(most_seconds=0.5))) as client:
        late = client.post("/score", json={"captions": [{**ROW, "caption": "wait"}]})
        assert late.status_code == 503 and "it took longer than 0.5 s" in late.json()["error"]
        slow.go_on.set()
        for _ in range(20):
            answer = client.post("/score", json={"captions": [ROW]})
            if answer.status_code == 200:
                break
        assert answer.status_code == 200


def test_requests_at_the_same_time_get_their_own_answers(client):
    def ask(image):
        rows = [{"caption": f"a dog {image}", "image_id": image}]
        return client.post("/score", json={"captions": rows}).json()["captions"][0]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, range(1, 25)))
    assert [row["image_id"] for row in found] == list(range(1, 25))
    assert [row["caption"] for row in found] == [f"a dog {image}" for image in range(1, 25)]


class Broken(Scorer):
    """Has a mistake that no check foresees."""

    def warm_up(self):
        pass

    def score(self, request):
        raise ZeroDivisionError("a detail")


def test_a_failure_of_ours_is_a_500_without_its_details(scorer, capsys):
    with TestClient(make_app(Broken(scorer.settings, scorer.metrics))) as client:
        answer = client.post("/score", json={"captions": [ROW]})
    assert answer.status_code == 500 and answer.json() == {"error": "the server failed; its log says why"}
    assert "ZeroDivisionError: a detail" in capsys.readouterr().err


def test_a_body_that_never_comes_is_given_up(scorer):
    app = make_app(scorer, ServeOptions(most_seconds=0.05))
    sent = []

    async def never():
        await anyio.sleep_forever()

    async def keep(message):
        sent.append(message)

    headers = [(b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/score", "headers": headers, "query_string": b""}
    anyio.run(app, scope, never, keep)
    assert sent[0]["status"] == 408 and b"send it faster" in sent[1]["body"]


def test_a_token_may_have_any_letters(scorer):
    with TestClient(make_app(scorer, ServeOptions(token="schlüssel-à"))) as client:
        for token, status in (("schlüssel-à", 200), ("schlussel-a", 401)):
            headers = {"authorization": f"Bearer {token}".encode()}
            assert client.get("/metrics", headers=headers).status_code == status


def test_requests_that_wait_do_not_fill_the_memory(scorer):
    """Bodies that are in memory together are bounded, and a body that is answered makes room for the next."""
    app = make_app(scorer, ServeOptions(largest_body=0.001, most_megabytes=0.0015))
    headers = [(b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/score", "headers": headers, "query_string": b""}
    first_came, may_end = anyio.Event(), anyio.Event()
    answers = {}

    async def post(name, then):
        pieces = iter([b" " * 900, b" "])

        async def receive():
            piece = next(pieces)
            if piece == b" ":
                await then()
            return {"type": "http.request", "body": piece, "more_body": piece != b" "}

        async def send(message):
            answers.setdefault(name, []).append(message)

        await app(scope, receive, send)

    async def hold():
        first_came.set()
        await may_end.wait()

    async def run():
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(post, "first", hold)
            await first_came.wait()
            await post("second", anyio.lowlevel.checkpoint)
            may_end.set()
        await post("third", anyio.lowlevel.checkpoint)

    anyio.run(run)
    assert [answers[name][0]["status"] for name in ("first", "second", "third")] == [400, 503, 400]
    assert b"requests of 1,500 bytes are waiting; try again later" in answers["second"][1]["body"]
