"""The shared part of Flickr8k's two sets of judgements: captions, citation, and the source of the files."""

from __future__ import annotations

from vericap.errors import InputError
from vericap.readers.judgements import Folder

CITATION = "Hodosh, Young, Hockenmaier. Framing image description as a ranking task. JAIR 47, 2013."
SOURCE = "Flickr8k_text.zip of Hodosh et al. (2013): captions, splits and both files of judgements"
LICENCE = "none stated; asks to cite the paper"
FOLDERS = ("flickr8k", "Flickr8k_text", "Flickr8k")
CAPTIONS = "Flickr8k.token.txt"


def captions(folder: Folder) -> dict[str, list[str]]:
    """The five captions of each picture, in their order."""
    found: dict[str, list[str]] = {}
    for number, (key, caption) in enumerate(folder.rows(CAPTIONS, 2), 1):
        image, hash_sign, place = key.rpartition("#")
        if not hash_sign or not place.isdecimal() or int(place) != len(found.setdefault(image, [])):
            raise InputError(
                f"{key!r} is not the next caption of its picture",
                source=str(folder.file(CAPTIONS)),
                row=number,
                fix=f"take the file as it is published: {folder.origin}",
            )
        found[image].append(caption)
    return found


def pairs(folder: Folder, name: str) -> list[tuple[str, str, int, list[float]]]:
    """Rows of a file of judgements: picture, picture and number of the caption shown, the three numbers."""
    rows = []
    for number, (image, key, *judged) in enumerate(folder.rows(name, 5), 1):
        other, _, place = key.rpartition("#")
        if not (place.isascii() and place.isdecimal() and len(place) < 10):
            raise InputError(
                f"{key!r} is not a picture's name, # and the number of its caption",
                source=str(folder.file(name)),
                row=number,
                fix=f"take the file as it is published: {folder.origin}",
            )
        numbers = [folder.number(text, name, number, f"judgement {k}") for k, text in enumerate(judged, 1)]
        rows.append((image, other, int(place), numbers))
    return rows


def caption(known: dict[str, list[str]], image: str, place: int, source: str, row: int) -> str:
    """A caption by picture and number."""
    if image not in known or place >= len(known[image]):
        raise InputError(
            f"there is no caption {image}#{place}", source=source, row=row, fix=f"check that {CAPTIONS} is complete"
        )
    return known[image][place]
