"""The content of pictures: objects and regions, from annotations and from detectors' output files."""
