"""Every reader with valid files for it: what is changed, and what reads it."""

from __future__ import annotations

import gzip
import json
import pickle
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from pyarrow import parquet

from tests.judging import benchmark_folders
from tests.readers.captions.caption_writers import FILES as CAPTION_FILES
from tests.readers.captions.test_excel import ROWS as WORKBOOK
from tests.readers.captions.test_excel import write_workbook
from tests.readers.captions.test_published import KARPATHY, MSR_VTT, SAMPLE, TEXT_CAPS
from tests.readers.regions.region_writers import WRITERS as REGION_WRITERS
from vericap.corpus import Corpus
from vericap.judging import load as load_benchmark
from vericap.judging.external import read_scores
from vericap.lexicon.frequencies import count
from vericap.lexicon.frequencies import resolve as resolve_frequencies
from vericap.lexicon.language_model import load as load_language_model
from vericap.lexicon.language_model import train
from vericap.lexicon.paraphrases import Paraphrases
from vericap.lexicon.stop_words import stop_words
from vericap.lexicon.vectors import resolve as resolve_vectors
from vericap.readers import load
from vericap.readers.objects import add_objects
from vericap.readers.regions import add_regions
from vericap.readers.storage.graph_files import file_hash, propositions

ROWS = [(1, "a dog runs"), (2, "two cats, sitting"), (7, 'a "red" bus')]
REFERENCES = {1: ["a dog"], 2: ["cats"], 7: ["a bus", "one bus"]}
CORPUS = Corpus.from_lists([caption for _, caption in ROWS], image_ids=[image for image, _ in ROWS])
WORDS = ["dog", "cat", "a", "hot dog"]


@dataclass(frozen=True)
class Target:
    """`write` makes a valid file or folder at a path; `read` reads it."""

    write: Callable[[Path], Any]
    read: Callable[[Path], Any]
    name: str = "file"


def _content(data: bytes | str) -> Callable[[Path], Any]:
    return lambda path: path.write_bytes(data.encode() if isinstance(data, str) else data)


def _captions() -> dict[str, Target]:
    own = [{"id": i, "prediction": c, "references": REFERENCES[i]} for i, c in ROWS]
    files: dict[str, bytes | str] = {
        **{name: write(ROWS) for name, write in CAPTION_FILES.items()},
        "karpathy.json": json.dumps(KARPATHY),
        "msr_vtt.json": json.dumps(MSR_VTT),
        "textcaps.json": json.dumps(TEXT_CAPS),
        "coco_caption.json": json.dumps({"1": [{"caption": "a dog"}], "2": [{"caption": "cats"}]}),
        "pairs.json": json.dumps([{"1": "a dog"}, {"2": "cats"}]),
        "samples.jsonl": json.dumps(SAMPLE) + "\n" + json.dumps({**SAMPLE, "doc_id": 1}) + "\n",
        "own.json": json.dumps(own),
        "own.csv": "id,prediction,ref0,ref1\n1,a dog,a dog runs,dogs\n2,cats,two cats,\n",
        "clips.txt": "vid1\ta dog\nvid2\ta cat\n",
        "msvd.csv": "VideoID,Start,End,Language,Description\nabc,1,2,English,a dog\nabc,3,4,German,ein Hund\n",
    }
    targets = {
        f"captions {name}": Target(_content(data), lambda path: _read_captions(path), name)
        for name, data in files.items()
    }
    book = Target(lambda path: write_workbook(path, WORKBOOK), lambda path: _read_captions(path), "book.xlsx")
    return {**targets, "captions book.xlsx": book}


def _read_captions(path: Path) -> None:
    from vericap.errors import InputError

    failed = None
    for read in (
        lambda: load(path, repeated="keep"),
        lambda: load({1: "a dog", "42": "a dog"}, path, missing="zero", uncaptioned="zero"),
        lambda: load(path, REFERENCES, missing="drop", repeated="first"),
    ):
        try:
            read()
        except InputError as error:
            failed = error
    if failed is not None:
        raise failed


