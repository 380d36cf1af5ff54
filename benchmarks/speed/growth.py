"""Growth of time and memory: COCO val2014, four times as many images, and a million captions."""

from __future__ import annotations

from typing import Any

from benchmarks.places import INPUT, ROOT
from benchmarks.speed.measure import Command, at_most, contest, row
from benchmarks.speed.ngrams import score
from benchmarks.speed.val2014 import val2014

CAPTIONS = 5  # of an image
TIMES = 4
MILLION = (40_000, 5)  # images of val2014, and copies of them with other ids: 200,000 images × 5 captions
METRICS = "bleu-4,rouge-l,cider-d"


def benchmark(images: int, repetitions: int) -> dict[str, Any]:
    out = INPUT.relative_to(ROOT) / "growth.json"
    first, copies = min(images, MILLION[0]), MILLION[1]
    races = contest(
        {
            "once": Command(score(*val2014(images), out)),
            "four times": Command(score(*val2014(images, TIMES), out)),
            "a million": Command(score(*val2014(first, copies), out, METRICS)),
        },
        repetitions=repetitions,
    )
    time = races.seconds("four times") / races.seconds("once")
    more_captions = (TIMES - 1) * images * CAPTIONS
    memory = (races.megabytes("four times") - races.megabytes("once")) / more_captions * 1e6
    captions = f"{first * copies * CAPTIONS:,} captions"
    return {
        "title": f"Growth from {images:,} to {TIMES * images:,} images, and {captions}",
        "peer": None,
        "command": str(races.commands["four times"]),
        "rows": [
            row(f"{images:,} images", races.seconds("once"), unit="s"),
            row(f"{TIMES * images:,} images", races.seconds("four times"), unit="s"),
            at_most("times the time", time, bar=4.4, unit="×"),
            row(f"peak memory, {images:,} images", races.megabytes("once"), unit="MB"),
            row(f"peak memory, {TIMES * images:,} images", races.megabytes("four times"), unit="MB"),
            row("memory for a million captions more", memory, unit="MB"),
            at_most(f"{captions}, {METRICS}", races.seconds("a million"), bar=6, unit="s"),
            at_most(f"peak memory, {captions}", races.megabytes("a million"), bar=500, unit="MB"),
        ],
        "runs": races.to_dict(),
    }
