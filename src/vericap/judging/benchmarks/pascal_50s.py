"""PASCAL-50S (Vedantam et al. 2015): which of two captions is more like what people wrote of the picture?"""

from __future__ import annotations

import numpy as np

from vericap.errors import InputError
from vericap.judging.benchmarks import require_fields
from vericap.judging.judgements import Benchmark, Choices
from vericap.judging.protocols import Protocol, Ties
from vericap.readers.judgements import Folder

PAIRS, REFERENCES = "pascal50s_pairs_joined.json", "pascal50s_refs_by_image.json"
FIELDS = ("image", "a", "b", "category", "label", "result_votes11")
JUDGED = 48  # references of a picture against which people compared the pair: the first 48 of its 50
CATEGORIES = ("HC", "HI", "HM", "MM")
LABELS = ("consensus48", "votes11")


def load(folder: Folder, protocol: Protocol) -> Choices:
    """`label` is "consensus48" (the majority over 48 triplets) or "votes11" (of eleven votes)."""
    rows, references = folder.json(PAIRS), folder.json(REFERENCES)
    source = str(folder.file(PAIRS))
    for number, row in enumerate(rows, 1):
        require_fields(row, FIELDS, source, number)
        if row["image"] not in references:
            fix = f"check that {REFERENCES} is complete"
            raise InputError(f"{row['image']} has no references", source=source, row=number, fix=fix)
    if protocol.label not in LABELS:
        raise InputError(f"no such label: {protocol.label!r}", field="label", fix=f"use one of {', '.join(LABELS)}")
    if protocol.label == "consensus48":
        preferred = [1 if row["label"] == 0 else -1 for row in rows]
    else:
        preferred = [int(np.sign(sum(row["result_votes11"]))) for row in rows]
    return Choices.of(
        [row["image"] for row in rows],
        [references[row["image"]][:JUDGED] for row in rows],
        [(row["a"], row["b"]) for row in rows],
        preferred,
        [row["category"] for row in rows],
    )


def _five(name: str, of: str, ties: Ties, label: str = "consensus48") -> Protocol:
    """Five references, drawn five times."""
    return Protocol(name, of, "accuracy", references_used=5, sampling="random", draws=5, label=label, ties=ties)


BENCHMARK = Benchmark(
    name="pascal-50s",
    what="pairs of captions, and which of them more people found like the picture's 48 references; two human captions "
    "(HC), one of another picture (HI), human and machine (HM), two machines (MM)",
    size="4,000 pairs of 1,000 pictures",
    licence="BSD-2-Clause (of the code that holds it)",
    source="github.com/vrama91/cider (candidates), pair_pascal.mat (votes), and the 50 references a picture, joined",
    citation="Vedantam, Zitnick, Parikh. CIDEr: consensus-based image description evaluation. CVPR 2015.",
    folders=("pascal50s", "pascal_50s", "PASCAL-50S"),
    protocols=(
        _five("clipscore", "Hessel et al. (2021), Table 4", "half"),
        _five("spice", "Anderson et al. (2016): equal or higher is right", "win"),
        _five("vifidel", "Madhyastha et al. (2019)", "half"),
        _five("faier", "Wang et al. (2021), with the label of the other papers", "half"),
        # The paper names no label; the HC column of its Table 3 is that of the eleven votes, 10 points below the other.
        _five("faier-votes11", "Wang et al. (2021), as their Table 3 seems to be", "lose", "votes11"),
        Protocol("cider-r", "Oliveira dos Santos et al. (2021)", "accuracy", label="consensus48", ties="lose"),
        _five("votes11", "the label of eleven votes", "half", "votes11"),
    ),
    load=load,
)
