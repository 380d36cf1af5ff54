"""The files that `benchmarks.numbers` and `benchmarks.readings` score. Each function writes its files to a folder under
fixed names, so that the commands that run in that folder are always the same."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.places import DATA, DEMO

FEW = 60  # captions for what takes long
STREAMED = 300
PICTURES = 30  # MID needs more pictures than the small CLIP has dimensions
PICTURE_FOLDER = DATA / "pictures" / "coco_val2014"


def fakecap(folder: Path) -> None:
    """COCO's example results and their references: all 1,000, and the first few of them."""
    ids, captions, references = _example()
    _write_scored(folder, "results", "references", ids, captions, references)
    _write_scored(folder, "few", "few_references", ids[:FEW], captions[:FEW], references[:FEW])


def rows(folder: Path) -> None:
    """Rows of a stream with their own references; two of them cannot be scored."""
    lines: list[dict[str, Any]] = [
        {"image_id": image, "caption": caption, "references": own}
        for image, caption, own in zip(*(each[:STREAMED] for each in _example()), strict=True)
    ]
    lines[100]["caption"] = 7
    del lines[200]["caption"]
    (folder / "rows.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


def ratings(folder: Path) -> None:
    """The captions of the demo as if people had rated them, each captioner's by two judges."""
    references: dict[int, list[str]] = {}
    for annotation in json.loads((DEMO / "references.json").read_text("utf-8"))["annotations"]:
        references.setdefault(annotation["image_id"], []).append(annotation["caption"])
    with (folder / "ratings.jsonl").open("w", encoding="utf-8") as file:
        for rank, system in enumerate(("weak", "middling", "strong"), 1):
            for number, row in enumerate(json.loads((DEMO / f"{system}.json").read_text("utf-8"))):
                scores = {"score_1": rank + number % 2, "score_2": rank + number % 3}
                own = references[row["image_id"]]
                line = {"image_id": row["image_id"], "caption": row["caption"], "references": own, "system": system}
                file.write(json.dumps({**line, **scores}) + "\n")


def pictures(folder: Path) -> None:
    """Pictures of some of the example's images, with the captions and references of these."""
    found = list(_with_pictures())
    (folder / "pictures").mkdir()
    for image, _, _ in found:
        shutil.copy(_picture(image), folder / "pictures")
    ids, captions, references = zip(*found, strict=True)
    _write_scored(folder, "pictured", "pictured_references", ids, captions, references)


def clip(folder: Path) -> None:
    """A CLIP of two layers with random weights, as a folder of Hugging Face."""
    from transformers.utils.logging import disable_progress_bar

    from tests.encoders.clip.tiny import hugging_face

    disable_progress_bar()
    (folder / "clip").mkdir()
    hugging_face(folder / "clip")


def read(name: str) -> Any:
    """Return the content of a JSON file of the folder in which the process runs."""
    return json.loads(Path(name).read_text("utf-8"))


def _example() -> tuple[list[int], list[str], list[list[str]]]:
    """Image ids, captions and references of COCO's example results."""
    given = json.loads((DATA / "oracle" / "coco" / "fakecap1000.input.json").read_text("utf-8"))
    return given["ids"], given["cands"], given["refs"]


def _write_scored(folder: Path, results: str, references: str, ids: Any, captions: Any, own: Any) -> None:
    lines = [{"image_id": image, "caption": caption} for image, caption in zip(ids, captions, strict=True)]
    (folder / f"{results}.json").write_text(json.dumps(lines), "utf-8")
    (folder / f"{references}.json").write_text(json.dumps(dict(zip(map(str, ids), own, strict=True))), "utf-8")


def _with_pictures() -> Iterator[tuple[int, str, list[str]]]:
    there = (each for each in zip(*_example(), strict=True) if _picture(each[0]).exists())
    yield from (each for each, _ in zip(there, range(PICTURES), strict=False))


def _picture(image: int) -> Path:
    return PICTURE_FOLDER / f"COCO_val2014_{image:012d}.jpg"
