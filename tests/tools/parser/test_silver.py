"""Cut captions have the trees that the original gives captions that end so."""

from __future__ import annotations

from tests.tools.parser.silver_files import caption, write_silver
from tools.parser.silver import TRAIN, cut, cut_captions, read, read_lines, write_lines


def test_the_article_stands_for_its_noun_after_a_preposition():
    found = cut(caption("dog", "on", "the", "beach"), 5)
    assert found is not None
    assert (found["heads"][-2:], found["relations"][-2:]) == ([5, 3], ["case", "nmod"])
    assert found["tags"][-1] == "DT"


def test_no_caption_is_cut_where_its_tree_is_not_known():
    whole = caption("dog", "on", "a", "beach")
    assert [cut(whole, end) for end in (1, 2, 3, 4, 5, 6)] == [None] * 6  # no training caption ends in "on a"


def test_cut_captions_are_trees():
    given = [caption("dog", "on", "the", "beach"), caption("cat", "near", "a", "table")] * 20
    found = list(cut_captions(given, 1.0, 1))
    assert len(found) == 20 and all(s["cut"] for s in found)
    for s in found:
        assert s["heads"].count(0) == 1 and max(s["heads"]) <= len(s["words"])
        assert len({len(s[name]) for name in ("words", "tags", "lemmas", "heads", "relations")}) == 1


def test_sentences_come_back_as_they_were_written(tmp_path):
    silver = list(read(write_silver(tmp_path / "silver"), TRAIN[0]))
    write_lines(tmp_path / "train.jsonl", silver)
    assert read_lines(tmp_path / "train.jsonl") == silver
    assert len(list(read(tmp_path / "silver", TRAIN[0], 2))) == 2
