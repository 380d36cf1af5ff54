"""Nebula (Matsuda et al. 2024) and Polaris (Wada et al. 2024): machine captions rated by people, as one JSON list."""

from __future__ import annotations

from dataclasses import replace

from vericap.errors import InputError
from vericap.judging.benchmarks import require_fields
from vericap.judging.judgements import Benchmark, Ratings
from vericap.judging.protocols import Protocol
from vericap.readers.judgements import Folder, number, read_table

FIELDS = ("imgid", "mt", "refs", "score")


def load(folder: Folder, protocol: Protocol) -> Ratings:
    """The one .json file of the folder, or the file itself: a list of {imgid, mt, refs, score}."""
    found = folder.files(".json", ".jsonl")
    if len(found) != 1:
        raise InputError(
            f"{len(found)} JSON files are in the folder, and one is needed",
            source=str(folder.path),
            fix=f"name the file itself; it comes from {folder.origin}",
        )
    source = str(found[0])
    rows = []
    for row, each in enumerate(read_table(found[0]), 1):
        require_fields(each, FIELDS, source, row)
        references = [each["refs"]] if isinstance(each["refs"], str) else list(each["refs"])
        rows.append((each["imgid"], references, each["mt"], [number(each["score"], source, row, "score")]))
    return Ratings.of(rows)


BENCHMARK = Benchmark(
    name="nebula",
    what="machine captions rated by people: a JSON list of imgid, mt, refs, score",
    size="as many as the file has",
    licence="as its authors state with the file",
    source="the data sets the authors publish, converted to JSON",
    citation="Matsuda, Wada, Sugiura. DENEB: a hallucination-robust automatic evaluation metric for image captioning. "
    "ACCV 2024.",
    folders=("nebula",),
    protocols=(Protocol("pooled", "every caption with its mean rating"),),
    load=load,
)
POLARIS = replace(
    BENCHMARK,
    name="polaris",
    citation="Wada, Kaneda, Saito, Sugiura. Polos: multimodal metric learning from human feedback for image "
    "captioning. CVPR 2024.",
    folders=("polaris",),
)
