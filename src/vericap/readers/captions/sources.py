"""Captions from files and Python objects → Corpus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

from vericap.choices import Missing, Repeated
from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions, Role, Wanted
from vericap.readers.captions.caption_shapes import from_value
from vericap.readers.captions.join import References, group, join
from vericap.readers.files import PARQUET, as_utf8, decode, extension, looks_like_json, name_of, read_bytes


def load(
    candidates: Any,
    references: Any = None,
    *,
    missing: Missing = "error",
    repeated: Repeated = "error",
    fields: Sequence[str] = (),
    id_field: str | None = None,
    caption_field: str | None = None,
    reference_field: str | None = None,
) -> Corpus:
    """A corpus from candidates and references: paths ("-" is standard input) or Python objects.

    `missing`: what to do with a candidate whose image has no references: "error", "drop" (leave it out) or
    "zero" (keep it, with no references). `repeated`: two captions for one image are an "error", or "keep" both.
    `fields`: further fields to keep as columns, of the candidates or of the references' images. Fields of ids
    and captions need a name only when it is not among ID_FIELDS, CAPTION_FIELDS, REFERENCE_FIELDS.

    >>> given = {"COCO_val2014_000000000042.jpg": ["a running dog", "dogs"], "7.jpg": ["a cat"]}
    >>> corpus = load({42: "a dog runs"}, given)
    >>> corpus.image_ids, corpus.references_of(0), corpus.notes
    ([42], ['a running dog', 'dogs'], ('1 image of the references without a candidate left out',))
    """
    if missing not in ("error", "drop", "zero"):
        raise InputError(f"missing is {missing!r}", fix='choose "error", "drop" or "zero"')
    if repeated not in ("error", "keep"):
        raise InputError(f"repeated is {repeated!r}", fix='choose "error" or "keep"')
    if _is_stdin(candidates) and any(map(_is_stdin, _several(references) or [references])):
        raise InputError("candidates and references are both standard input", fix="give one as a file")
    left = read_captions(candidates, fields=fields, id_field=id_field, caption_field=caption_field)
    if references is None:
        return join(left, repeated=repeated, fields=fields)
    # What the candidates say about themselves goes first.
    wanted = [name for name in fields if name not in left.fields]
    right = read_references(references, fields=wanted, id_field=id_field, reference_field=reference_field)
    return join(left, right, missing=missing, repeated=repeated, fields=fields)


def read_captions(
    source: Any,
    *,
    role: Role = "candidates",
    fields: Sequence[str] = (),
    id_field: str | None = None,
    caption_field: str | None = None,
    name: str | None = None,
) -> Captions:
    """The captions of one source.

    >>> read_captions([{"image_id": 42, "caption": "a dog"}]).ids
    [42]
    """
    return _read(source, Wanted(role, id_field, caption_field, tuple(fields)), name or role)


def read_references(
    source: Any,
    *,
    fields: Sequence[str] = (),
    id_field: str | None = None,
    reference_field: str | None = None,
) -> References:
    """References grouped by image, from one source or from a list of paths.

    >>> read_references({7: ["a cat", "one cat"]}).captions
    ['a cat', 'one cat']
    """
    wanted = Wanted("references", id_field, reference_field, tuple(fields))
    return group([_read(one, wanted, "references") for one in _several(source) or [source]])


def _read(source: Any, wanted: Wanted, name: str) -> Captions:
    if isinstance(source, (str, PathLike)):
        return _read_file(source, wanted)
    return _read_object(source, wanted, name)


def _several(source: Any) -> list[PathLike[str]] | None:
    """The paths of a list of paths. A list of strings is a list of captions."""
    if isinstance(source, (list, tuple)) and source and all(isinstance(path, PathLike) for path in source):
        return list(source)
    return None


def _is_stdin(source: Any) -> bool:
    return isinstance(source, (str, PathLike)) and name_of(source) == "standard input"


def _read_file(path: str | PathLike[str], wanted: Wanted) -> Captions:
    """Which format it is, the content says first, the name only when the content leaves it open."""
    source, kind = name_of(path), extension(path)
    data = read_bytes(path)
    if data.startswith(PARQUET) or kind in (".parquet", ".pq"):
        from vericap.readers.captions.caption_tables import read_parquet

        return read_parquet(data, wanted, source)
    data = as_utf8(data, source)
    if looks_like_json(data) or kind in (".json", ".jsonl", ".ndjson"):
        from vericap.readers.captions.caption_json import is_jsonl, read_json, read_jsonl

        return read_jsonl(data, wanted, source) if is_jsonl(data, kind) else read_json(data, wanted, source)
    from vericap.readers.captions.caption_text import delimiter_of, read_table, read_text

    text = decode(data, source)
    delimiter = delimiter_of(text, wanted, kind)
    if delimiter is not None:
        return read_table(text, delimiter, wanted, source)
    return read_text(text, source)


def _read_object(source: Any, wanted: Wanted, name: str) -> Captions:
    if isinstance(source, (Mapping, list, tuple)):
        return from_value(source, wanted, name)
    from vericap.readers.captions.caption_tables import from_object

    captions = from_object(source, wanted, name)
    if captions is not None:
        return captions
    if isinstance(source, Iterable) and not isinstance(source, (bytes, bytearray)):
        source = list(source)
    return from_value(source, wanted, name)
