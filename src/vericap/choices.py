"""What a user may choose about captions and pictures that do not fit together."""

from __future__ import annotations

from typing import Literal, TypeAlias

# An image without references or objects: an error, left out, or scored 0.
Missing: TypeAlias = Literal["error", "drop", "zero"]
# Several candidates for one image: an error, or all of them kept.
Repeated: TypeAlias = Literal["error", "keep"]

CONFIDENCE = 0.5  # minimum confidence of a detected object
