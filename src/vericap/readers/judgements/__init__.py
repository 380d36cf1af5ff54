"""Human judgements: the tables and folders of benchmarks."""

from vericap.readers.judgements.folders import Folder
from vericap.readers.judgements.judgement_tables import number, read_json, read_table

__all__ = ["Folder", "number", "read_json", "read_table"]
