"""Captions that no metric should compute for minutes: refused with a limit that the documentation names."""

from __future__ import annotations

from pathlib import Path

import pytest

import vericap
from vericap.errors import InputError
from vericap.metrics.limits import MOST_MATCHES, MOST_WORDS


def test_wmd_and_vifidel_move_a_limited_number_of_words(tmp_path: Path) -> None:
    words = [f"w{number}" for number in range(MOST_WORDS + 1)]
    (tmp_path / "v.txt").write_text("".join(f"{word} 1 {number}\n" for number, word in enumerate(words)))
    long = " ".join(words)
    metric = f"wmd(vectors={tmp_path / 'v.txt'})"
    with pytest.raises(InputError, match=r"candidate 2 has 501 different content words, and wmd.* at most 500"):
        vericap.evaluate({1: "w1", 2: long}, {1: ["w1"], 2: ["w2"]}, metrics=metric)
    with pytest.raises(InputError, match=r"reference 2 has 501 different content words"):
        vericap.evaluate({1: "w1", 2: "w2"}, {1: ["w1"], 2: [long]}, metrics=metric)
    with pytest.raises(InputError, match=r"candidate 1 has 501 different content words, and vifidel"):
        vericap.evaluate({1: long}, objects={1: ["w1"]}, metrics=metric.replace("wmd", "vifidel", 1))


def test_meteor_aligns_a_limited_number_of_repetitions() -> None:
    times = int(MOST_MATCHES**0.5) + 1
    with pytest.raises(InputError, match=r"row 1, .*image 1: the caption and a reference share words at 4,004,001 "):
        vericap.evaluate({1: "dog " * times}, {1: ["cat", "dog " * times]}, metrics="meteor")


def test_a_long_text_of_different_words_is_aligned() -> None:
    words = " ".join(f"w{number}" for number in range(2100))
    result = vericap.evaluate({1: words}, {1: [words]}, metrics="meteor")
    assert result["meteor"].score == 1
