"""Counters of a server in the text format of Prometheus."""

from __future__ import annotations

import resource
import sys
import threading
from collections import Counter
from pathlib import Path

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Counters:
    """Requests by path and status, captions, and a histogram of seconds.

    >>> counters = Counters()
    >>> counters.add("/score", 200, 0.03, captions=5)
    >>> print(counters.text().splitlines()[2])
    vericap_requests_total{path="/score",status="200"} 1
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.requests: Counter[tuple[str, int]] = Counter()
        self.captions = 0
        self.seconds = 0.0
        self.in_progress = 0
        self._buckets = [0] * (len(BUCKETS) + 1)

    def add(self, path: str, status: int, seconds: float, captions: int = 0) -> None:
        """Count a request that was answered."""
        with self._lock:
            self.requests[path, status] += 1
            self.captions += captions
            if path == "/score":
                self.seconds += seconds
                self._buckets[sum(seconds > bound for bound in BUCKETS)] += 1

    def text(self) -> str:
        """Return all counters as Prometheus reads them."""
        with self._lock:
            lines = [*_head("vericap_requests_total", "counter", "Requests by path and status.")]
            lines += [
                f'vericap_requests_total{{path="{path}",status="{status}"}} {count}'
                for (path, status), count in sorted(self.requests.items())
            ]
            lines += [
                *_head("vericap_captions_total", "counter", "Captions scored."),
                f"vericap_captions_total {self.captions}",
                *_head("vericap_requests_in_progress", "gauge", "Requests to /score that are not answered yet."),
                f"vericap_requests_in_progress {self.in_progress}",
                *_head("vericap_score_seconds", "histogram", "Seconds from a request to /score to its answer."),
            ]
            below = 0
            for bound, count in zip([*map(str, BUCKETS), "+Inf"], self._buckets, strict=True):
                below += count
                lines.append(f'vericap_score_seconds_bucket{{le="{bound}"}} {below}')
            lines += [f"vericap_score_seconds_sum {self.seconds:.6f}", f"vericap_score_seconds_count {below}"]
        lines += [
            *_head("process_resident_memory_bytes", "gauge", "Memory of the server."),
            f"process_resident_memory_bytes {resident_bytes()}",
        ]
        return "\n".join(lines) + "\n"


def _head(name: str, kind: str, meaning: str) -> tuple[str, str]:
    return f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"


def resident_bytes() -> int:
    """Memory of this process; its highest where the system does not tell the present one."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
