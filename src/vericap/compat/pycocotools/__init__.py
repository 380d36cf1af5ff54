"""What captions need of pycocotools, under its module path: `coco.COCO`."""
