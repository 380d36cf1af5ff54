"""Paths of the project and its data."""

from __future__ import annotations

import os
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
INPUT = HERE / ".input"
PEERS = HERE / ".peers"
DATA = Path(os.environ.get("VERICAP_DATA", ROOT.parent / "shared" / "data")).absolute()
DEMO = ROOT / "src" / "vericap" / "data" / "demo"

COCO_LABELS = DATA / "coco_objects" / "coco_val2014_gold_labels.tsv"
VOC_OBJECTS = DATA / "voc_objects" / "voc2012_objects_for_pascal50s.json"
