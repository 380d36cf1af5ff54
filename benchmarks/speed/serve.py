"""A load test of `vericap serve` on loopback: mixed requests, a tenth of them malformed; every answer is checked.

    python -m benchmarks.speed.serve --requests 10000

Requests have 1 to 20 captions, with references of their own or the image ids of references that the server has loaded,
and various metrics. Right answers are those of `vericap.evaluate`; malformed requests must get a 4xx with a reason.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import local
from typing import Any

import vericap
from benchmarks.speed.environment import machine
from benchmarks.speed.measure import MEGABYTE, memory_of_session
from benchmarks.speed.stream import coco

OFFERED = ("bleu-1", "bleu-4", "rouge-l", "cider-d", "meteor", "spice", "fluency")
CHOICES = (["cider-d"], ["bleu-4", "cider-d"], ["rouge-l", "bleu-1"], ["meteor"], ["spice"], ["fluency"])
MALFORMED = (
    b"",
    b"{",
    b"[]",
    b'{"captions": []}',
    b'{"captions": "a dog"}',
    b'{"captions": [{"caption": 7}]}',
    b'{"captions": [{"caption": null, "references": ["a"]}]}',
    b'{"captions": [{"caption": "a", "references": []}]}',
    b'{"captions": [{"caption": "a", "references": ["b"]}], "metrics": ["no-such"]}',
    b'{"captions": [{"caption": "a", "image_id": "no-such"}]}',
    b'{"captions": [{"caption": "a", "colour": "red"}]}',
    b'{"captions": [{"caption": "' + b"x" * 3000 + b'", "references": ["a"]}]}',
    b'{"captions": [{"caption": "\xff"}]}',
    b'{"captions": [{"caption": "\\ud83d", "references": ["a"]}]}',
    b"[" * 5000,
)


def make_requests(count: int, images: list[list[str]], distinct: int) -> tuple[list[dict[str, Any]], list[Any]]:
    """Different good requests, and the requests in their order: a number of a good one, or malformed bytes."""
    drawn = random.Random(0)
    good = []
    for number in range(distinct):
        rows: list[dict[str, Any]] = []
        for _ in range(drawn.randint(1, 20)):
            image = drawn.randrange(len(images))
            row: dict[str, Any] = {"image_id": image, "caption": drawn.choice(images[drawn.randrange(len(images))])}
            if drawn.random() < 0.5:
                row["references"] = images[image]
            rows.append(row)
        good.append({"captions": rows, "metrics": CHOICES[number % len(CHOICES)]})
    order = [MALFORMED[n % len(MALFORMED)] if n % 10 == 3 else drawn.randrange(distinct) for n in range(count)]
    return good, order


def expected(request: dict[str, Any], images: list[list[str]]) -> list[dict[str, float]]:
    """Return the scores of each caption by `vericap.evaluate`."""
    captions = [row["caption"] for row in request["captions"]]
    references = [row.get("references", images[row["image_id"]]) for row in request["captions"]]
    found = vericap.evaluate(captions, references, metrics=request["metrics"], df="coco")
    return [row["scores"] for row in found.to_dict()["captions"]]


class Client:
    """A connection per thread, kept open."""

    def __init__(self, port: int) -> None:
        self.port, self.own = port, local()

    def ask(self, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes, float]:
        start = time.perf_counter()
        if not hasattr(self.own, "connection"):
            self.own.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        headers = {} if body is None else {"content-type": "application/json"}
        self.own.connection.request(method, path, body, headers)
        answer = self.own.connection.getresponse()
        content = answer.read()
        return answer.status, content, time.perf_counter() - start


def start_server(images: list[list[str]], folder: Path) -> tuple[subprocess.Popen[bytes], Client]:
    (folder / "references.json").write_text(json.dumps(dict(enumerate(images))), "utf-8")
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    words = ["serve", "--port", str(port), "--references", folder / "references.json", "--metrics", ",".join(OFFERED)]
    server = subprocess.Popen(
        [sys.executable, "-m", "vericap", *map(str, words)], start_new_session=True, stderr=subprocess.DEVNULL
    )
    client = Client(port)
    for _ in range(600):
        try:
            Client(port).ask("GET", "/health")
            return server, client
        except OSError:
            if server.poll() is not None:
                raise RuntimeError("the server did not start") from None
            time.sleep(0.1)
    server.kill()
    raise RuntimeError("the server did not start in a minute")


def load(client: Client, bodies: list[bytes], order: list[Any], right: list[Any], threads: int) -> dict[str, Any]:
    """Send all requests and check all answers."""

    def one(what: Any) -> tuple[str, float]:
        status, content, seconds = client.ask("POST", "/score", bodies[what] if isinstance(what, int) else what)
        answer = json.loads(content)
        if isinstance(what, int):
            said = [row["scores"] for row in answer["captions"]] if status == 200 else None
            return ("right" if said == right[what] else f"wrong ({status})"), seconds
        reason = bool(answer.get("error"))
        return ("refused with a reason" if 400 <= status < 500 and reason else f"malformed, {status}"), seconds

    start = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(one, order))
    seconds = time.perf_counter() - start
    times = sorted(took for _, took in found)
    cuts = statistics.quantiles(times, n=100)
    return {
        "answers": dict(Counter(kind for kind, _ in found)),
        "requests per second": len(order) / seconds,
        "milliseconds": {
            "median": cuts[49] * 1e3,
            "p95": cuts[94] * 1e3,
            "p99": cuts[98] * 1e3,
            "most": times[-1] * 1e3,
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--distinct", type=int, default=300, help="different good requests, each checked by evaluate")
    parser.add_argument("--captions", type=Path, help="captions in COCO's format instead of val2014")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    images = [captions[:5] for captions in coco(arguments.captions)[:2000]]
    good, order = make_requests(arguments.requests, images, arguments.distinct)
    right = [expected(request, images) for request in good]
    bodies = [json.dumps(request).encode() for request in good]
    with tempfile.TemporaryDirectory() as folder:
        server, client = start_server(images, Path(folder))
        try:
            # The first part warms up what is loaded once; memory is compared from there on.
            warm = max(len(order) // 5, 1)
            first = load(client, bodies, order[:warm], right, arguments.threads)
            before = memory_of_session(server.pid)[0]
            rest = load(client, bodies, order[warm:], right, arguments.threads)
            after = memory_of_session(server.pid)[0]
        finally:
            server.terminate()
            server.wait()
    found = {
        "machine": machine(),
        "command": f"python -m benchmarks.speed.serve {' '.join(sys.argv[1:])}",
        "threads": arguments.threads,
        "first fifth": first,
        "the rest": rest,
        "megabytes": {"after the first fifth": before / MEGABYTE, "at the end": after / MEGABYTE},
    }
    text = json.dumps(found, indent=2)
    if arguments.json:
        arguments.json.write_text(text + "\n", "utf-8")
    print(text)


if __name__ == "__main__":
    main()
