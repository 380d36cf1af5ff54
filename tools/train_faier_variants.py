"""Trains FAIEr and its variants (the paper's Table 4) on COCO val2014's gold labels, and says what they retrieve.

    python tools/train_faier_variants.py SOURCE DATA OUTPUT [--only faier,fier] [--parsed FILE] [--resume]

SOURCE is captions_val2014.json or the folder of an installed pycocoevalcap, whose spice-1.0.jar holds that file.
DATA is the folder of shared data: coco_objects, composite, coco_val2017. OUTPUT gets a folder for each variant.
FILE keeps parsed captions between runs. Settings: tools/faier.toml, and below what a variant changes.

No image of Composite, of the Karpathy test split or of val2017 is used; 1,000 of the rest are for validation, and 1,000
are held out for retrieval.
"""

from __future__ import annotations

import argparse
import json
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import torch

from vericap.metrics.faier.config import DataConfig, FaierConfig, read_config
from vericap.metrics.faier.examples import Prepared, prepare
from vericap.metrics.faier.inputs import WordVectors, shipped_vectors
from vericap.metrics.faier.training import RESUME, Report, train_prepared
from vericap.scene.caption_graphs import caption_propositions

MEMBER = "coco/annotations/captions_val2014.json"
Changes: TypeAlias = dict[str, dict[str, object]]

# The rows of Table 4 are compared with each other: all are trained alike, in less time than what ships.
ROWS: dict[str, tuple[str, bool, str]] = {
    "fier-r": ("fier", True, "r"),
    "aier-4": ("aier", True, "4"),
    "fier+aier-4": ("fier+aier", True, "4"),
    "faier-objects-4": ("faier", False, "4"),
    "faier-4": ("faier", True, "4"),
    "faier-objects-1": ("faier", False, "1"),
    "faier-1": ("faier", True, "1"),
    "faier-objects-r": ("faier", False, "r"),
    "faier-r": ("faier", True, "r"),
}
TABLE: dict[str, Changes] = {
    name: {
        "model": {"variant": variant, "relations": relations, "dimension": 128},
        "training": {"references": references, "learning_rate": 0.003, "epochs": 6},
    }
    for name, (variant, relations, references) in ROWS.items()
}
# What ships. FIEr, which has less to learn, is at its best sooner; AIEr is the table's.
VARIANTS: dict[str, Changes] = {
    "faier": {},
    "fier": {"model": {"variant": "fier"}, "training": {"epochs": 15}},
    "aier": TABLE["aier-4"],
    **TABLE,
}


def captions_file(source: Path, output: Path) -> Path:
    """Return the annotations, from themselves or out of pycocoevalcap's jar."""
    if source.is_file():
        return source
    target = output / "captions_val2014.json"
    if not target.exists():
        with zipfile.ZipFile(next(source.rglob("spice-1.0.jar"))) as jar:
            target.write_bytes(jar.read(MEMBER))
    return target


class Parser:
    """Captions → propositions, remembered in a file of JSON lines: words, propositions."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.known: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        if path is not None and path.exists():
            for line in path.open(encoding="utf-8"):
                words, said = json.loads(line)
                self.known[tuple(words)] = [tuple(one) for one in said]

    def __call__(self, captions: Sequence[Sequence[str]]) -> list[list[tuple[str, ...]]]:
        wanted = [tuple(words) for words in captions]
        new = list(dict.fromkeys(words for words in wanted if words not in self.known))
        if new:
            self.known |= dict(zip(new, caption_propositions(new), strict=True))
            if self.path is not None:
                with self.path.open("a", encoding="utf-8") as file:
                    file.writelines(json.dumps([words, self.known[words]]) + "\n" for words in new)
        return [self.known[words] for words in wanted]


def settings(name: str, data: DataConfig) -> FaierConfig:
    """Return the settings of a variant."""
    config = read_config(Path(__file__).parent / "faier.toml")
    changed = {table: replace(getattr(config, table), **values) for table, values in VARIANTS[name].items()}
    return replace(config, **changed, data=data)


def prepare_all(
    source: Path, shared: Path, output: Path, parse: Parser, vectors: WordVectors
) -> tuple[Prepared, DataConfig]:
    """Return the data of all variants, and how checkpoints name their files: which, not where they were."""
    output.mkdir(parents=True, exist_ok=True)
    objects = shared / "coco_objects"
    unseen = (
        shared / "composite" / "composite_joined.json",
        objects / "karpathy_test_ids.txt",
        shared / "coco_val2017" / "captions_val2017.json",
    )
    files = DataConfig(
        captions=str(captions_file(source, output).resolve()),
        objects=str((objects / "coco_val2014_gold_labels.tsv").resolve()),
        leave_out=tuple(str(path.resolve()) for path in unseen),
    )
    named = replace(
        files,
        captions=Path(files.captions).name,
        objects=Path(files.objects).name,
        leave_out=tuple(Path(path).name for path in files.leave_out),
    )
    return prepare(settings("faier", files), Path(), parse, vectors), named


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("source", "data", "output"):
        words.add_argument(name, type=Path)
    words.add_argument("--only", default=",".join(VARIANTS))
    words.add_argument("--parsed", type=Path)
    words.add_argument("--resume", action="store_true")
    given = words.parse_args()
    torch.set_num_threads(1)
    vectors = shipped_vectors()
    data, named = prepare_all(given.source, given.data, given.output, Parser(given.parsed), vectors)
    print(json.dumps(data.facts), flush=True)

    def tell(now: Report) -> None:
        if now.validated:
            print(f"  step {now.step}/{now.steps}, loss {now.loss:.3f}, best R@1 {now.best:.4f}", flush=True)

    for name in given.only.split(","):
        folder = given.output / name
        print(name, flush=True)
        resume = given.resume and (folder / RESUME).exists()
        _, about = train_prepared(
            settings(name, named), data, folder, vectors, given.output, resume=resume, report=tell
        )
        print(json.dumps(about["retrieval"]), flush=True)


if __name__ == "__main__":
    main()
