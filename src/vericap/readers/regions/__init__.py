"""Regions of images with their feature vectors, from a detector's output files."""

from vericap.readers.regions.region_files import read_regions
from vericap.readers.regions.region_join import add_regions

__all__ = ["add_regions", "read_regions"]
