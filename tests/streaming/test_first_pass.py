"""Document frequencies counted in pieces are those of the whole."""

import pytest

from tests.streaming.demo_rows import demo_rows, references_by_id, tokenised, write_lines
from vericap.engine import Engine
from vericap.lexicon.frequencies import count
from vericap.streaming import first_pass
from vericap.streaming.first_pass import count_frequencies
from vericap.streaming.job import Job
from vericap.streaming.rows import layout_of
from vericap.streaming.shards import Shards


def silent(what, rows, share):
    pass


@pytest.mark.parametrize("workers", [1, 2])
def test_many_small_pieces_count_as_the_whole_does(tmp_path, monkeypatch, workers):
    monkeypatch.setattr(first_pass, "ROWS", 6)
    monkeypatch.setattr(first_pass, "TRIES", 3)
    rows = demo_rows(100)
    shards = Shards([str(write_lines(tmp_path / "a.jsonl", rows))])
    found = count_frequencies(Job(shards, layout_of(shards[0])), 4, 3, Engine(workers=workers), silent)
    whole = count([row["references"] for row in rows], name="corpus")
    assert found.documents == 100 and found.source == whole.source


def test_only_images_that_the_rows_describe_are_documents(tmp_path):
    references = references_by_id()
    used = list(references)[:5]
    rows = [{"image_id": image, "caption": "a dog"} for image in [*used, *used]]
    shards = Shards([str(write_lines(tmp_path / "a.jsonl", rows))])
    layout = layout_of(shards[0], own_references=False)
    job = Job(
        shards,
        layout,
        tokenizer="whitespace",
        references=tokenised(references),
    )
    found = count_frequencies(job, 4, 3, Engine(), silent)
    whole = count([references[image] for image in used], tokenizer="whitespace", name="corpus")
    assert found.documents == 5 and found.source == whole.source
