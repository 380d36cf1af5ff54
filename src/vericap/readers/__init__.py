"""Every file format: captions, objects, regions, human judgements and stored tables.

Captions. Files: COCO results and annotations JSON, {id: caption(s)} JSON, JSONL, CSV, TSV, Parquet and plain text (one
caption per line), as they are or compressed (gzip, Zstandard), recognised by their content. Objects of Python: dicts,
lists, rows and datasets of Hugging Face, tables of pandas and pyarrow.
"""

from vericap.corpus import canonical
from vericap.corpus.references import References
from vericap.options.choices import Missing, Repeated
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.captions.join import join
from vericap.readers.captions.references import group
from vericap.readers.captions.sources import load, read_captions, read_references
from vericap.readers.captions.systems import SYSTEM, load_systems
from vericap.readers.fields import CAPTION_FIELDS, ID_FIELDS, REFERENCE_FIELDS

__all__ = [
    "CAPTION_FIELDS",
    "ID_FIELDS",
    "REFERENCE_FIELDS",
    "SYSTEM",
    "Captions",
    "Missing",
    "References",
    "Repeated",
    "canonical",
    "group",
    "join",
    "load",
    "load_systems",
    "read_captions",
    "read_references",
]
