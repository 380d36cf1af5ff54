"""Requests: captions with references or image ids, and metrics; checked, with errors that name the place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from vericap.corpus import ImageId
from vericap.errors import InputError
from vericap.readers.json_values import parse_json
from vericap.readers.messages import describe, listed, one_line
from vericap.serve.options import ServeOptions

BODY = "the request"
_FIELDS = ("captions", "metrics")
_ROW_FIELDS = ("image_id", "caption", "references")


@dataclass(frozen=True)
class ScoreRequest:
    """Columns of a request; `references[i]` None: those of the image `image_ids[i]`; `metrics` None: all offered.

    An image id None was not given: the row has no image whose references could be found.
    """

    image_ids: list[ImageId | None]
    captions: list[str]
    references: list[list[str] | None]
    metrics: list[str] | None = None


def read_request(body: bytes, limits: ServeOptions, offered: Sequence[str]) -> ScoreRequest:
    """Return the request that a body holds.

    >>> read_request(b'{"captions": [{"caption": "a dog", "references": ["dogs"]}]}', ServeOptions(), ["ter"]).captions
    ['a dog']
    >>> read_request(b'{"captions": [{"caption": 7}]}', ServeOptions(), ["ter"])
    Traceback (most recent call last):
    vericap.errors.InputError: the request, row 1, field "caption": the caption is a number (7); write it as a string
    """
    given = parse_json(body, BODY)
    if not isinstance(given, dict):
        raise _wrong(f"it is {_kind(given)}", 'send an object: {"captions": [...]}')
    _refuse_unknown(given, _FIELDS, None)
    rows = given.get("captions")
    if not isinstance(rows, list) or not rows:
        raise _wrong("there is no list of captions", "send at least one", "captions")
    if len(rows) > limits.most_captions:
        problem = f"there are {len(rows):,} captions, and at most {limits.most_captions:,} are allowed"
        raise _wrong(problem, "send several requests", "captions")
    checked = [_row(row, number, limits) for number, row in enumerate(rows, 1)]
    ids, captions, references = (list(column) for column in zip(*checked, strict=True))
    return ScoreRequest(ids, captions, references, _metrics(given, offered))


def _metrics(given: dict[str, Any], offered: Sequence[str]) -> list[str] | None:
    if "metrics" not in given:
        return None
    names = given["metrics"]
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise _wrong("it is not a list of metrics", "name metrics in a list, or leave it out", "metrics")
    for name in names:
        # Only what was offered at the start: a key may name files of the server.
        if name not in offered:
            near = get_close_matches(name.lower(), offered, n=1)
            fix = f"did you mean {near[0]}?" if near else f"use one of {', '.join(offered)}"
            raise _wrong(f"{one_line(name)[:80]!r} is not offered here", fix, "metrics")
    return list(dict.fromkeys(names))


def _row(row: Any, number: int, limits: ServeOptions) -> tuple[ImageId | None, str, list[str] | None]:
    if not isinstance(row, dict):
        raise _wrong(f"the row is {_kind(row)}", 'write {"caption": "..."}', row=number)
    _refuse_unknown(row, _ROW_FIELDS, number)
    if "caption" not in row:
        raise _wrong("there is no caption", "add it", "caption", number)
    caption = _text(row["caption"], number, "caption", limits)
    image_id = _image_id(row["image_id"], number, limits) if "image_id" in row else None
    return image_id, caption, _references(row["references"], number, limits) if "references" in row else None


def _image_id(image_id: Any, number: int, limits: ServeOptions) -> ImageId:
    if type(image_id) is str:
        return _text(image_id, number, "image_id", limits)
    if type(image_id) is not int:
        fix = "write it as a whole number or a string"
        raise _wrong(f"the image id is {_kind(image_id)}", fix, "image_id", number)
    if not -(2**63) <= image_id < 2**63:
        raise _wrong("the image id does not fit into 64 bits", "write it as a string", "image_id", number)
    return image_id


def _references(given: Any, number: int, limits: ServeOptions) -> list[str]:
    if not isinstance(given, list) or not given:
        fix = "write at least one, or leave the field out"
        raise _wrong("there is no list of references", fix, "references", number)
    if len(given) > limits.most_references:
        problem = f"there are {len(given):,} references, and at most {limits.most_references:,} are allowed"
        raise _wrong(problem, "send fewer", "references", number)
    return [_text(reference, number, "references", limits) for reference in given]


def _text(value: Any, number: int, name: str, limits: ServeOptions) -> str:
    if not isinstance(value, str):
        what = {"caption": "the caption", "references": "a reference"}.get(name, "the image id")
        raise _wrong(f"{what} is {_kind(value)}", "write it as a string", name, number)
    if len(value) > limits.longest_caption:
        problem = f"the text has {len(value):,} characters, and at most {limits.longest_caption:,} are allowed"
        raise _wrong(problem, "shorten it", name, number)
    try:
        value.encode()
    except UnicodeEncodeError:
        problem = "the text has half of a surrogate pair, which is not a character"
        raise _wrong(problem, "write the whole character or leave it out", name, number) from None
    return value


def _refuse_unknown(given: dict[str, Any], known: Sequence[str], number: int | None) -> None:
    unknown = [name for name in given if name not in known]
    if unknown:
        problem = f"there is no such field; the fields are: {listed(known)}"
        raise _wrong(problem, "leave it out", one_line(unknown[0])[:80], number)


def _wrong(problem: str, fix: str, field: str | None = None, row: int | None = None) -> InputError:
    return InputError(problem, source=BODY, row=row, field=field, fix=fix)


def _kind(value: Any) -> str:
    return "a string" if isinstance(value, str) else describe(value)
