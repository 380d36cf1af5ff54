"""The part of pycocotools that captions need, under its module path: `coco.COCO`."""
