"""What pictures show: objects and regions, from annotations and from detectors' output files."""
