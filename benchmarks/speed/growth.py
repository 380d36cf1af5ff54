"""How time and memory grow: COCO val2014, and four times as many images."""

from __future__ import annotations

from typing import Any

from benchmarks.places import INPUT, ROOT
from benchmarks.speed.measure import Command, contest, row
from benchmarks.speed.ngrams import score
from benchmarks.speed.val2014 import val2014

CAPTIONS = 5  # of an image
TIMES = 4


def benchmark(images: int, repetitions: int) -> dict[str, Any]:
    out = INPUT.relative_to(ROOT) / "growth.json"
    races = contest(
        {
            "once": Command(score(*val2014(images), out)),
            "four times": Command(score(*val2014(images, TIMES), out)),
        },
        repetitions=repetitions,
    )
    time = races.seconds("four times") / races.seconds("once")
    more_captions = (TIMES - 1) * images * CAPTIONS
    memory = (races.megabytes("four times") - races.megabytes("once")) / more_captions * 1e6
    return {
        "title": f"Growth from {images:,} to {TIMES * images:,} images",
        "peer": None,
        "command": str(races.commands["four times"]),
        "rows": [
            row(f"{images:,} images", races.seconds("once"), unit="s"),
            row(f"{TIMES * images:,} images", races.seconds("four times"), unit="s"),
            row("times the time", time, unit="×", bar="≤ 4.4×", met=time <= 4.4),
            row(f"peak memory, {images:,} images", races.megabytes("once"), unit="MB"),
            row(f"peak memory, {TIMES * images:,} images", races.megabytes("four times"), unit="MB"),
            row("memory for a million captions more", memory, unit="MB"),
        ],
        "runs": races.to_dict(),
    }