def _objects() -> dict[str, Target]:
    coco = {
        "images": [{"id": 1, "file_name": "1.jpg"}, {"id": 2}],
        "categories": [{"id": 18, "name": "dog"}],
        "annotations": [{"image_id": 1, "category_id": 18, "bbox": [0, 0, 5, 5]}],
    }
    xml = (
        "<annotation><filename>1.jpg</filename><object><name>dog</name><bndbox><xmin>1</xmin><ymin>1</ymin>"
        "<xmax>5</xmax><ymax>5</ymax></bndbox></object></annotation>"
    )
    rows = [{"image_id": 1, "labels": ["dog", "cat"], "scores": [0.9, 0.8]}]
    detected = {"name": "bus", "score": 0.9, "bbox": [0, 0, 1, 1]}
    files = {
        "ids.json": json.dumps({"1": ["dog"], "2": {"cat": 2}, "7": [detected]}),
        "coco.json": json.dumps(coco),
        "results.json": json.dumps([{"image_id": 1, "category_id": 18, "score": 0.9, "bbox": [0, 0, 1, 1]}]),
        "labels.txt": "1\tdog,cat\n2\t\n7\tbus\n",
        "open_images.csv": "ImageID,Source,LabelName,Confidence\n1,human,dog,1\n2,human,cat,0\n",
        "one.xml": xml,
        "names.csv": "/m/0bt9lr,Dog\n/m/01yrx,Cat\n",
    }

    def read(path: Path) -> None:
        add_objects(CORPUS, path, missing="zero")

    targets = {f"objects {name}": Target(_content(data), read, name) for name, data in files.items()}

    def write(path: Path) -> None:
        parquet.write_table(pyarrow.Table.from_pylist(rows), path)

    return {**targets, "objects rows.parquet": Target(write, read, "rows.parquet")}


def _regions() -> dict[str, Target]:
    endings = {"npz": ".npz", "parquet": ".parquet", "safetensors": ".safetensors", "tsv": ".tsv"}

    def read(path: Path) -> None:
        add_regions(CORPUS, path, missing="zero")

    def writer(write: Callable[[Path], Path], ending: str) -> Callable[[Path], Any]:
        def made(path: Path) -> None:
            found = write(path.with_name(f"made{ending}"))
            found.replace(path)

        return made

    targets = {}
    for kind, write in REGION_WRITERS.items():
        ending = next((end for start, end in endings.items() if kind.startswith(start)), ".tsv")
        ending = ending + ".gz" if "gz" in kind else ending
        targets[f"regions {kind}"] = Target(writer(write, ending), read, f"regions{ending}")
    return targets


def _lexicon() -> dict[str, Target]:
    binary = b"2 3\n" + b"".join(w + b" " + np.arange(3, dtype="<f4").tobytes() + b"\n" for w in (b"dog", b"cat"))
    trained = train(["a dog runs", "a cat runs", "a dog"] * 5, order=3, name="tiny")
    table = count([["a dog runs", "a dog"], ["a dog", "a cat"]])
    frequencies: dict[tuple[str, ...], float] = defaultdict(float, {("a",): 2.0, ("a", "dog"): 2.0})
    pickled = pickle.dumps({"document_frequency": dict(frequencies), "ref_len": 2.0}, 2)

    def vectors(path: Path) -> None:
        resolve_vectors(path).of(WORDS)

    def npy(path: Path) -> None:
        with path.open("wb") as file:
            np.save(file, np.eye(2, 3, dtype=np.float32))
        path.with_suffix(".vocab").write_text("dog\ncat\n")

    def look_up(path: Path) -> None:
        found = resolve_frequencies(path)
        if found is not None:
            found.lookup(["a", "dog"], np.array([0]), np.array([1]))

    def probable(path: Path) -> None:
        load_language_model(path).expected(["a"], 3)

    return {
        "vectors text": Target(_content("2 3\ndog 1 0 0\ncat 0 1 0\n"), vectors, "v.txt"),
        "vectors glove": Target(_content("dog 1 0 0\ncat 0 1 0\n"), vectors, "v.txt"),
        "vectors binary": Target(_content(binary), vectors, "v.bin"),
        "vectors npy": Target(npy, vectors, "v.npy"),
        "stop words": Target(_content("der\ndie\n"), lambda path: stop_words.__wrapped__(str(path)), "stop.txt"),
        "paraphrases": Target(_content("0.5\na dog\ndogs\n"), lambda path: Paraphrases.read(path), "p.txt"),
        "frequencies table": Target(lambda path: table.save(path), look_up, "t.df"),
        "frequencies pickle": Target(_content(pickled), look_up, "t.p"),
        "frequencies references": Target(_content(json.dumps({"1": ["a dog"], "2": ["a cat"]})), look_up, "t.json"),
        "language model": Target(lambda path: trained.save(path), probable, "m.lm"),
        "graphs": Target(
            _content(json.dumps({"a dog": [["dog"], ["dog", "brown"]], "a cat": "( cat , is , red )"})),
            lambda path: (propositions(["a dog"], str(path)), file_hash(str(path))),
            "g.json",
        ),
        "graphs in a list": Target(
            _content(json.dumps([{"caption": "a dog", "graph": [["dog"]]}])),
            lambda path: propositions(["a dog"], str(path)),
            "g.json",
        ),
        "gzip": Target(
            lambda path: path.write_bytes(gzip.compress(json.dumps({"1": "a dog"}).encode(), mtime=0)),
            lambda path: load(path),
            "r.json.gz",
        ),
    }


