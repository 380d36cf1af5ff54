"""Flickr8k's two sets of judgements (Hodosh et al. 2013): captions of other pictures shown with a picture, rated by
three experts (Flickr8k-Expert), and the share of three or more workers who said that it describes it (Flickr8k-CF)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from vericap.errors import InputError
from vericap.judging.judgements import Benchmark, Ratings
from vericap.judging.protocols import Protocol
from vericap.readers.judgements import Folder

CAPTIONS = "Flickr8k.token.txt"
CHOSEN = 2  # every candidate of Flickr8k-CF is caption #2 of some picture


class Pair(NamedTuple):
    """A picture and a caption shown with it: the picture's captions, the picture that the caption is of, the caption,
    and the three numbers of the row."""

    image: str
    captions: list[str]
    other: str
    caption: str
    judged: list[float]


def _captions(folder: Folder) -> dict[str, list[str]]:
    """Return the five captions of each picture, in their order."""
    found: dict[str, list[str]] = {}
    for number, (key, caption) in enumerate(folder.rows(CAPTIONS, 2), 1):
        image, hash_sign, place = key.rpartition("#")
        if not hash_sign or not place.isdecimal() or int(place) != len(found.setdefault(image, [])):
            raise folder.unlike_published(f"{key!r} is not the next caption of its picture", CAPTIONS, number)
        found[image].append(caption)
    return found


def _pairs(folder: Folder, name: str, needed: int) -> Iterator[Pair]:
    """Yield the rows of a file of judgements; each picture must have the caption of the number `needed`."""
    known = _captions(folder)
    for number, (image, key, *judged) in enumerate(folder.rows(name, 5), 1):
        other, _, text = key.rpartition("#")
        if not (text.isascii() and text.isdecimal() and len(text) < 10):
            problem = f"{key!r} is not a picture's name, # and the number of its caption"
            raise folder.unlike_published(problem, name, number)
        numbers = [folder.number(each, name, number, f"judgement {k}") for k, each in enumerate(judged, 1)]
        for of, place in ((other, int(text)), (image, needed)):
            if place >= len(known.get(of, ())):
                fix = f"check that {CAPTIONS} is complete"
                raise InputError(
                    f"there is no caption {of}#{place}", source=str(folder.file(name)), row=number, fix=fix
                )
        yield Pair(image, known[image], other, known[other][int(text)], numbers)


def load_expert(folder: Folder, protocol: Protocol) -> Ratings:
    """`own` is "left out": without the 158 pairs whose caption is one of the picture's own; or "kept"."""
    return Ratings.of(
        (each.image, each.captions, each.caption, each.judged)
        for each in _pairs(folder, "ExpertAnnotations.txt", 0)
        if protocol.own != "left out" or each.other != each.image
    )


def load_cf(folder: Folder, protocol: Protocol) -> Ratings:
    """`own` is "#2 removed" (from all references), "equal text removed", or "kept"."""

    def used(each: Pair) -> list[str]:
        if protocol.own == "#2 removed":
            return [text for k, text in enumerate(each.captions) if k != CHOSEN]
        return [text for text in each.captions if protocol.own != "equal text removed" or text != each.caption]

    pairs = _pairs(folder, "CrowdFlowerAnnotations.txt", CHOSEN)
    return Ratings.of((each.image, used(each), each.caption, each.judged[:1]) for each in pairs)


EXPERT = Benchmark(
    name="flickr8k-expert",
    what="captions retrieved for another picture, rated 1-4 by three experts each",
    size="5,822 captions × 3 judges (5,664 without a picture's own captions) of 1,000 pictures",
    licence="none stated; asks to cite the paper",
    source="Flickr8k_text.zip of Hodosh et al. (2013): captions, splits and both files of judgements",
    citation="Hodosh, Young, Hockenmaier. Framing image description as a ranking task. JAIR 47, 2013.",
    folders=("flickr8k", "Flickr8k_text", "Flickr8k"),
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
    load=load_expert,
)
CF = replace(
    EXPERT,
    name="flickr8k-cf",
    what="captions shown with a picture, the share of at least three workers who said that it describes it",
    size="47,830 captions of 1,000 pictures",
    protocols=(
        Protocol("without-caption-2", "the papers do not say what they did", measure="kendall_b", own="#2 removed"),
        Protocol("own-removed", "a text equal to the candidate's", measure="kendall_b", own="equal text removed"),
        Protocol("own-kept", "all five references", measure="kendall_b"),
    ),
    load=load_cf,
)
