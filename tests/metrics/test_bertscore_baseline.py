"""Baselines of BERTScore in bert-score's own files."""

from __future__ import annotations

from pathlib import Path

import pytest

from vericap.errors import InputError
from vericap.metrics.bertscore_baseline import read_baseline


@pytest.mark.torch
def test_a_file_of_the_package() -> None:
    import bert_score

    [folder] = bert_score.__path__
    path = Path(folder) / "rescale_baseline" / "en" / "roberta-large.tsv"
    header, *rows = path.read_text().splitlines()
    assert header == "LAYER,P,R,F"
    assert read_baseline(str(path), 17) == tuple(float(x) for x in rows[17].split(",")[1:])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("LAYER,P,R,F\n0,0.1,0.1,0.1\n", "has no layer 1"),
        ("LAYER,P,R\n1,0.1,0.1\n", "line 2 is not a baseline"),
        ("LAYER,P,R,F\n1,0.1,x,0.1\n", "line 2 is not a baseline"),
        ("LAYER,P,R,F\n1,1.0,0.1,0.1\n", "a baseline of 1 or more"),
    ],
)
def test_wrong_files(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "b.csv").write_text(text)
    with pytest.raises(InputError, match=problem):
        read_baseline(str(tmp_path / "b.csv"), 1)
