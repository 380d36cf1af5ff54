"""Annotations and results of COCO captions (Lin et al. 2014) with the calls of pycocotools' `COCO`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import orjson

from vericap.compat.pycocoevalcap.captions import CaptionsError
from vericap.errors import InputError

Entry = dict[str, Any]


class COCO:
    """A captions file: `dataset` as read, `anns` and `imgs` by id, `imgToAnns` the annotations of each image.

    It has what captions need of pycocotools' class; boxes, masks and categories are not among it.

    >>> coco = COCO()
    >>> coco.dataset = {"images": [{"id": 5}, {"id": 6}],
    ...                 "annotations": [{"id": 1, "image_id": 5, "caption": "a dog"}]}
    >>> coco.createIndex()
    >>> coco.getImgIds(), coco.loadAnns(coco.getAnnIds(5)), coco.loadImgs(6)
    ([5, 6], [{'id': 1, 'image_id': 5, 'caption': 'a dog'}], [{'id': 6}])
    """

    def __init__(self, annotation_file: str | PathLike[str] | None = None) -> None:
        self.dataset: Entry = {}
        self.anns: dict[Any, Entry] = {}
        self.imgs: dict[Any, Entry] = {}
        self.imgToAnns: defaultdict[Any, list[Entry]] = defaultdict(list)
        if annotation_file is not None:
            self.dataset = _read(annotation_file)
            if not isinstance(self.dataset, dict):
                raise CaptionsError(
                    "the file does not hold an object with images and annotations",
                    source=str(annotation_file),
                    fix="give the annotations here, and results to loadRes",
                )
            self.createIndex()

    def createIndex(self) -> None:
        """Fills `anns`, `imgs` and `imgToAnns` from `dataset`."""
        self.anns, self.imgToAnns = {}, defaultdict(list)
        for annotation in self.dataset.get("annotations", ()):
            self.imgToAnns[annotation["image_id"]].append(annotation)
            self.anns[annotation["id"]] = annotation
        self.imgs = {image["id"]: image for image in self.dataset.get("images", ())}

    def getAnnIds(self, imgIds: Any = ()) -> list[Any]:
        """Ids of the annotations of some images, or of all."""
        images = _several(imgIds)
        if not images:
            return [annotation["id"] for annotation in self.dataset["annotations"]]
        return [a["id"] for image in images if image in self.imgToAnns for a in self.imgToAnns[image]]

    def getImgIds(self, imgIds: Any = ()) -> list[Any]:
        """Ids of all images in the order of the file, or the given ones without repetition."""
        return list(set(_several(imgIds)) or self.imgs)

    def loadAnns(self, ids: Any = ()) -> list[Entry]:
        """The annotations of some ids."""
        return [self.anns[each] for each in _several(ids)]

    def loadImgs(self, ids: Any = ()) -> list[Entry]:
        """The images of some ids."""
        return [self.imgs[each] for each in _several(ids)]

    def loadRes(self, resFile: str | PathLike[str] | list[Entry]) -> COCO:
        """Results [{"image_id", "caption"}] as a COCO of their own, with the images they describe.

        As in pycocotools, each entry gets an `id`, its place from 1 on; in a list that was given, too.
        """
        source = str(resFile) if isinstance(resFile, str | PathLike) else "results"
        entries = _read(resFile) if isinstance(resFile, str | PathLike) else resFile
        if not isinstance(entries, list):
            raise CaptionsError(
                "results are not a list", source=source, fix='write [{"image_id": 1, "caption": "a dog"}, …]'
            )
        for number, entry in enumerate(entries, 1):
            if not isinstance(entry, dict):
                raise CaptionsError("the entry is not an object", source=source, row=number)
            for key in ("image_id", "caption"):
                if key not in entry:
                    raise CaptionsError("the entry lacks it", source=source, row=number, field=key)
            if entry["image_id"] not in self.imgs:
                raise CaptionsError(
                    f"image {entry['image_id']!r} is not in the annotations",
                    source=source,
                    row=number,
                    field="image_id",
                    fix="leave it out, or load the annotations it belongs to",
                )
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


def _read(path: str | PathLike[str]) -> Any:
    try:
        return orjson.loads(Path(path).read_bytes())
    except orjson.JSONDecodeError as error:
        raise InputError(
            f"this is not JSON: {error}", source=str(path), fix="write the file again, it may be cut off"
        ) from None


def _several(ids: Any) -> Sequence[Any]:
    """One id or several of them, as pycocotools takes both."""
    return list(ids) if isinstance(ids, Collection) and not isinstance(ids, str) else [ids]
