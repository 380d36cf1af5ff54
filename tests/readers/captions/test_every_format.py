"""Every format gives the same captions, whatever the file is called."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

from tests.readers.captions.caption_writers import FILES, OBJECTS, write_annotations, write_csv, write_results
from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.readers import load, read_captions, read_references

# Captions of COCO and Flickr8k with what goes wrong most: quotation marks, delimiters, breaks, other scripts, nothing.
ROWS = [
    (391895, "A man with a red helmet on a small moped on a dirt road. "),
    (522418, 'A woman, "the baker", cuts a cake;\tslowly'),
    (184613, "A child holding a flowered umbrella\nand petting a yak."),
    (318219, ""),
    (554625, "um cão 🐕 corre\u2028na praia\x85aqui\x0be ali\rlá"),
    (397133, "رجل يركب دراجة في الشارع"),
    (574769, " "),
    (60623, "[UNK] dog {runs}, {jumps}"),
    (309022, "</s>\\n \\u0022 },{ ] }"),
    (5802, " ".join(["dog"] * 10_000)),
]
IDS = [image_id for image_id, _ in ROWS]
CAPTIONS = [caption for _, caption in ROWS]


NAMES = [
    (name, called)
    for called in ("", "file", "file.txt", "file.json")
    for name in FILES
    if called != "file.json" or not name.endswith((".csv", ".tsv"))
]


@pytest.mark.parametrize(("name", "called"), NAMES)
def test_a_file_is_recognised_by_its_content(name: str, called: str, tmp_path: Path) -> None:
    path = tmp_path / (called or name)
    path.write_bytes(FILES[name](ROWS))
    captions = read_captions(path)
    assert captions.captions == CAPTIONS
    assert [int(image_id) for image_id in captions.ids or ()] == IDS
    assert captions.source == str(path)


def test_a_table_that_is_called_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(write_csv(ROWS[:1]))
    with pytest.raises(InputError, match=r"file\.json.*the JSON is broken"):
        read_captions(path)


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_of_python(name: str) -> None:
    captions = read_captions(OBJECTS[name](ROWS))
    assert (captions.ids, captions.captions) == (IDS, CAPTIONS)


def test_a_mapping_keeps_its_ids_and_lists_are_aligned_by_position(tmp_path: Path) -> None:
    assert read_captions(dict(ROWS)).ids == IDS
    path = tmp_path / "dict.json"
    path.write_text(json.dumps(dict(ROWS)), "utf-8")
    assert read_captions(path).ids == [str(image_id) for image_id in IDS]
    assert read_captions(path).captions == CAPTIONS
    assert read_captions(CAPTIONS).ids is None
    assert read_captions(tuple(CAPTIONS)).captions == CAPTIONS
    assert read_captions(np.array(CAPTIONS[:3])).captions == CAPTIONS[:3]
    path.write_text(json.dumps(CAPTIONS))
    assert read_captions(str(path)).captions == CAPTIONS


def test_ids_of_a_table_are_strings_when_the_format_has_no_numbers(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_bytes(write_csv([(42, "a dog")]))
    assert load(path, {42: ["dogs"]}).image_ids == ["42"]
    path.write_bytes(write_results([(42, "a dog")]))
    assert load(path, {"42": ["dogs"]}).image_ids == [42]


def test_lists_give_the_corpus_that_the_columns_give() -> None:
    references = [["a dog", "one dog"], ["cats"], ["a cow", "a cow"]]
    ours = load(["dog", "cat", "cow"], references)
    theirs = Corpus.from_lists(["dog", "cat", "cow"], references)
    assert list(ours.image_ids) == list(theirs.image_ids)
    assert ours.image.dtype == theirs.image.dtype and ours.image.tolist() == theirs.image.tolist()
    assert ours.reference_offsets.dtype == theirs.reference_offsets.dtype
    assert ours.reference_offsets.tolist() == theirs.reference_offsets.tolist()
    assert (ours.candidates, ours.references) == (theirs.candidates, theirs.references)
    assert ours.notes == ()
    alone = load(["dog", "cat"])
    assert not alone.has_references and alone.image.tolist() == [0, 1]


def test_plain_text_has_a_caption_a_line_and_a_reference_file_each(tmp_path: Path) -> None:
    candidates, first, second = (tmp_path / name for name in ("candidates", "ref-0", "ref-1"))
    candidates.write_bytes(b"a dog\r\n\n a\x0bcat\xe2\x80\xa8\xc2\x85sits\rthere\n")
    first.write_bytes(b"one dog\nnothing\ncats\n")
    second.write_bytes(b"dogs\n\na cat")
    corpus = load(candidates, [first, second])
    assert corpus.candidates == ["a dog", "", " a\x0bcat\u2028\x85sits\rthere"]
    assert [corpus.references_of(row) for row in range(3)] == [["one dog", "dogs"], ["nothing", ""], ["cats", "a cat"]]
    assert corpus.notes == ("1 reference empty", f"1 of 3 captions in {candidates} empty: 1")


def test_several_reference_files_with_ids_are_put_together(tmp_path: Path) -> None:
    one, two = tmp_path / "train.json", tmp_path / "val.csv"
    one.write_bytes(write_annotations([(1, "a dog"), (2, "a cat"), (1, "one dog")]))
    two.write_bytes(write_csv([("7", "a cow"), ("8", "a yak")]))
    corpus = load({7: "cow", 1: "dog"}, [one, two])
    assert corpus.references == ["a cow", "a dog", "one dog"]
    assert corpus.notes == ("left out: 2 images of the references without a candidate",)


@pytest.mark.parametrize("field", ["references", "captions", "sentences", "caption", "raw"])
def test_references_may_stand_in_a_list(field: str, tmp_path: Path) -> None:
    rows = [{"image_id": 1, field: ["a dog", "one dog"]}, {"image_id": 2, field: ["a cat"]}]
    expected = ["a cat", "a dog", "one dog"]
    paths = [tmp_path / name for name in ("rows.json", "rows.jsonl", "rows.parquet", "rows.csv")]
    paths[0].write_text(json.dumps(rows))
    paths[1].write_text("\n".join(map(json.dumps, rows)))
    parquet.write_table(pyarrow.Table.from_pylist(rows), paths[2])
    paths[3].write_text(f'image_id,{field}\n1,"[""a dog"", ""one dog""]"\n2,"[""a cat""]"\n')
    for given in [rows, pyarrow.Table.from_pylist(rows), pyarrow.Table.from_pylist(rows).to_pandas(), *paths]:
        assert load({2: "cat", 1: "dog"}, given).references == expected


def test_one_file_may_hold_candidates_and_references(tmp_path: Path) -> None:
    path = tmp_path / "both.jsonl"
    path.write_text('{"id": "x", "prediction": "dog", "references": ["a dog", "one dog"]}\n')
    corpus = load(path, path)
    assert (corpus.candidates, corpus.references) == (["dog"], ["a dog", "one dog"])


def test_fields_become_columns_from_either_side() -> None:
    rows = [{"image_id": 1, "caption": "dog", "system": "a"}, {"image_id": 2, "caption": "cat", "system": "b"}]
    images = [{"id": 2, "file_name": "x.jpg", "domain": "in-domain"}, {"id": 1, "domain": "out-domain"}]
    annotations = {"images": images, "annotations": [{"image_id": i, "caption": "a"} for i in (1, 2, 2)]}
    corpus = load(rows, annotations, fields=["system", "domain"])
    assert corpus.fields == {"system": ["a", "b"], "domain": ["out-domain", "in-domain"]}
    with pytest.raises(InputError, match='field "source"'):
        load(rows, annotations, fields=["source"])
    with pytest.raises(InputError, match="row 2"):
        load([rows[0], {"image_id": 2, "caption": "cat"}], annotations, fields=["system"])
    with pytest.raises(InputError, match="image 3"):
        load(
            rows,
            {**annotations, "annotations": [*annotations["annotations"], {"image_id": 3, "caption": "b"}]},
            fields=["domain"],
        )


@pytest.mark.parametrize("compressed", ["results.json", "results.json.gz", "rows.jsonl.zst"])
def test_standard_input(compressed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(FILES[compressed](ROWS))))
    assert read_captions("-").captions == CAPTIONS
    with pytest.raises(InputError, match="standard input: the file is empty"):
        read_captions("-")
    with pytest.raises(InputError, match="both standard input"):
        load("-", Path("-"))


def test_the_example_of_coco(data: Path) -> None:
    results = data / "coco_fakecap" / "en_captions_val2014_fakecap_results.json"
    annotations = data / "coco_fakecap" / "en_captions_val2014.json"
    corpus = load(results, annotations)
    expected: dict[int, list[str]] = {}
    for row in json.loads(annotations.read_text("utf-8"))["annotations"]:
        expected.setdefault(row["image_id"], []).append(row["caption"])
    rows = json.loads(results.read_text("utf-8"))
    assert corpus.image_ids == [row["image_id"] for row in rows]
    assert [corpus.references_of(row) for row in range(len(corpus))] == [expected[row["image_id"]] for row in rows]


def test_only_what_is_needed_is_imported(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_bytes(write_results(ROWS))
    program = (
        f"import sys, vericap.readers as r; r.load({str(path)!r}); print(*{{'pyarrow', 'pandas'}} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_big_files_do_not_fill_the_memory(tmp_path: Path) -> None:
    """Fields that nobody asked for are not kept: the peak is the file's own bytes and a few megabytes."""
    ballast = {f"field_{n}": n / 7 for n in range(40)}
    path = tmp_path / "results.json"
    path.write_text(json.dumps([{"image_id": n, "caption": f"a dog {n}", **ballast} for n in range(10_000)]))
    tracemalloc.start()
    try:
        load(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < path.stat().st_size + 16e6  # 170 MB more when it is parsed at once


def test_the_tokens_of_flickr8k(data: Path) -> None:
    references = read_references(data / "flickr8k" / "Flickr8k.token.txt")
    assert (references.images, len(references.captions)) == (8092, 40460)
