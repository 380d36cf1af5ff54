"""Labels of objects as plain words: one spelling for all sources, so that sets can be united and words looked up."""

from __future__ import annotations

import re

# PASCAL VOC writes some of its twenty classes as no caption does. The words on the right are those of COCO's eighty.
VOC_WORDS = {
    "aeroplane": "airplane",
    "diningtable": "dining table",
    "motorbike": "motorcycle",
    "pottedplant": "potted plant",
    "sofa": "couch",
    "tvmonitor": "tv",
}

# COCO's eighty classes in the order of their category ids, which leave out eleven numbers up to 90.
_COCO_NAMES = (
    "person,bicycle,car,motorcycle,airplane,bus,train,truck,boat,traffic light,fire hydrant,stop sign,parking meter,"
    "bench,bird,cat,dog,horse,sheep,cow,elephant,bear,zebra,giraffe,backpack,umbrella,handbag,tie,suitcase,frisbee,"
    "skis,snowboard,sports ball,kite,baseball bat,baseball glove,skateboard,surfboard,tennis racket,bottle,wine glass,"
    "cup,fork,knife,spoon,bowl,banana,apple,sandwich,orange,broccoli,carrot,hot dog,pizza,donut,cake,chair,couch,"
    "potted plant,bed,dining table,toilet,tv,laptop,mouse,remote,keyboard,cell phone,microwave,oven,toaster,sink,"
    "refrigerator,book,clock,vase,scissors,teddy bear,hair drier,toothbrush"
).split(",")
_NOT_USED = {12, 26, 29, 30, 45, 66, 68, 69, 71, 83}
COCO_CATEGORIES = dict(zip([i for i in range(1, 91) if i not in _NOT_USED], _COCO_NAMES, strict=True))

_BETWEEN = re.compile(r"[\s_-]+")


def normalise(label: str) -> str:
    """A label in lower case, its words parted by single spaces, VOC's spellings as everyday words.

    >>> [normalise(label) for label in ("Dining_Table", "dining-table", "diningtable", "TRAFFIC  LIGHT", "aeroplane")]
    ['dining table', 'dining table', 'dining table', 'traffic light', 'airplane']
    """
    words = _BETWEEN.sub(" ", label).strip().lower()
    return VOC_WORDS.get(words, words)
