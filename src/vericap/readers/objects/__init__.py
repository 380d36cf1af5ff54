"""Objects of images, from annotations and from detectors' output files."""

from vericap.readers.objects.object_join import CONFIDENCE, add_objects

__all__ = ["CONFIDENCE", "add_objects"]
