"""The 2015 COCO Captioning Challenge: fifteen systems and people, judged by people (M1-M5) and by four metrics."""

from __future__ import annotations

import numpy as np

from vericap.errors import InputError
from vericap.judging.judgements import Benchmark, Systems
from vericap.judging.protocols import Protocol
from vericap.readers.judgements import Folder

FILE = "spice_table1_16systems_DERIVED.json"
QUESTIONS = {
    "M1": "captions that are better than or equal to a human's, share",
    "M2": "captions that pass the Turing test, share",
    "M3": "correctness, 1-5",
    "M4": "detail, 1-5",
    "M5": "captions that are similar to a human's, share",
}
_METRICS = {"SPICE": "spice", "METEOR": "meteor", "CIDEr": "cider-d", "Bleu_4": "bleu-4"}


def load(folder: Folder, protocol: Protocol) -> Systems:
    """The scores that metrics gave the systems are in the file; the captions are not public."""
    systems = folder.json(FILE)
    source = str(folder.file(FILE))
    if not isinstance(systems, dict) or not systems:
        raise InputError("this is not {system: {M1: …}}", source=source, fix="take the file as it is published")

    def column(name: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        for row, (system, numbers) in enumerate(systems.items(), 1):
            if name not in numbers:
                raise InputError(f"{system} has none", source=source, row=row, field=name, fix="give every number")
        return np.array(
            [folder.number(numbers[name], FILE, row, name) for row, numbers in enumerate(systems.values(), 1)]
        )

    return Systems(
        list(systems),
        {question: column(question) for question in QUESTIONS},
        {key: column(name) for name, key in _METRICS.items()},
        notes=tuple(f"{name}: {what}" for name, what in QUESTIONS.items()),
    )


BENCHMARK = Benchmark(
    name="coco-2015",
    what="fifteen systems of the 2015 COCO Captioning Challenge and human captions, five questions to people each",
    size="16 systems × 5 questions",
    licence="none stated",
    source="the figures of the SPICE project page (github.com/peteanderson80/peteanderson80.github.io), as one table",
    citation="Chen et al. Microsoft COCO captions: data collection and evaluation server. arXiv:1504.00325. Anderson, "
    "Fernando, Johnson, Gould. SPICE. ECCV 2016.",
    folders=("coco_challenge_2015", "coco-2015"),
    protocols=(Protocol("spice", "Anderson et al. (2016), Table 1", measure="pearson", level="system"),),
    load=load,
)
