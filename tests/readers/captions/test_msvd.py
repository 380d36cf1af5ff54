"""MSVD's own files."""

from __future__ import annotations

from pathlib import Path

import pytest

from vericap.errors import InputError
from vericap.readers import load

CORPUS = """VideoID,Start,End,WorkerID,Source,AnnotationTime,Language,Description
mv89psg6zh4,33,46,588702,unverified,55,Slovene,Papagaj se umiva pod tekočo vodo
mv89psg6zh4,33,46,588702,unverified,55,English,A bird is bathing in a sink.
mv89psg6zh4,33,46,588703,clean,55,English,A bird in a sink.
"""


def test_the_corpus_of_descriptions_names_clips_and_keeps_english(tmp_path: Path) -> None:
    (tmp_path / "video_corpus.csv").write_text(CORPUS, "utf-8")
    corpus = load({"mv89psg6zh4_33_46": "a bird"}, tmp_path / "video_corpus.csv")
    assert corpus.references_of(0) == ["A bird is bathing in a sink.", "A bird in a sink."]
    assert "1 row in other languages than English left out" in corpus.notes


def test_lists_of_clips(tmp_path: Path) -> None:
    (tmp_path / "AllVideoDescriptions.txt").write_text(
        "# MSVD\n-4wsuPCjDBc_5_15 a squirrel\n-4wsuPCjDBc_5_15 it eats\n"
    )
    (tmp_path / "sents_test_lc_nopunc.txt").write_text("vid1301\ta squirrel\nvid1301\tit eats\n")
    for name, clip in (("AllVideoDescriptions.txt", "-4wsuPCjDBc_5_15"), ("sents_test_lc_nopunc.txt", "vid1301")):
        assert load({clip: "an animal"}, tmp_path / name).references_of(0) == ["a squirrel", "it eats"]
    (tmp_path / "broken.txt").write_text("vid1 a dog\na cat\n")
    with pytest.raises(InputError, match=r"broken.txt, row 2: the row is not the name of a clip"):
        load(tmp_path / "broken.txt")
