"""THumB 1.0 (Kasai et al. 2022): captions of five captioners, people among them, rated by rules for each aspect."""

from __future__ import annotations

from typing import Any

from vericap.errors import InputError
from vericap.judging.benchmarks import require_fields
from vericap.judging.judgements import Benchmark, Ratings
from vericap.judging.protocols import Protocol
from vericap.readers.judgements import Folder, number, read_table

JUDGED = ("mscoco_THumB-1.0.jsonl", "THumB-1.0.jsonl")
# `mscoco_references.json` is the authors' name, although the file holds one JSON object per line.
REFERENCES = ("mscoco_references.json", "mscoco_references.jsonl", "references.jsonl", "cnndm_references.jsonl")
ASPECTS = {"human_score": "", "P": "precision", "R": "recall", "Fl": "fluency", "Inc": "inclusive", "Con": "concise"}


def load(folder: Folder, protocol: Protocol) -> Ratings:
    """`label` chooses the aspect: human_score, P, R, Fl, Inc or Con. `rows` is "all" or "systems" (without people)."""
    aspect = protocol.label or "human_score"
    if aspect not in ASPECTS:
        raise InputError(f"no such label: {aspect!r}", field="label", fix=f"use one of {', '.join(ASPECTS)}")
    if folder.path.is_file():
        raise InputError("THumB is two files", source=str(folder.path), fix="give their folder")
    judged, references = folder.file(*JUDGED), folder.file(*REFERENCES)
    known: dict[Any, list[str]] = {}
    for line, row in enumerate(read_table(references), 1):
        require_fields(row, ("seg_id", "refs"), str(references), line)
        known[row["seg_id"]] = list(row["refs"])
    rows, systems = [], []
    for line, row in enumerate(read_table(judged), 1):
        field = "Flu" if aspect == "Fl" and "Fl" not in row else aspect
        require_fields(row, ("SYS", "seg_id", "hyp", "image", field), str(judged), line)
        if row["seg_id"] not in known:
            problem, fix = f"segment {row['seg_id']} has no references", f"check that {references.name} is complete"
            raise InputError(problem, source=str(judged), row=line, field="seg_id", fix=fix)
        if protocol.rows == "systems" and str(row["SYS"]).lower() == "human":
            continue
        rated = [number(row[field], str(judged), line, field)]
        rows.append((row["image"], known[row["seg_id"]], row["hyp"], rated))
        systems.append(str(row["SYS"]))
    return Ratings.of(rows, systems=systems)


BENCHMARK = Benchmark(
    name="thumb",
    what="captions of four systems and people for COCO images, rated for precision, recall, fluency and more",
    size="500 captions × 5 captioners",
    licence="none stated",
    source="github.com/jungokasai/THumB, folder mscoco: mscoco_THumB-1.0.jsonl and the file of references",
    citation="Kasai et al. Transparent human evaluation for image captioning. NAACL 2022.",
    folders=("thumb", "THumB", "mscoco"),
    protocols=(
        Protocol("all-captions", "people's captions too", measure="pearson", label="human_score"),
        Protocol("systems-only", "without people's captions", measure="pearson", label="human_score", rows="systems"),
        Protocol("system-level", "means of the systems", measure="pearson", label="human_score", level="system"),
    ),
    load=load,
)
