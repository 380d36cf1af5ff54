"""Table 5 of Wang et al. (2021): how much higher a region scores with words that name it than with other words.

The truth is the label: a word names a region when it is the label, or one of the label's synonyms in CHAIR's list, in
singular or plural. Pictures are those of val2017 with gold labels; an image's fifth caption is the candidate.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from benchmarks.pages import table
from vericap.corpus import Corpus
from vericap.metrics.faier import Faier
from vericap.metrics.faier.pictures import PICTURE
from vericap.metrics.faier.scenes import scenes_of
from vericap.readers.objects import add_objects
from vericap.readers.objects.labels import normalise
from vericap.views import Views

IMAGES = 500


def matched_words(labels: Path, captions: Path) -> str:
    """Mean similarity of regions with their own words and with other words, by number of references."""
    given = json.loads(captions.read_text("utf-8"))
    known = {line.split("\t")[0] for line in labels.read_text("utf-8").splitlines()}
    rows = [(i, refs) for i, refs in zip(given["ids"], given["refs"], strict=True) if str(i) in known][:IMAGES]
    names = names_of(labels.parent / "chair_synonyms.txt")
    metric = Faier()
    model = metric.model()
    lines = [["references", "image–reference: own words", "other words", "union–candidate: own words", "other words"]]
    for count in (1, 2, 3, 4):
        corpus = Corpus.from_lists(
            [refs[4] for _, refs in rows], [refs[:count] for _, refs in rows], [image for image, _ in rows]
        )
        scenes = scenes_of(metric, Views(add_objects(corpus, labels)))
        found: dict[tuple[str, bool], list[float]] = {}
        for row in range(len(corpus)):
            details = model.details(scenes, row)
            said = zip(details.references, details.reference_matches, strict=True)
            pairs = [("reference", reference.words, matrix) for reference, matrix in said]
            for kind, words, matrix in [*pairs, ("candidate", details.words, details.objects_after)]:
                for label, similarities in zip(details.labels, matrix, strict=True):
                    if label == PICTURE:  # the whole picture has no word of its own
                        continue
                    for word, value in zip(words, similarities, strict=True):
                        found.setdefault((kind, label in names.get(word, ())), []).append(float(value))
        cells = [f"{np.mean(found[kind, own]):.2f}" for kind in ("reference", "candidate") for own in (True, False)]
        lines.append([str(count), *cells])
    return table(lines) + (
        f"\n\nMean over {len(rows)} pictures of a region's attention to a word of a reference (equation 2 before its "
        "softmax) and of a union node's similarity with a word of the candidate. The paper has 3.10, .21, 5.04 and .86 "
        "with one reference, 3.09, .20, 5.92 and .73 with four."
    )


def names_of(synonyms: Path) -> dict[str, set[str]]:
    """Return the labels that a word may name."""
    found: dict[str, set[str]] = {}
    for line in synonyms.read_text("utf-8").splitlines():
        label, *others = (normalise(word) for word in line.split(","))
        for name in (label, *others):
            # The last word carries the meaning of a compound: "traffic light", "fire truck".
            for word in (name, f"{name}s", f"{name}es") if " " not in name else ():
                found.setdefault(word, set()).add(label)
    return found