def _judge() -> dict[str, Target]:
    makers = {
        "flickr8k-expert": benchmark_folders.flickr8k,
        "flickr8k-cf": benchmark_folders.flickr8k,
        "composite": benchmark_folders.composite,
        "pascal-50s": benchmark_folders.pascal,
        "abstract-50s": benchmark_folders.abstract,
        "elliott-keller": benchmark_folders.elliott_keller,
        "coco-2015": benchmark_folders.coco_2015,
        "thumb": benchmark_folders.thumb,
        "nebula": benchmark_folders.nebula,
        "hm-pairs": benchmark_folders.hm_pairs,
    }
    targets = {
        f"judge {name}": Target(make, lambda path, name=name: load_benchmark(name, path), "folder")  # type: ignore[misc]
        for name, make in makers.items()
    }
    ratings = "image_id,caption,reference_1,reference_2,score\n1,a dog,dogs,a dog,4\n2,a cat,cats,,1\n"
    pairs = [{"image_id": 1, "a": "dog", "b": "cat", "references": ["a dog"], "preferred": "a"}]
    scores = "id,score\n0,0.5\n1,0.7\n"
    return {
        **targets,
        "judge ratings": Target(_content(ratings), lambda path: load_benchmark("ratings", path), "ratings.csv"),
        "judge pairs": Target(_content(json.dumps(pairs)), lambda path: load_benchmark("pairs", path), "pairs.json"),
        "judge scores": Target(_content(scores), lambda path: read_scores(path, 2), "scores.csv"),
    }


def _neural() -> dict[str, Target]:
    """Configurations, and checkpoints where torch is installed."""
    from vericap.metrics.faier.config import read_config

    config = '[model]\ndimension = 256\nvariant = "faier"\n\n[training]\nbatch = 8\nlearning_rate = 0.001\n'
    configuration = Target(_content(config), read_config, "faier.toml")
    try:
        import torch
    except ImportError:
        return {"configuration": configuration}
    from tests.metrics.faier.faier_scorers import scorer_of
    from vericap.lexicon import recurrent
    from vericap.metrics.faier import checkpoint

    torch.set_num_threads(1)

    def write_model(path: Path) -> None:
        shape = recurrent.Shape(8, 4)
        facts = recurrent.CheckpointFacts("tiny", "ptb", "en", shape, list("abcdef"), [1] * 8, 1)
        recurrent.save(path, recurrent.RecurrentNetwork(shape), facts)

    return {
        "checkpoint faier": Target(lambda path: scorer_of("faier", path), checkpoint.load, "folder"),
        "checkpoint language model": Target(write_model, recurrent.load, "folder"),
        "configuration": configuration,
    }


def targets() -> dict[str, Target]:
    """Every reader by name."""
    return {**_captions(), **_objects(), **_regions(), **_lexicon(), **_judge(), **_neural()}
