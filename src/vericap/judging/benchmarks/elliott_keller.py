"""Elliott and Keller (2014): Flickr8k's expert ratings with the text as that study had it."""

from __future__ import annotations

import csv

from vericap.errors import InputError
from vericap.judging.benchmarks import flickr8k
from vericap.judging.judgements import Benchmark, Ratings
from vericap.judging.protocols import Protocol
from vericap.readers.judgements import Folder

REFERENCES = tuple(f"ref-{k}" for k in range(5))
JUDGES = ("j1", "j2", "j3")


def load(folder: Folder, protocol: Protocol) -> Ratings:
    """Each file has one line per pair; the files of captions may end in blank lines."""
    judged = list(csv.DictReader(folder.lines("judgements")))
    source = str(folder.file("judgements"))
    missing = next((name for name in (*JUDGES, "imageid") if not judged or name not in judged[0]), None)
    if missing is not None:
        raise InputError("there is no such column", source=source, field=missing, fix="take the file as published")
    candidates, *references = [_captions(folder, name, len(judged)) for name in ("candidates", *REFERENCES)]
    human = [[folder.number(row[j], "judgements", n, j) for j in JUDGES] for n, row in enumerate(judged, 1)]
    images = [row["imageid"] for row in judged]
    return Ratings.of(zip(images, zip(*references, strict=True), candidates, human, strict=True))


def _captions(folder: Folder, name: str, rows: int) -> list[str]:
    lines = folder.lines(name)
    if len(lines) < rows:
        raise InputError(
            f"{len(lines)} captions for {rows} judgements", source=str(folder.file(name)), fix="copy the file again"
        )
    return lines[:rows]


BENCHMARK = Benchmark(
    name="elliott-keller",
    what="Flickr8k's expert ratings, all pairs, with the study's own text files",
    size="5,822 captions × 3 judges of 1,000 pictures",
    licence="BSD-3-Clause",
    source="github.com/elliottd/compareImageDescriptionMeasures, folder flickr8k",
    citation="Elliott, Keller. Comparing automatic evaluation measures for image description. ACL 2014. "
    + flickr8k.EXPERT.citation,
    folders=("elliott_keller_2014", "elliott-keller"),
    protocols=(
        Protocol(
            "elliott-keller",
            "Elliott and Keller (2014): text as written; ROUGE takes runs of letters and digits for words",
            measure="spearman",
            tokenizer="whitespace",
            tokenizers={"rouge-su4": "rouge", "rouge-l": "rouge"},
        ),
        Protocol("ptb", "COCO's tokens", measure="spearman"),
    ),
    load=load,
)
