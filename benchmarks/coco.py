"""COCO's captions of 2014, which come inside the pycocoevalcap wheel."""

from __future__ import annotations

import json
import zipfile
from importlib.util import find_spec
from pathlib import Path

JAR = "pycocoevalcap/spice/spice-1.0.jar"
INSIDE = "coco/annotations/captions_{}.json"


def jar() -> Path:
    """Return the jar that holds the captions: of an installed pycocoevalcap, or of the peers'."""
    package = find_spec("pycocoevalcap")
    if package is not None and package.submodule_search_locations:
        return Path(package.submodule_search_locations[0]).parent / JAR
    from benchmarks.speed.environment import peer_file

    return peer_file(JAR)


def annotations(part: str = "val2014") -> bytes:
    """Return the file as COCO publishes it, of val2014 or train2014."""
    with zipfile.ZipFile(jar()) as archive:
        return archive.read(INSIDE.format(part))


def captions() -> dict[int, list[str]]:
    """Return the captions of each image, in the order of COCO's list of images."""
    given = json.loads(annotations())
    found: dict[int, list[str]] = {image["id"]: [] for image in given["images"]}
    for annotation in given["annotations"]:
        found[annotation["image_id"]].append(annotation["caption"])
    return found
