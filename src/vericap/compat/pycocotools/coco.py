"""`COCO` under pycocotools' module path."""

from vericap.compat.pycocoevalcap.coco import COCO

__all__ = ["COCO"]
