"""Matching of image ids between sources: by equal ids, by file names that a source tells, by spelling; and what
becomes of captions whose image a file of references, objects or regions does not name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vericap.arrays import Booleans, Integers
from vericap.corpus import Corpus, ImageId
from vericap.corpus.columns import IntegerColumn, TextColumn
from vericap.corpus.image_ids import Images as Images
from vericap.corpus.image_ids import shown
from vericap.errors import InputError
from vericap.options.choices import Missing
from vericap.readers.messages import count, listed_ids

SHOWING_NOTHING = "as images that show nothing"
# Ids whose span is larger than this many times their number are sorted; others have a place each in a table, which is
# several times faster. The ids of COCO's val2014 span 14 times their number.
_SPARSE = 32


def distinct_ids(ids: Sequence[ImageId]) -> tuple[Integers, Sequence[ImageId], Integers]:
    """Return the number of each id in the order of first appearance, the distinct ids, and where each occurs first.

    >>> number, distinct, first = distinct_ids(IntegerColumn(np.array([42, 42, 7, 42])))
    >>> number.tolist(), distinct, first.tolist()
    ([0, 0, 1, 0], [42, 7], [0, 2])
    """
    if not isinstance(ids, IntegerColumn):
        index: dict[ImageId, int] = {}
        number = np.fromiter((index.setdefault(each, len(index)) for each in ids), np.int64, len(ids))
        # Numbers are given in the order of appearance, so an id is new where its number is above all before.
        return number, list(index), np.flatnonzero(np.diff(np.maximum.accumulate(number), prepend=-1))
    # The references of an image are mostly next to each other: what is looked up is one id for each run of equal ones.
    starts = np.flatnonzero(np.append(True, ids.values[1:] != ids.values[:-1]))
    first = _first_places(ids.values[starts])
    new = first == np.arange(len(first))
    number = np.repeat((np.cumsum(new) - 1)[first], np.diff(np.append(starts, len(ids))))
    return number, IntegerColumn(ids.values[starts[new]]), starts[new]


def _first_places(numbers: Integers) -> Integers:
    """Return for each number the place where it occurs first."""
    low, size = int(numbers.min()), _span(numbers)
    if size > _SPARSE * len(numbers):
        _, first, place = np.unique(numbers, return_index=True, return_inverse=True)
        return first[place]
    table = np.empty(size, np.int64)
    places = np.arange(len(numbers))
    table[numbers[::-1] - low] = places[::-1]  # of equal numbers the last one written stays
    return table[numbers - low]


def _span(numbers: Integers) -> int:
    return int(numbers.max()) - int(numbers.min()) + 1


def refuse_two_types(images: Images) -> None:
    """Raise an error for 42 and "42" in one source: it is unknown whether they are one image."""
    if isinstance(images.ids, (IntegerColumn, TextColumn)) or len(set(map(type, images.ids))) < 2:
        return
    index = {image_id: image for image, image_id in enumerate(images.ids)}
    for image_id, image in index.items():
        if isinstance(image_id, int) and (other := index.get(str(image_id))) is not None:
            places = f'a number in {images.where(image)}, and the string "{image_id}" in {images.where(other)}'
            raise InputError(f"the image id {image_id} is {places}", fix="write it in one way")


def match_images(ours: Images, theirs: Images) -> Integers:
    """Return for each of our images its number among theirs, or -1; an error where it is not clear or not one to one.

    Equal ids go first, then the file names that they tell, then the spelling.

    >>> ours = Images(["42.jpg", "8"], lambda image: ("results.json", image + 1))
    >>> theirs = Images([7, 42], lambda image: ("captions.json", image + 1))
    >>> match_images(ours, theirs).tolist()
    [1, -1]
    """
    if isinstance(ours.ids, IntegerColumn) and isinstance(theirs.ids, IntegerColumn):
        target = _match_numbers(ours.ids.values, theirs.ids.values)
    else:
        known = {image_id: image for image, image_id in enumerate(theirs.ids)}
        target = np.fromiter((known.get(image_id, -1) for image_id in ours.ids), np.int64, len(ours.ids))
    unmatched = np.flatnonzero(target < 0).tolist()
    for image in unmatched:
        try:
            target[image] = theirs.find(ours.ids[image])
        except InputError as error:
            source, row = ours.found(image)
            raise InputError(error.problem, source=source, row=row, fix=error.fix) from None
    if unmatched:
        _refuse_two_of_one(ours, target)
    return target


def _match_numbers(ours: Integers, theirs: Integers) -> Integers:
    """Return the place of each of our numbers among theirs, which are distinct; -1 for those that they do not have."""
    if len(theirs) == 0:
        return np.full(len(ours), -1)
    low, high, size = int(theirs.min()), int(theirs.max()), _span(theirs)
    if size > _SPARSE * len(theirs):
        order = np.argsort(theirs)
        place = order[np.searchsorted(theirs, ours, sorter=order).clip(max=len(theirs) - 1)]
        return np.where(theirs[place] == ours, place, -1)
    table = np.full(size, -1)
    table[theirs - low] = np.arange(len(theirs))
    within = (ours >= low) & (ours <= high)
    return np.where(within, table[np.where(within, ours, low) - low], -1)


def _refuse_two_of_one(ours: Images, target: Integers) -> None:
    taken: dict[int, int] = {}
    for i, image in enumerate(target.tolist()):
        if image >= 0 and taken.setdefault(image, i) != i:
            other = taken[image]
            source, row = ours.found(i)
            raise InputError(
                f"image {shown(ours.ids[i])} is the same as {shown(ours.ids[other])} in row {ours.found(other)[1]}",
                source=source,
                row=row,
                fix="write the id of an image in one way",
            )


def images_of(corpus: Corpus, source: str = "the candidates") -> Images:
    """Return the images of a corpus, by the id of the first row that describes each."""
    first = np.unique(corpus.image, return_index=True)[1].tolist()
    return Images([corpus.image_ids[row] for row in first], lambda image: (source, first[image] + 1))


def without(corpus: Corpus, lacking: Booleans, missing: Missing, what: str, source: str) -> Corpus:
    """Return the corpus when rows lack references, objects or regions (`what`): refused, without the rows, or as it is.

    >>> corpus = Corpus.from_lists(["a dog", "a cat"], image_ids=[7, 8])
    >>> dropped = without(corpus, np.array([True, False]), "drop", "objects", "objects.json")
    >>> dropped.image_ids, dropped.notes
    ([8], ('1 candidate without objects left out: 7',))
    """
    rows = np.flatnonzero(lacking).tolist()
    if missing == "error":
        more = f" (and {len(rows) - 1} more)" if len(rows) > 1 else ""
        raise InputError(
            f"image {shown(corpus.image_ids[rows[0]])}{more} is not in the {what}",
            source=source,
            fix="add it (with an empty list if it shows none), or choose --missing drop or --missing zero",
        )
    some = f"{count(len(rows), 'candidate')} without {what}"
    ids = listed_ids(corpus.image_ids, rows)
    if missing == "zero":
        how = "at 0 where a metric compares with them" if what == "references" else SHOWING_NOTHING
        return replace(corpus, notes=(*corpus.notes, f"{some} kept, {how}: {ids}"))
    kept = np.flatnonzero(~lacking)
    if not len(kept):
        fix = "check that both files name images in the same way"
        raise InputError(f"no image of the candidates has {what} in it", source=source, fix=fix)
    return corpus.keep(kept, f"{some} left out: {ids}")
