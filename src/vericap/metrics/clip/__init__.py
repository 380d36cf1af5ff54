"""Metrics by the vectors of a CLIP: CLIPScore and RefCLIPScore, PAC-S and RefPAC-S, MID."""

from vericap.metrics.clip.clipscore import ClipScore, RefClipScore
from vericap.metrics.clip.mid import Mid
from vericap.metrics.clip.pacscore import PacScore, RefPacScore

__all__ = ["ClipScore", "Mid", "PacScore", "RefClipScore", "RefPacScore"]
