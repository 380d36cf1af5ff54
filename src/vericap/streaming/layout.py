"""Fields of a stream's rows: caption, image id, references. The first row of the first file decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vericap.errors import InputError
from vericap.readers.fields import Fields, Wanted
from vericap.streaming.shards import Shard


@dataclass(frozen=True)
class Layout:
    """The names of the fields. `references` may be several columns; none: a row has no references of its own.
    `image_id` None: rows are numbered."""

    caption: str
    image_id: str | None = None
    references: tuple[str, ...] = ()
    numbers: bool = True  # image ids are whole numbers

    @property
    def names(self) -> list[str]:
        """The fields that are read."""
        return [self.caption, *([] if self.image_id is None else [self.image_id]), *self.references]


def layout_of(shard: Shard, columns: Mapping[str, str] | None = None, *, own_references: bool = True) -> Layout:
    """The layout of a file, by the usual names or by those in `columns`, {role: name}. With `own_references`, columns
    of references are looked for."""
    names, first = shard.names()
    wanted = Wanted("candidates", Fields(columns or {}))
    caption = wanted.captions_in(names)
    if caption is None:
        raise wanted.no_captions(names, shard.path)
    image_id = wanted.ids_in(names, first.get)
    if image_id is None and "image_id" in wanted.fields.columns:
        raise wanted.fields.missing("image_id", names, shard.path)
    references = tuple(name for name in wanted.references_in(names) if name != caption) if own_references else ()
    if own_references and not references and "references" in wanted.fields.columns:
        raise wanted.fields.missing("references", names, shard.path)
    value = first.get(image_id) if image_id is not None else 0
    return Layout(caption, image_id, references, isinstance(value, int) and not isinstance(value, bool))


def id_of(value: Any, layout: Layout, source: str, row: int) -> InputError | None:
    """The error for an image id that the column of results cannot hold: of another kind than the first row's, or a
    number of more than 63 bits."""
    if layout.image_id is None:
        return None
    if isinstance(value, int) == layout.numbers:
        if not layout.numbers or value < 2**63:
            return None
        problem = "the image id does not fit into 64 bits with a sign"
        return InputError(problem, source=source, row=row, field=layout.image_id, fix="write image ids as strings")
    kinds = ("a string, and the first one is a number", "a number, and the first one is a string")
    return InputError(
        f"the image id is {kinds[isinstance(value, int)]}",
        source=source,
        row=row,
        field=layout.image_id,
        fix="write image ids in one way",
    )
