"""The references of one or several sources, grouped by image."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from vericap.arrays import offsets_of
from vericap.corpus.image_ids import Images
from vericap.corpus.references import References
from vericap.errors import InputError
from vericap.readers.captions.caption_columns import Captions
from vericap.readers.id_matching import distinct_ids, refuse_two_types


def group(sources: Sequence[Captions]) -> References:
    """Return the references of all sources by image: by id, or by position when no source has ids.

    >>> ref_0 = Captions("ref-0", ["a dog", "a cat"], records=2)
    >>> ref_1 = Captions("ref-1", ["one dog", "cats"], records=2)
    >>> references = group([ref_0, ref_1])
    >>> references.captions, references.image.tolist()
    (['a dog', 'a cat', 'one dog', 'cats'], [0, 1, 0, 1])
    """
    captions = sources[0].captions if len(sources) == 1 else [text for source in sources for text in source.captions]
    notes = tuple(note for source in sources for note in source.notes)
    about: dict[str, Any] = {"source": ", ".join(source.source for source in sources), "notes": notes}
    given = [source.ids for source in sources if source.ids is not None]
    if not given:
        return _by_position(sources, captions, about)
    if len(given) < len(sources):
        lacking = next(source for source in sources if source.ids is None)
        problem, fix = "it has no image ids, but other references have them", "give ids in all of them or in none"
        raise InputError(problem, source=lacking.source, fix=fix)
    starts = offsets_of([len(ids) for ids in given])
    number, ids, first = distinct_ids(given[0] if len(given) == 1 else list(chain.from_iterable(given)))
    parts = zip(sources, np.split(number, starts[1:-1]), strict=True)
    image = np.concatenate([part if source.record is None else part[source.record] for source, part in parts])

    def place(image: int) -> tuple[str, int | str]:
        source = int(np.searchsorted(starts, first[image], side="right")) - 1
        return sources[source].source, sources[source].row_name(int(first[image] - starts[source]))

    refuse_two_types(Images(ids, place))
    fields: dict[str, list[Any]] = {}  # what the sources say about each image where they name it first
    for name in sorted({name for source in sources for name in source.fields}):
        without = next((source for source in sources if name not in source.fields), None)
        if without is not None:
            problem = "the field is not there, but other references have it"
            raise InputError(problem, source=without.source, field=name, fix="add it to all of them or to none")
        column = list(chain.from_iterable(source.fields[name] for source in sources))
        fields[name] = [column[record] for record in first.tolist()]
    aliases = {name: image_id for source in reversed(sources) for name, image_id in source.aliases.items()}
    return References.by_image(captions, image, ids=ids, place=place, aliases=aliases, fields=fields, **about)


def _by_position(sources: Sequence[Captions], captions: Sequence[str], about: dict[str, Any]) -> References:
    rows = sources[0].records
    for source in sources[1:]:
        if source.records != rows:
            raise InputError(
                f"it has {source.records} rows, but {sources[0].source} has {rows}",
                source=source.source,
                fix="give every reference file one row for each image",
            )
    image = np.concatenate([source.records_of_captions for source in sources])
    fields = {name: column for source in reversed(sources) for name, column in source.fields.items()}
    return References.by_image(captions, image, rows, fields=fields, **about)
