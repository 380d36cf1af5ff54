"""`vericap serve` as a process of its own."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, Request, build_opener

import pytest

from tests.cli.test_cli import REFERENCES, vericap

pytest.importorskip("uvicorn", reason="what a server needs is not installed: pip install 'vericap[serve]'")

pytestmark = pytest.mark.service

ask_url = build_opener(ProxyHandler({})).open  # straight to this machine, whatever proxy there is


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def ask(url: str, data: object = None) -> tuple[int, object]:
    body = None if data is None else json.dumps(data).encode()
    try:
        with ask_url(Request(url, body, {"content-type": "application/json"}), timeout=60) as answer:
            return answer.status, json.load(answer)
    except HTTPError as error:
        with error:
            return error.code, json.load(error)


def test_a_server_answers_on_loopback_until_it_is_stopped():
    port = free_port()
    words = ["serve", "--port", str(port), "--references", REFERENCES, "--metrics", "ter,bleu-1"]
    server = subprocess.Popen([sys.executable, "-m", "vericap", *words], stderr=subprocess.PIPE)
    url = f"http://127.0.0.1:{port}"
    try:
        health: object = None
        for _ in range(1200):
            try:
                health = ask(f"{url}/health")
                break
            except URLError:
                assert server.poll() is None
                time.sleep(0.05)
        assert health == (200, {**dict(health[1]), "metrics": ["ter", "bleu-1"], "images": 30})
        status, answer = ask(f"{url}/score", {"captions": [{"image_id": 1, "caption": "a woman stirs a pot"}]})
        assert status == 200 and set(answer["captions"][0]["scores"]) == {"ter", "bleu-1"}
        assert ask(f"{url}/score", {"captions": 1})[0] == 422
    finally:
        server.terminate()
        _, said = server.communicate(timeout=60)
    assert said.decode().startswith(f"vericap: {url} offers ter,bleu-1")


def test_a_server_for_others_needs_a_token():
    without = {name: value for name, value in os.environ.items() if name != "VERICAP_TOKEN"}
    command = [sys.executable, "-m", "vericap", "serve", "--host", "0.0.0.0"]
    done = subprocess.run(command, capture_output=True, text=True, env=without, timeout=60)
    assert done.returncode == 2 and 'field "host": a server that others can reach needs a token' in done.stderr


def test_what_cannot_be_offered_is_said_at_the_start():
    done = vericap("serve", "--metrics", "chair-i")
    assert done.returncode == 2 and "chair-i needs objects" in done.stderr
