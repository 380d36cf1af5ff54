"""Objects of images, from annotations and from detectors' output files."""

from vericap.readers.objects.object_join import add_objects, read_objects, several_objects

__all__ = ["add_objects", "read_objects", "several_objects"]
