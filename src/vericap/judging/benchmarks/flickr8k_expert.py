"""Flickr8k-Expert (Hodosh et al. 2013): captions of other pictures shown with a picture, rated by three experts."""

from __future__ import annotations

import numpy as np

from vericap.judging.benchmarks import flickr8k
from vericap.judging.judgements import Benchmark, Ratings
from vericap.judging.protocols import Protocol
from vericap.readers.judgements import Folder

JUDGEMENTS = "ExpertAnnotations.txt"


def load(folder: Folder, protocol: Protocol) -> Ratings:
    """`own` is "left out": without the 158 pairs whose caption is one of the picture's own; or "kept"."""
    known = flickr8k.captions(folder)
    source = str(folder.file(JUDGEMENTS))
    images, candidates, human = [], [], []
    for row, (image, other, place, judged) in enumerate(flickr8k.pairs(folder, JUDGEMENTS), 1):
        candidate = flickr8k.caption(known, other, place, source, row)
        flickr8k.caption(known, image, 0, source, row)
        if protocol.own == "left out" and other == image:
            continue
        images.append(image)
        candidates.append(candidate)
        human.append(judged)
    return Ratings(
        images, [known[image] for image in images], candidates, np.arange(len(images)), human=np.array(human, float)
    )


BENCHMARK = Benchmark(
    name="flickr8k-expert",
    what="captions retrieved for another picture, rated 1-4 by three experts each",
    size="5,822 captions × 3 judges (5,664 without a picture's own captions) of 1,000 pictures",
    licence=flickr8k.LICENCE,
    source=flickr8k.SOURCE,
    citation=flickr8k.CITATION,
    folders=flickr8k.FOLDERS,
    protocols=(
        Protocol("judges-apart", "Anderson et al. (2016); Hessel et al. (2021)", own="left out"),
        Protocol("judges-averaged", "one mean rating per caption", own="left out", judges="averaged"),
        Protocol("own-kept", "Elliott and Keller (2014)", measure="spearman"),
        Protocol(
            "faier",
            "Wang et al. (2021): one reference, drawn five times",
            own="left out",
            references_used=1,
            sampling="random",
            draws=5,
        ),
    ),
    load=load,
)
