"""Composite (Aditya et al. 2018): a human and two machine captions of each picture, rated 1-5 for correctness."""

from __future__ import annotations

from vericap.judging.benchmarks import require_fields
from vericap.judging.judgements import Benchmark, Ratings
from vericap.judging.protocols import Protocol
from vericap.readers.judgements import Folder
from vericap.text.ptb import PUNCTUATION, tokenize

FILE = "composite_joined.json"
FIELDS = ("dataset", "image_id", "cand_index", "caption", "correctness", "references")
SUBSETS = ("coco", "flickr8k", "flickr30k")
OWN_TOKENS = "equal tokens removed from its own"


def load(folder: Folder, protocol: Protocol) -> Ratings:
    """`own`: the human candidate is one of the references. "removed from all" takes it, and near copies, out of the
    references of all three candidates; "equal tokens removed from its own" takes those with the same PTB tokens out
    of its own alone; "kept" leaves it. `rows` is "all" or "systems": the machine captions alone."""
    rows = folder.json(FILE)
    source = str(folder.file(FILE))
    for number, row in enumerate(rows, 1):
        require_fields(row, FIELDS, source, number)
    human = {(row["dataset"], row["image_id"]): row["caption"] for row in rows if row["cand_index"] == 0}
    rated, systems, groups = [], [], []
    for number, row in enumerate(rows, 1):
        rating = [folder.number(row["correctness"], FILE, number, "correctness")]
        if protocol.subset not in ("", row["dataset"]) or (protocol.rows == "systems" and row["cand_index"] == 0):
            continue
        used = row["references"]
        if protocol.own == "removed from all":
            used = without(used, human[row["dataset"], row["image_id"]])
        elif protocol.own == OWN_TOKENS and row["cand_index"] == 0:
            tokens = _tokens(row["caption"])
            used = [reference for reference in used if _tokens(reference) != tokens]
        image_id = int(row["image_id"]) if row["dataset"] == "coco" else row["image_id"]
        rated.append((image_id, used, row["caption"], rating))
        systems.append(("human", "system 1", "system 2")[row["cand_index"]])
        groups.append(row["dataset"])
    return Ratings.of(rated, systems=systems, groups=groups)


def _tokens(caption: str) -> list[str]:
    return [word.lower() for word in tokenize(caption) if word not in PUNCTUATION]


def without(references: list[str], caption: str) -> list[str]:
    """The references but the one that is the caption. Letters and digits alone count: so compared, the human
    candidate of every picture is one of its references.

    >>> without(["A dog runs .", "A cat ."], "a dog runs.")
    ['A cat .']
    """
    plain = _letters(caption)
    return [reference for reference in references if _letters(reference) != plain]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


BENCHMARK = Benchmark(
    name="composite",
    what="a human and two machine captions a picture of Flickr8k, Flickr30k and COCO, rated 1-5 for correctness",
    size="11,985 captions of 3,995 pictures (COCO 6,021, Flickr8k 2,991, Flickr30k 2,973)",
    licence="none stated",
    source="the AMT files of Aditya et al., joined with captions and references (composite_joined.json)",
    citation="Aditya, Yang, Baral, Aloimonos, Fermüller. Image understanding using vision and reasoning through scene "
    "description graph. CVIU 173, 2018.",
    folders=("composite",),
    protocols=(
        Protocol("human-removed", "Hessel et al. (2021)", own="removed from all"),
        Protocol("own-removed", "the human caption alone loses its copy", own=OWN_TOKENS),
        Protocol("own-kept", "nothing is removed", own="kept"),
        Protocol(
            "vifidel",
            "Madhyastha et al. (2019): machine captions of COCO",
            measure="spearman",
            own="kept",
            rows="systems",
            subset="coco",
        ),
        Protocol(
            "faier",
            "Wang et al. (2021): one reference, drawn five times, the candidate's own copy among them",
            own="kept",
            references_used=1,
            sampling="random",
            draws=5,
        ),
    ),
    load=load,
    subsets=SUBSETS,
)
