"""Nothing in a file is dropped or changed without a word."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

import vericap
from tests.judge.benchmark_folders import flickr8k
from vericap.errors import InputError
from vericap.judge import load as load_benchmark
from vericap.readers import read_captions, read_references
from vericap.readers.judgements import read_table
from vericap.readers.objects import read_objects
from vericap.readers.storage.graph_files import file_hash, propositions
from vericap.readers.storage.vector_files import read_vectors

REFERENCES = {str(i): [f"a {animal} runs", f"the {animal}"] for i, animal in enumerate(["dog", "cat", "cow", "pig"])}


def pipe(path: Path, content: bytes) -> Path:
    """A pipe that gives its content once, as <(cat file) of a shell does."""
    os.mkfifo(path)
    threading.Thread(target=path.write_bytes, args=(content,), daemon=True).start()
    return path


def test_frequencies_from_a_pipe_are_those_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(json.dumps(REFERENCES))
    through = pipe(tmp_path / "pipe", (tmp_path / "r.json").read_bytes())
    captions = {image: f"a {given[0].split()[1]}" for image, given in REFERENCES.items()}
    file, piped = (
        vericap.evaluate(captions, REFERENCES, metrics="cider-d", df=df)["cider-d"].score
        for df in (tmp_path / "r.json", through)
    )
    assert file == piped > 0


def test_graphs_from_a_pipe_have_the_hash_of_their_content(tmp_path: Path) -> None:
    content = b'{"a dog": [["dog"]]}'
    (tmp_path / "graphs.json").write_bytes(content)
    through = str(pipe(tmp_path / "pipe", content))
    assert propositions(["a dog"], through) == [[("dog",)]]
    assert file_hash(through) == file_hash(str(tmp_path / "graphs.json"))


def test_one_caption_has_one_graph(tmp_path: Path) -> None:
    rows = [{"caption": "a dog", "graph": [["dog"]]}, {"caption": "a dog", "graph": [["cat"]]}]
    (tmp_path / "g.json").write_text(json.dumps(rows))
    with pytest.raises(InputError, match=r"row 2.*another graph in a row before"):
        propositions(["a dog"], str(tmp_path / "g.json"))


def test_words_do_not_join_over_a_line_break_in_quotes(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('image_id,caption\n1,"a dog\nruns fast"\n2,"a\u2028cat\fsits"\n', newline="")
    assert [row["caption"] for row in read_table(tmp_path / "t.csv")] == ["a dog\nruns fast", "a\u2028cat\fsits"]


def test_a_column_that_occurs_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("image_id,caption,caption\n1,a dog,a cat\n")
    with pytest.raises(InputError, match='field "caption": the header names this column twice'):
        read_table(tmp_path / "t.csv")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[{"image_id": 1, "caption": "a", "caption": "b"}]', 'row 1, field "caption": the field occurs twice'),
        ('{"image_id": 1, "caption": "a"}\n{"image_id": 2, "caption": "a", "caption": "b"}', 'row 2, field "caption"'),
        ('{"annotations": [], "annotations": [{"image_id": 1, "caption": "b"}]}', "'annotations' occurs twice"),
        (
            '{"images": [], "annotations": [{"image_id": 1, "caption": "b", "image_id": 2}]}',
            'row 1 of annotations, field "image_id"',
        ),
        ('{"1": "a", "2": "b", "1": "c"}', "'1' occurs twice, in rows 1 and 3"),
        ('{"1": ["a \\": b"], "2": ["c"], "2": ["d"]}', "'2' occurs twice, in rows 2 and 3"),
    ],
)
def test_a_key_that_occurs_twice_is_refused(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(content)
    for read in (read_captions, read_references):
        with pytest.raises(InputError) as caught:
            read(tmp_path / "r.json")
        assert message in str(caught.value)


def test_a_key_that_occurs_twice_in_a_large_file_is_refused(tmp_path: Path) -> None:
    rows = [json.dumps({"image_id": i, "caption": f"caption number {i}"}) for i in range(20_000)]
    rows[15_000] = '{"image_id": 15000, "caption": "one", "caption": "two"}'
    for content in ("[" + ",".join(rows) + "]", '{"annotations": [' + ",".join(rows) + "]}"):
        (tmp_path / "r.json").write_text(content)
        with pytest.raises(InputError, match=r'row 15001.*field "caption": the field occurs twice'):
            read_captions(tmp_path / "r.json")


def test_a_colon_behind_a_quotation_mark_in_a_caption_is_no_key(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(json.dumps({"1": 'a sign that says "stop": red', "2": 'x": y'}))
    assert read_captions(tmp_path / "r.json").captions == ['a sign that says "stop": red', 'x": y']


def test_objects_of_an_image_that_occurs_twice_are_refused(tmp_path: Path) -> None:
    (tmp_path / "o.json").write_text('{"1": ["dog"], "1": ["cat"]}')
    with pytest.raises(InputError, match="'1' occurs twice"):
        read_objects(tmp_path / "o.json")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1000000 2\ndog 1 0\ncat 0 1\n", "its header says 1,000,000 words, and there are 2"),
        ("2 2\ndog 1 0\ncat 1\n", "row 2: the row has 1 numbers after its word, and the file has 2 dimensions"),
        ("dog 1 0\ncat 1 0 1\n", "row 2: the row has 3 numbers after its word"),
        ("dog 1 0\n\ncat 1\n", "row 2: the row has 1 numbers"),
    ],
)
def test_vectors_that_are_cut_off_are_refused(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text(content)
    with pytest.raises(InputError) as caught:
        read_vectors(tmp_path / "v.txt")
    assert message in str(caught.value)


def test_a_word_with_spaces_keeps_its_vector(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("dog 1 0\n. . . 0 1\n")
    vectors = read_vectors(tmp_path / "v.txt")
    assert vectors.words == ["dog", ". . ."]


@pytest.mark.parametrize("place", ["-1", "1.5", "1e0", "", "\u0661"])
def test_the_number_of_a_flickr_caption_is_a_whole_number(place: str, tmp_path: Path) -> None:
    folder = flickr8k(tmp_path / "flickr8k")
    path = folder / "ExpertAnnotations.txt"
    path.write_text(path.read_text("utf-8").replace("cat.jpg#2", f"cat.jpg#{place}", 1), "utf-8")
    with pytest.raises(InputError, match=r"ExpertAnnotations.txt, row \d+: .*the number of its caption"):
        load_benchmark("flickr8k-expert", folder)
