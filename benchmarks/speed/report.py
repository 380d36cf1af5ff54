"""Size of the page of `score` and its speed in Chromium: `python -m benchmarks.speed.report`.

Captions are drawn from the demo's words, scores at random: what a page costs depends on how many there are, not on what
they say. Times are those of the browser: the first paint, the page drawn, a press on a heading until the rows are
sorted and painted, a filter, and a search.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

from tests.browser.chromium import Browser, missing
from vericap.corpus import Corpus
from vericap.data import FOLDER
from vericap.readers import read_references
from vericap.results.scores import MetricResult, Result

# The time from a press until the browser has painted what follows.
TIMED = """
const done = arguments[arguments.length - 1];
const start = performance.now();
PRESS;
requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
"""


CHANGED = "dispatchEvent(new Event('hashchange'))"


def made(captions: int, metrics: int, references: int = 5) -> Result:
    """Return a result of this many captions and metrics."""
    random = np.random.default_rng(0)
    texts = read_references(FOLDER / "demo" / "references.json").captions
    words = sorted({word for text in texts for word in text.lower().split()})
    many = captions * (1 + references)
    lengths = random.integers(8, 14, many)
    drawn = iter(random.integers(0, len(words), int(lengths.sum())).tolist())
    lines = [" ".join(words[next(drawn)] for _ in range(length)) for length in lengths.tolist()]
    groups = [lines[captions + i * references : captions + (i + 1) * references] for i in range(captions)]
    corpus = Corpus.from_lists(lines[:captions], groups, list(range(1, captions + 1)))
    results = {}
    for number in range(metrics):
        scores = random.beta(2, 5, captions)
        results[f"metric-{number}"] = MetricResult(f"metric-{number}", float(scores.mean()), scores, "made up")
    return Result(corpus, results, label=f"{captions:,} captions")


def measure(captions: int, metrics: int, repeats: int) -> dict[str, float]:
    """Sizes in megabytes, times in milliseconds; medians over the repeats."""
    folder = Path(tempfile.mkdtemp())
    page = folder / "report.html"
    start = time.perf_counter()
    made(captions, metrics).to_html(page, explain=0)
    found: dict[str, list[float]] = {"write, ms": [1000 * (time.perf_counter() - start)]}
    found["file, MB"] = [page.stat().st_size / 1e6]
    browser = Browser(folder / "profile")
    try:
        for _ in range(repeats):
            browser.open(page)
            paint = browser.run("return performance.getEntriesByName('first-contentful-paint')[0].startTime")
            found.setdefault("first paint, ms", []).append(paint)
            drawn = browser.run("return performance.getEntriesByName('drawn')[0].startTime")
            found.setdefault("drawn, ms", []).append(drawn)
            for what, script in {
                "sort, ms": "document.querySelector(`th[data-name='metric-3'] button`).click()",
                "sort by text, ms": "document.querySelector(`th[data-name='caption'] button`).click()",
                "filter, ms": f"location.hash = '#filter=metric-1 < 0.2 and metric-2 > 0.3'; {CHANGED}",
                "search, ms": f"location.hash = '#search=dog'; {CHANGED}",
                "search again, ms": f"location.hash = '#search=cat'; {CHANGED}",
            }.items():
                found.setdefault(what, []).append(browser.driver.execute_async_script(TIMED.replace("PRESS", script)))
    finally:
        browser.close()
    return {what: round(statistics.median(values), 2) for what, values in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--captions", type=int, default=40_000)
    parser.add_argument("--metrics", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    if (reason := missing()) is not None:
        raise SystemExit(reason)
    for what, value in measure(given.captions, given.metrics, given.repeats).items():
        print(f"{what:18} {value:,}")


if __name__ == "__main__":
    main()
