"""ABSTRACT-50S (Vedantam et al. 2015): as PASCAL-50S, with clip-art scenes and all 48 votes."""

from __future__ import annotations

from typing import Any

import numpy as np

from vericap.errors import InputError
from vericap.judging.judgements import Benchmark, Choices
from vericap.judging.protocols import Protocol
from vericap.readers.judgements import Folder

VOTES, CANDIDATES = "consensus_abstract.mat", "abstract_candsB.json"


def load(folder: Folder, protocol: Protocol) -> Choices:
    """Each pair with its references and the vote cast against each. A vote that repeats another (the same reference,
    the same choice) is left out when `label` is "distinct-votes", as in the curves of CIDEr-R's authors, whose
    denominators show it."""
    from scipy.io import loadmat

    path = folder.file(VOTES)
    try:
        triplets = loadmat(str(path))["triplets"].ravel()
        rows = [(_text(row["A"]), _text(row["B"]), _text(row["C"]), int(row["rating"].item())) for row in triplets]
    except Exception as error:  # SciPy's reader fails in many ways on damaged files
        raise InputError(
            f"this is not the file of triplets ({error})", source=str(path), fix=f"it comes from {folder.origin}"
        ) from None
    images = [row["image_id"] for row in folder.json(CANDIDATES)]
    size, rest = divmod(len(rows), len(images))
    if rest:
        raise InputError(f"{len(rows)} votes for {len(images)} pairs", source=str(path), fix="fetch both files again")
    groups = [rows[start : start + size] for start in range(0, len(rows), size)]
    if protocol.label == "distinct-votes":
        groups = [list(dict.fromkeys(group)) for group in groups]
    votes = np.zeros((len(groups), max(map(len, groups))), np.int64)
    for i, group in enumerate(groups):
        votes[i, : len(group)] = [vote for *_, vote in group]
    return Choices.of(
        images,
        [[reference for reference, *_ in group] for group in groups],
        [(group[0][1], group[0][2]) for group in groups],
        np.sign(votes.sum(axis=1)).tolist(),
        votes=votes,
    )


def _text(cell: Any) -> str:
    return str(cell.item().item())


BENCHMARK = Benchmark(
    name="abstract-50s",
    what="pairs of human captions of clip-art scenes, and which of them is more like each of 48 references",
    size="400 pairs × 48 votes of 200 scenes",
    licence="BSD-2-Clause (of the code that holds it)",
    source="github.com/vrama91/cider (candidates), github.com/gabrielsantosrv/coco-caption (consensus_abstract.mat)",
    citation="Vedantam, Zitnick, Parikh. CIDEr: consensus-based image description evaluation. CVPR 2015.",
    folders=("abstract50s", "abstract_50s", "ABSTRACT-50S"),
    protocols=(
        Protocol(
            "majority",
            "the votes of the references used, ties of votes left out",
            "accuracy",
            label="votes",
            ties="half",
        ),
        Protocol(
            "cider-r",
            "Oliveira dos Santos et al. (2021): distinct votes, equal scores are wrong",
            "accuracy",
            label="distinct-votes",
            ties="lose",
        ),
    ),
    load=load,
)
