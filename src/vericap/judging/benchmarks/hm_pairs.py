"""Human against machine captions of the same image: FAIEr's Table 2, on whatever captioner's results are at hand."""

from __future__ import annotations

from typing import Any

from vericap.errors import InputError
from vericap.judging.benchmarks import composite
from vericap.judging.judgements import Benchmark, Choices
from vericap.judging.protocols import Protocol
from vericap.readers.judgements import Folder, read_json


def load(folder: Folder, protocol: Protocol) -> Choices:
    """From COCO annotations and results: each reference in turn is the human caption, the others its references.
    From Composite's file: the human candidate against either machine, its copy removed from the references."""
    if folder.path.name == composite.FILE or (folder.path / composite.FILE).is_file():
        return _composite(folder, protocol)
    return _coco(folder)


def _composite(folder: Folder, protocol: Protocol) -> Choices:
    images: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in folder.json(composite.FILE):
        images.setdefault((row["dataset"], row["image_id"]), []).append(row)
    ids, references, pairs, groups = [], [], [], []
    for (dataset, image), rows in images.items():
        if protocol.subset not in ("", dataset):
            continue
        human, *machines = sorted(rows, key=lambda row: row["cand_index"])
        others = composite.without(human["references"], human["caption"])
        for machine in machines:
            ids.append(int(image) if dataset == "coco" else image)
            references.append(others)
            pairs.append((human["caption"], machine["caption"]))
            groups.append(f"system {machine['cand_index']}")
    return Choices.of(ids, references, pairs, [1] * len(pairs), groups)


def _coco(folder: Folder) -> Choices:
    annotations: dict[Any, list[str]] = {}
    results: list[dict[str, Any]] = []
    for path in folder.files(".json"):
        content = read_json(path)
        if isinstance(content, dict) and "annotations" in content:
            for row in content["annotations"]:
                annotations.setdefault(row["image_id"], []).append(row["caption"])
        elif isinstance(content, list) and content and {"image_id", "caption"} <= set(content[0]):
            results += content
    if not annotations or not results:
        missing = "COCO results (a list of image_id and caption)" if annotations else "COCO annotations"
        raise InputError(f"{missing} are missing", source=str(folder.path), fix=f"they come from {folder.origin}")
    ids, references, pairs = [], [], []
    for number, row in enumerate(results, 1):
        captions = annotations.get(row["image_id"], [])
        if len(captions) < 2:
            problem = f"image {row['image_id']} has {len(captions)} human captions, and two are needed"
            fix = "give the annotations of these images"
            raise InputError(problem, source=str(folder.path), row=number, fix=fix)
        for k, human in enumerate(captions):
            ids.append(row["image_id"])
            references.append([*captions[:k], *captions[k + 1 :]])
            pairs.append((human, row["caption"]))
    return Choices.of(ids, references, pairs, [1] * len(pairs))


BENCHMARK = Benchmark(
    name="hm-pairs",
    what="a human and a machine caption of the same image; the human's should win (the idea of HM-MSCOCO)",
    size="as many as the folder has: COCO's 1,000 example results give 5,002 pairs, Composite 7,990",
    licence="that of the captions",
    source="COCO annotations and a captioner's results in one folder, or composite_joined.json",
    citation="Wang, Yao, Wang, Wu, Chen. FAIEr: fidelity and adequacy ensured image caption evaluation. CVPR 2021.",
    folders=("hm_pairs", "coco_fakecap"),
    protocols=(
        Protocol(
            "faier",
            "Wang et al. (2021): four references; higher is right",
            "accuracy",
            references_used=4,
            sampling="first",
            ties="lose",
        ),
    ),
    load=load,
    subsets=composite.SUBSETS,
)
