"""The registry of file formats: what each holds, how it is recognised, and what reads it.

Formats are tried in order, those of other packages first; the first that recognises a file reads it. The content
decides, and the name of the file only where the content leaves it open. A reader is named, not imported, and what
recognises a format is imported when it is asked, so that nothing is imported for a format that nobody uses.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any, Literal, TypeAlias

from vericap.errors import InputError
from vericap.readers.fields import Wanted
from vericap.readers.files import PARQUET, File
from vericap.readers.json_values import is_json_lines, looks_like_json
from vericap.readers.plugin_readers import find_plugin_reader

Content: TypeAlias = Literal["captions", "objects", "regions", "table"]


@dataclass(frozen=True)
class Format:
    """One way to store captions, objects, regions or a table. `reader` is a function of file and wishes:
    `captions.caption_json:read_json` of this package."""

    name: str
    content: Content
    recognises: Callable[[File, Wanted], bool]
    reader: str

    def read(self, file: File, wanted: Wanted) -> Any:
        """Return the content of the file."""
        return resolve_name(f"vericap.readers.{self.reader}")(file, wanted)


def read(content: Content, file: File, wanted: Wanted | None = None) -> Any:
    """Return the content of a file, read by the first format that recognises it."""
    wanted = wanted or Wanted()
    plugin = find_plugin_reader(file, {each.name for each in FORMATS})
    if plugin is not None:
        return resolve_name(f"vericap.readers.{FROM_ROWS[content]}")(plugin.rows(file), wanted, file.name)
    for each in FORMATS:
        if each.content == content and each.recognises(file, wanted):
            return each.read(file, wanted)
    names = ", ".join(each.name for each in FORMATS if each.content == content)
    raise InputError(f"the file is in no known format of {content}", source=file.name, fix=f"use one of these: {names}")


def _is_parquet(file: File, wanted: Wanted) -> bool:
    # Inside gzip too, where the head says nothing.
    return file.head.startswith(PARQUET) or file.extension in (".parquet", ".pq") or file.data.startswith(PARQUET)


def _is_excel(file: File, wanted: Wanted) -> bool:
    if not file.head.startswith(b"PK"):
        return False
    from vericap.readers.captions.excel import is_excel

    return is_excel(file)


def _is_list_of_clips(file: File, wanted: Wanted) -> bool:
    from vericap.readers.captions.msvd import is_list_of_clips

    return file.extension in (".txt", "") and is_list_of_clips(file.text)


def _is_json(file: File, wanted: Wanted) -> bool:
    return looks_like_json(file.utf8) or file.extension in (".json", ".jsonl", ".ndjson")


def _is_json_lines(file: File, wanted: Wanted) -> bool:
    return _is_json(file, wanted) and is_json_lines(file.utf8, file.extension)


def _is_table(file: File, wanted: Wanted) -> bool:
    from vericap.readers.captions.caption_text import delimiter_of

    return delimiter_of(file.first_line, wanted, file.extension) is not None


def _is_flickr(file: File, wanted: Wanted) -> bool:
    from vericap.readers.captions.caption_text import is_flickr

    return is_flickr(file.first_line)


def _is_folder(file: File, wanted: Wanted) -> bool:
    return os.path.isdir(file.path)  # noqa: PTH112  # Path.is_dir raises for a name that no file can have


def _is_xml(file: File, wanted: Wanted) -> bool:
    return file.utf8.lstrip()[:1] == b"<"


def _starts_as_json(file: File, wanted: Wanted) -> bool:
    return looks_like_json(file.utf8)


def _is_table_of_objects(file: File, wanted: Wanted) -> bool:
    from vericap.readers.delimited import header_names

    names = header_names(file.first_line, ",")
    labels, ids = wanted.fields.pick("label", names), wanted.fields.pick("image_id", names)
    return "ImageID" in names or "ImageId" in names or (labels is not None and ids is not None)


def _names_categories(file: File, wanted: Wanted) -> bool:
    return file.first_line.startswith(("/m/", "/g/")) and "," in file.first_line


def _is_npz(file: File, wanted: Wanted) -> bool:
    return file.head.startswith(b"PK") or file.extension == ".npz"


def _is_stored_parquet(file: File, wanted: Wanted) -> bool:
    return file.head.startswith(PARQUET) or file.extension in (".parquet", ".pq")


def _is_safetensors(file: File, wanted: Wanted) -> bool:
    return file.extension == ".safetensors"


def _is_bottom_up(file: File, wanted: Wanted) -> bool:
    return file.extension in (".tsv", ".csv", ".txt")


def _always(file: File, wanted: Wanted) -> bool:
    return True


FORMATS = (
    Format("excel", "captions", _is_excel, "captions.excel:read_excel"),
    Format("parquet", "captions", _is_parquet, "captions.caption_tables:read_parquet"),
    Format("json-lines", "captions", _is_json_lines, "captions.caption_json:read_json_lines"),
    Format("json", "captions", _is_json, "captions.caption_json:read_json"),
    Format("msvd", "captions", _is_list_of_clips, "captions.msvd:read_list_of_clips"),
    Format("csv", "captions", _is_table, "captions.caption_text:read_table"),
    Format("flickr8k", "captions", _is_flickr, "captions.caption_text:read_flickr"),
    Format("text", "captions", _always, "captions.caption_text:read_text"),
    Format("voc-folder", "objects", _is_folder, "objects.voc_files:read_folder"),
    Format("parquet", "objects", _is_parquet, "objects.object_shapes:read_parquet"),
    Format("voc-xml", "objects", _is_xml, "objects.voc_files:read_xml"),
    Format("json", "objects", _starts_as_json, "objects.object_shapes:read_json"),
    Format("csv", "objects", _is_table_of_objects, "objects.object_text:read_csv"),
    Format("class-descriptions", "objects", _names_categories, "objects.object_text:read_class_descriptions"),
    Format("labels", "objects", _always, "objects.object_text:read_labels"),
    Format("npz", "regions", _is_npz, "regions.region_arrays:read_npz"),
    Format("parquet", "regions", _is_stored_parquet, "regions.region_parquet:read_parquet"),
    Format("safetensors", "regions", _is_safetensors, "regions.region_arrays:read_safetensors"),
    Format("bottom-up", "regions", _is_bottom_up, "regions.bottom_up:read_bottom_up"),
    Format("json", "table", _starts_as_json, "judgements.judgement_tables:read_json_table"),
    Format("csv", "table", _always, "judgements.judgement_tables:read_csv_table"),
)
# What makes each content of the rows that another package's reader gives.
FROM_ROWS: dict[Content, str] = {
    "captions": "captions.caption_records:from_rows",
    "objects": "objects.object_shapes:from_rows",
    "regions": "regions.region_rows:from_rows",
    "table": "judgements.judgement_tables:from_rows",
}
