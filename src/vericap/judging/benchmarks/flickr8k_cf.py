"""Flickr8k-CF (Hodosh et al. 2013): does this caption describe this picture? The share of yes among three or more."""

from __future__ import annotations

import numpy as np

from vericap.judging.benchmarks import flickr8k
from vericap.judging.judgements import Benchmark, Ratings
from vericap.judging.protocols import Protocol
from vericap.readers.judgements import Folder

JUDGEMENTS = "CrowdFlowerAnnotations.txt"
CHOSEN = 2  # every candidate is caption #2 of some picture


def load(folder: Folder, protocol: Protocol) -> Ratings:
    """`own` is "#2 removed" (from all references), "equal text removed", or "kept"."""
    known = flickr8k.captions(folder)
    source = str(folder.file(JUDGEMENTS))
    images, candidates, references, human = [], [], [], []
    for row, (image, other, place, judged) in enumerate(flickr8k.pairs(folder, JUDGEMENTS), 1):
        candidate = flickr8k.caption(known, other, place, source, row)
        flickr8k.caption(known, image, CHOSEN, source, row)
        if protocol.own == "#2 removed":
            used = [text for k, text in enumerate(known[image]) if k != CHOSEN]
        elif protocol.own == "equal text removed":
            used = [text for text in known[image] if text != candidate]
        else:
            used = known[image]
        images.append(image)
        candidates.append(candidate)
        references.append(used)
        human.append(judged[:1])
    return Ratings(images, references, candidates, np.arange(len(images)), human=np.array(human, float))


BENCHMARK = Benchmark(
    name="flickr8k-cf",
    what="captions shown with a picture, the share of at least three workers who said that it describes it",
    size="47,830 captions of 1,000 pictures",
    licence=flickr8k.LICENCE,
    source=flickr8k.SOURCE,
    citation=flickr8k.CITATION,
    folders=flickr8k.FOLDERS,
    protocols=(
        Protocol("without-caption-2", "the papers do not say what they did", measure="kendall_b", own="#2 removed"),
        Protocol("own-removed", "a text equal to the candidate's", measure="kendall_b", own="equal text removed"),
        Protocol("own-kept", "all five references", measure="kendall_b"),
    ),
    load=load,
)
