"""Annotations and results of COCO captions (Lin et al. 2014) with the calls of pycocotools' `COCO`."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Collection, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from vericap.compat.pycocoevalcap.captions import CaptionsError
from vericap.errors import InputError

Entry = dict[str, Any]


class COCO:
    """A captions file: `dataset` as read, `anns`, `imgs` and `cats` by id, `imgToAnns` the annotations of each image.

    It has what captions need of pycocotools' class; masks and drawing are not among it. Nothing is printed but by
    `info` and `showAnns`.

    >>> coco = COCO()
    >>> coco.dataset = {"images": [{"id": 5}, {"id": 6}],
    ...                 "annotations": [{"id": 1, "image_id": 5, "caption": "a dog"}]}
    >>> coco.createIndex()
    >>> coco.getImgIds(), coco.loadAnns(coco.getAnnIds(5)), coco.loadImgs(6)
    ([5, 6], [{'id': 1, 'image_id': 5, 'caption': 'a dog'}], [{'id': 6}])
    >>> coco.showAnns(coco.loadAnns(1))
    a dog
    """

    def __init__(self, annotation_file: str | PathLike[str] | None = None) -> None:
        self.dataset: Entry = {} if annotation_file is None else _read(annotation_file)
        if not isinstance(self.dataset, dict):
            raise CaptionsError(
                "the file does not hold an object with images and annotations",
                source=str(annotation_file),
                fix="give the annotations here, and results to loadRes",
            )
        self.createIndex()

    def createIndex(self) -> None:
        """Fill `anns`, `imgs`, `cats`, `imgToAnns` and `catToImgs` from `dataset`."""
        self.anns, self.imgs, self.cats = map(self._by_id, ("annotations", "images", "categories"))
        self.imgToAnns: defaultdict[Any, list[Entry]] = defaultdict(list)
        self.catToImgs: defaultdict[Any, list[Any]] = defaultdict(list)
        for annotation in self.dataset.get("annotations", ()):
            self.imgToAnns[annotation["image_id"]].append(annotation)
            if "category_id" in annotation:
                self.catToImgs[annotation["category_id"]].append(annotation["image_id"])

    def _by_id(self, part: str) -> dict[Any, Entry]:
        return {entry["id"]: entry for entry in self.dataset.get(part, ())}

    def info(self) -> None:
        """Print what the file says about itself."""
        for key, value in self.dataset["info"].items():
            _print(f"{key}: {value}")

    def getAnnIds(
        self, imgIds: Any = (), catIds: Any = (), areaRng: Sequence[float] = (), iscrowd: bool | None = None
    ) -> list[Any]:
        """Ids of the annotations of some images, categories and areas, or of all."""
        images, categories = _several(imgIds), set(_several(catIds))
        found = self.dataset["annotations"]
        if images:
            found = [a for image in images if image in self.imgToAnns for a in self.imgToAnns[image]]
        return [
            annotation["id"]
            for annotation in found
            if (not categories or annotation["category_id"] in categories)
            and (not len(areaRng) or areaRng[0] < annotation["area"] < areaRng[1])
            and (iscrowd is None or annotation["iscrowd"] == iscrowd)
        ]

    def getImgIds(self, imgIds: Any = (), catIds: Any = ()) -> list[Any]:
        """Ids of all images in the order of the file; or the given ones without repetition, of those that have every
        given category."""
        images, categories = set(_several(imgIds)), _several(catIds)
        if not images and not categories:
            return list(self.imgs)
        groups = [set(self.catToImgs[category]) for category in categories]
        return list(set.intersection(*([images] if images else []), *groups))

    def getCatIds(self, catNms: Any = (), supNms: Any = (), catIds: Any = ()) -> list[Any]:
        """Ids of the categories with some names, supercategories and ids, or of all."""
        names, above, ids = (set(_several(given)) for given in (catNms, supNms, catIds))
        return [
            category["id"]
            for category in self.dataset["categories"]
            if (not names or category["name"] in names)
            and (not above or category["supercategory"] in above)
            and (not ids or category["id"] in ids)
        ]

    def loadAnns(self, ids: Any = ()) -> list[Entry]:
        """Return the annotations of some ids."""
        return [self.anns[each] for each in _several(ids)]

    def loadImgs(self, ids: Any = ()) -> list[Entry]:
        """Return the images of some ids."""
        return [self.imgs[each] for each in _several(ids)]

    def loadCats(self, ids: Any = ()) -> list[Entry]:
        """Return the categories of some ids."""
        return [self.cats[each] for each in _several(ids)]

    def showAnns(self, anns: Sequence[Entry], draw_bbox: bool = False) -> None:
        """Print the captions of annotations, one per line."""
        for number, annotation in enumerate(anns, 1):
            if "caption" not in annotation:
                raise InputError(
                    "the annotation has no caption, and only captions can be shown",
                    row=number,
                    field="caption",
                    fix="use pycocotools to draw boxes and masks",
                )
            _print(annotation["caption"])

    def loadRes(self, resFile: str | PathLike[str] | list[Entry] | np.ndarray[Any, Any]) -> COCO:
        """Results [{"image_id", "caption"}], in a file, a list or an array, as a COCO of their own, with the images
        they describe.

        As in pycocotools, each entry gets an `id`, its place from 1 on; in a list that was given, too.
        """
        source = str(resFile) if isinstance(resFile, str | PathLike) else "results"
        entries = _results(resFile, source)
        for number, entry in enumerate(entries, 1):
            self._check(entry, source, number)
            entry["id"] = number
        described = {entry["image_id"] for entry in entries}
        results = COCO()
        results.dataset = {
            "info": self.dataset.get("info", {}),
            "images": [image for image in self.dataset["images"] if image["id"] in described],
            "annotations": entries,
        }
        results.createIndex()
        return results

    def _check(self, entry: Any, source: str, number: int) -> None:
        """Raise an error where an entry of the results has no caption of one of the images."""
        if not isinstance(entry, dict):
            raise CaptionsError("the entry is not an object", source=source, row=number)
        for key in ("image_id", "caption"):
            if key not in entry:
                raise CaptionsError(f"the entry has no {key}", source=source, row=number, field=key)
        if entry["image_id"] not in self.imgs:
            raise CaptionsError(
                f"image {entry['image_id']!r} is not in the annotations",
                source=source,
                row=number,
                field="image_id",
                fix="leave it out, or load the annotations it belongs to",
            )


def _results(given: Any, source: str) -> list[Any]:
    if isinstance(given, np.ndarray) and given.dtype != object:
        raise CaptionsError(
            f"an array of {given.dtype} has no captions",
            source=source,
            fix="give a list of entries; boxes, the N×7 numbers that pycocotools takes, are not scored here",
        )
    entries = _read(given) if isinstance(given, str | PathLike) else given
    entries = entries.tolist() if isinstance(entries, np.ndarray) else entries
    if not isinstance(entries, list):
        raise CaptionsError(
            "results are not a list", source=source, fix='write [{"image_id": 1, "caption": "a dog"}, …]'
        )
    return entries


def _read(path: str | PathLike[str]) -> Any:
    try:
        return orjson.loads(Path(path).read_bytes())
    except orjson.JSONDecodeError as error:
        raise InputError(
            f"this is not JSON: {error}", source=str(path), fix="write the file again, it may be cut off"
        ) from None


def _several(ids: Any) -> Sequence[Any]:
    """Return one id or several of them, as pycocotools takes both."""
    return list(ids) if isinstance(ids, Collection) and not isinstance(ids, str) else [ids]


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
