"""JSON documents and Python objects by their shape: records, COCO's annotations, columns, {id: caption(s)}."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from vericap.corpus import ImageId
from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions, RawCaptions, count_from_one
from vericap.readers.captions.caption_records import RecordColumns, describe_record, from_batches
from vericap.readers.captions.published import plain_record, records_of, without_rejected
from vericap.readers.captions.reference_cells import merged
from vericap.readers.fields import EVERY, Wanted
from vericap.readers.messages import one_line, shown

KNOWN_SHAPES = (
    '[{"image_id", "caption"}, …], {"images", "annotations"} as in COCO, {id: caption}, {id: [captions]}, '
    '{"image_id": […], "caption": […]}, a list of captions, a list of lists of captions'
)


def from_value(value: Any, wanted: Wanted, source: str) -> Captions:
    """Captions from a parsed JSON document or a Python object.

    >>> captions = from_value({"42": "a dog"}, Wanted(), "candidates")
    >>> captions.ids, captions.captions
    (['42'], ['a dog'])
    """
    if isinstance(value, (list, tuple)):
        return from_batches([list(value)], wanted, source)
    if isinstance(value, Mapping):
        return _from_mapping(value, wanted, source)
    raise unknown_shape(f"the top level is {describe_record(value)}", source)


def unknown_shape(problem: str, source: str) -> InputError:
    """The error for a document of a shape that is not known."""
    return InputError(problem, source=source, fix=f"use one of these shapes: {KNOWN_SHAPES}")


def _from_mapping(value: Mapping[Any, Any], wanted: Wanted, source: str) -> Captions:
    if isinstance(value.get("annotations"), list):
        columns = RecordColumns(wanted, source)
        annotations, columns.notes = without_rejected(value["annotations"])
        columns.add(annotations)
        images = ImageColumns(wanted)
        images.add(value.get("images"))
        return images.complete(columns)
    records = records_of(value, source)
    if records is not None:
        return from_batches([records], wanted, source)
    if "annotations" in value or ("images" in value and "info" in value):
        raise unknown_shape('COCO\'s {"images", "annotations"} without a list of annotations', source)
    if not value:
        raise InputError("there is no caption in it", source=source, fix="give at least one")
    if all(isinstance(name, str) for name in value):
        caption_field = wanted.captions_in(value)
        if caption_field is not None and _is_columns(value, caption_field):
            return from_columns(value, wanted, source)
        is_record = len(value) == 1 or wanted.ids_in(value, value.get) is not None
        if plain_record(value) is not value or (caption_field is not None and is_record):
            return from_batches([[value]], wanted, source)
    return _from_ids(value, source)


def _is_columns(value: Mapping[str, Any], caption_field: str) -> bool:
    sizes = {len(column) if isinstance(column, (list, tuple)) else -1 for column in value.values()}
    return len(sizes) == 1 and -1 not in sizes and isinstance(value[caption_field], (list, tuple))


def _from_ids(value: Mapping[Any, Any], source: str) -> Captions:
    ids = list(value)
    for record, (image_id, captions) in enumerate(value.items()):
        if isinstance(captions, Mapping):
            raise unknown_shape(f"the value of {shown(image_id)} (row {record + 1}) is an object", source)
    values = list(value.values())
    row_name: Callable[[int], str] = lambda record: f"{record + 1} (id {shown(ids[record])})"  # noqa: E731
    return RawCaptions(source, values, ids, row_name=row_name, lists=True).checked()


def from_columns(
    value: Mapping[str, Any],
    wanted: Wanted,
    source: str,
    row_name: Callable[[int], int | str] = count_from_one,
) -> Captions:
    """Captions from columns of equal length: {"image_id": […], "caption": […]}."""
    caption_field = wanted.captions_in(value)
    if caption_field is None:
        raise wanted.no_captions(value, source)
    column = list(value[caption_field])
    if not column:
        raise InputError("there is no caption in it", source=source, fix="give at least one")
    id_field = wanted.ids_in(value, lambda name: value[name][0])
    if id_field is None and "image_id" in wanted.fields.columns and not wanted.fields.optional:
        raise wanted.fields.missing("image_id", value, source)
    several = wanted.references_in(value)
    rows = [merged(cells) for cells in zip(*(value[name] for name in several), strict=True)] if several else []
    own = wanted.side == "candidates" and bool(several) and caption_field not in several
    if wanted.side == "references" and len(several) > 1:
        column = rows
    return RawCaptions(
        source,
        column,
        None if id_field is None else list(value[id_field]),
        {name: list(value[name]) for name in wanted.kept(value)},
        row_name,
        id_field,
        caption_field,
        lists=wanted.side == "references",
        references=rows if own else None,
        reference_fields=several,
        names=tuple(map(str, value)),
    ).checked()


class ImageColumns:
    """COCO's list of images: their file names, and those of their fields that are wanted."""

    def __init__(self, wanted: Wanted) -> None:
        self.aliases: dict[str, ImageId] = {}
        self.fields: dict[str, dict[ImageId, Any]] = {name: {} for name in wanted.keep if name != EVERY}

    def add(self, images: Any) -> None:
        """Takes in a list of images; nothing is asked of images that are not COCO's."""
        self.add_each(images if isinstance(images, list) else ())

    def add_each(self, images: Iterable[Any]) -> None:
        """Takes in images one by one."""
        for image in images:
            if type(image) is dict and type(image.get("id")) in (int, str):
                if type(image.get("file_name")) is str:
                    self.aliases[image["file_name"]] = image["id"]
                for name, column in self.fields.items():
                    if name in image:
                        column[image["id"]] = image[name]

    def complete(self, columns: RecordColumns) -> Captions:
        """The captions of `columns`, with what the images say about them."""
        for name, column in self.fields.items():
            if column and name not in columns.fields and columns.ids is not None:
                try:
                    columns.fields[name] = [column[image_id] for image_id in columns.ids]
                except (KeyError, TypeError) as error:
                    raise InputError(
                        f"image {one_line(error)} has no such field in the list of images",
                        source=columns.source,
                        field=name,
                        fix="add the field to each image",
                    ) from None
        return columns.checked(self.aliases)
