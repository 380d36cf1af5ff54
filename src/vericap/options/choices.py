"""The choices of users, as types: light to import, so that the command line can offer the choices."""

from __future__ import annotations

from typing import Literal, TypeAlias

# An image without references or objects: an error, left out, or scored 0.
Missing: TypeAlias = Literal["error", "drop", "zero"]
# An image of the references without a caption: an error, left out, or scored as an empty caption.
Uncaptioned: TypeAlias = Literal["error", "skip", "zero"]
# Several candidates for one image: an error, the first, all of them, or the one that the first metric scores best.
Repeated: TypeAlias = Literal["error", "first", "keep", "best"]
# How two captioners are tested: by the share of resamples in which the order is reversed, by exchanging their captions,
# or by Student's t with the standard error of the resamples.
Test: TypeAlias = Literal["bootstrap", "permutation", "studentised"]
# A row of a stream that cannot be scored: an error, or set apart in a file with its reason.
BadRows: TypeAlias = Literal["error", "collect"]
# Where the work of a stream runs: in processes of this machine, or on a Ray cluster.
EngineName: TypeAlias = Literal["local", "ray"]

CONFIDENCE = 0.5  # minimum confidence of a detected object
MEGAPIXELS = 80.0  # the largest picture that is decoded; Pillow itself warns at 89
