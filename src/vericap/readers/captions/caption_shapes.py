"""JSON documents and Python objects by their shape: records, COCO's annotations, columns, {id: caption(s)}."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from vericap.corpus import ImageId
from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions, Wanted, checked, count_from_one
from vericap.readers.captions.caption_records import RecordColumns, describe_record
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
        columns = RecordColumns(wanted, source)
        columns.add(list(value))
        return columns.finish()
    if isinstance(value, Mapping):
        return _from_mapping(value, wanted, source)
    raise unknown_shape(f"the top level is {describe_record(value)}", source)


def unknown_shape(problem: str, source: str) -> InputError:
    """The error for a document that is none of the known shapes."""
    return InputError(problem, source=source, fix=f"the shapes that are known: {KNOWN_SHAPES}")


def _from_mapping(value: Mapping[Any, Any], wanted: Wanted, source: str) -> Captions:
    if isinstance(value.get("annotations"), list):
        columns = RecordColumns(wanted, source)
        columns.add(value["annotations"])
        images = ImageColumns(wanted)
        images.add(value.get("images"))
        return images.give(columns)
    if is_karpathy(value):
        return _from_karpathy(value["images"], wanted, source)
    if "annotations" in value or ("images" in value and "info" in value):
        raise unknown_shape('COCO\'s {"images", "annotations"} without a list of annotations', source)
    if not value:
        raise InputError("there is no caption in it", source=source, fix="give at least one")
    if all(isinstance(name, str) for name in value):
        caption_field = wanted.caption_in(value)
        if caption_field is not None and _is_columns(value, caption_field):
            return from_columns(value, wanted, source)
        if caption_field is not None and wanted.ids_in(value, value.get) is not None:
            columns = RecordColumns(wanted, source)
            columns.add([value])
            return columns.finish()
    return _from_ids(value, source)


def _is_columns(value: Mapping[str, Any], caption_field: str) -> bool:
    sizes = {len(column) if isinstance(column, (list, tuple)) else -1 for column in value.values()}
    return len(sizes) == 1 and -1 not in sizes and isinstance(value[caption_field], (list, tuple))


def _from_ids(value: Mapping[Any, Any], source: str) -> Captions:
    ids = list(value)
    for record, (image_id, captions) in enumerate(value.items()):
        if isinstance(captions, Mapping):
            raise unknown_shape(f"the value of {shown(image_id)} (row {record + 1}) is an object", source)
    return checked(
        source,
        ids,
        list(value.values()),
        row_name=lambda record: f"{record + 1} (id {shown(ids[record])})",
        lists=True,
    )


def from_columns(
    value: Mapping[str, Any],
    wanted: Wanted,
    source: str,
    row_name: Callable[[int], int | str] = count_from_one,
) -> Captions:
    """Captions from columns of equal length: {"image_id": […], "caption": […]}."""
    caption_field = wanted.caption_in(value)
    if caption_field is None:
        raise wanted.no_caption(value, source)
    column = list(value[caption_field])
    if not column:
        raise InputError("there is no caption in it", source=source, fix="give at least one")
    id_field = wanted.ids_in(value, lambda name: value[name][0])
    if id_field is None and wanted.id_field is not None:
        raise wanted.no_field(wanted.id_field, value, source)
    return checked(
        source,
        None if id_field is None else list(value[id_field]),
        column,
        fields={name: list(value[name]) for name in wanted.fields if name in value},
        row_name=row_name,
        id_field=id_field,
        caption_field=caption_field,
        lists=wanted.role == "references",
    )


class ImageColumns:
    """COCO's list of images: their file names, and those of their fields that are wanted."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self.aliases: dict[str, ImageId] = {}
        self.fields: dict[str, dict[ImageId, Any]] = {name: {} for name in wanted.fields}

    def add(self, images: Any) -> None:
        """Append a batch; images that are not COCO's say nothing, and nothing is asked of them."""
        if not isinstance(images, list):
            return
        images = [image for image in images if type(image) is dict and type(image.get("id")) in (int, str)]
        self.aliases.update({image["file_name"]: image["id"] for image in images if _has_name(image)})
        for field, column in self.fields.items():
            column.update({image["id"]: image[field] for image in images if field in image})

    def give(self, columns: RecordColumns) -> Captions:
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
                    ) from None
        return columns.finish(self.aliases)


def _has_name(image: dict[str, Any]) -> bool:
    return type(image.get("file_name")) is str


def is_karpathy(value: Mapping[Any, Any]) -> bool:
    """Is it Karpathy's dataset_coco.json: images that hold their own sentences?"""
    images = value.get("images")
    return (
        isinstance(images, list)
        and bool(images)
        and isinstance(images[0], Mapping)
        and isinstance(images[0].get("sentences"), list)
    )


def _from_karpathy(images: list[Any], wanted: Wanted, source: str) -> Captions:
    records = []
    for row, image in enumerate(images):
        try:
            name = image["cocoid"] if "cocoid" in image else image["filename"]
            record = {"image_id": name, "references": [sentence["raw"] for sentence in image["sentences"]]}
            record |= {field: image[field] for field in wanted.fields if field in image}
        except (KeyError, TypeError):
            raise InputError(
                'the image has no "filename" or no "sentences" with "raw"', source=source, row=row + 1
            ) from None
        records.append(record)
    columns = RecordColumns(Wanted("references", None, None, wanted.fields), source)
    columns.add(records)
    return columns.finish()
