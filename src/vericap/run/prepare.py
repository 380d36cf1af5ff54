"""From inputs to views: the captions read and matched with references and pictures, under the settings."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vericap.corpus import Corpus
from vericap.engine.local import in_thread
from vericap.engine.progress import watched
from vericap.metrics import asked
from vericap.options.inputs import Captioners, Inputs, columns_of
from vericap.options.page import is_address
from vericap.options.settings import Settings
from vericap.readers import load
from vericap.readers.captions.systems import SYSTEM, load_systems
from vericap.readers.storage.registered import cache_folder
from vericap.text.tokenizers import load_tokenizer
from vericap.views import Views

if TYPE_CHECKING:
    from vericap.run.measure import Progress
    from vericap.run.selection import MetricChoice

DEFAULT_DETECTOR = "ssd"


def prepare(
    inputs: Inputs,
    settings: Settings | None = None,
    *,
    metrics: MetricChoice = (),
    fields: Sequence[str] = (),
    image_ids: Sequence[str] = (),
    progress: Progress | None = None,
) -> Views:
    """The views of a corpus. `fields` are further columns to keep; where `image_ids` are given, a detector looks at
    these pictures alone. If one of the `metrics` needs objects and there are pictures alone, the detector that ships
    looks for them.

    >>> views = prepare(Inputs({1: "a dog"}, {1: ["the dog"]}), Settings(tokenizer="whitespace"))
    >>> views.corpus.references, views.tokenizer
    (['the dog'], 'whitespace')
    """
    settings = settings or Settings()
    if inputs.images is not None:
        inputs = with_detector(inputs, metrics)
    given = inputs.candidates
    how: dict[str, Any] = {name: getattr(settings, name) for name in ("missing", "repeated", "uncaptioned")}
    how |= {"split": inputs.split, "columns": inputs.field}
    is_file = isinstance(given, str | Path)
    # Python is free while a kernel scans files.
    imported = in_thread(partial(load_tokenizer, settings.tokenizer)) if is_file and settings.workers != 1 else None
    try:
        if isinstance(given, Captioners):
            corpus = load_systems(given.candidates, inputs.references, **how)
        else:
            corpus = given if isinstance(given, Corpus) else load(given, inputs.references, fields=fields, **how)
    finally:
        # No thread goes on from here: a process that is forked while one imports might wait for its locks for ever.
        if imported is not None:
            imported()
    if inputs.images is not None:
        from vericap.corpus import PictureFolder

        cache = None if inputs.cache is None else Path(inputs.cache)
        pictures = PictureFolder(Path(inputs.images), cache, settings.missing, inputs.megapixels)
        corpus = replace(corpus, pictures=pictures)
    if any(each is not None for each in (inputs.objects, inputs.regions, inputs.detector)):
        told = progress if inputs.detector is not None else None
        with nullcontext() if told is None else watched(lambda part: told("looking at pictures", 2 * part, 1)):
            corpus = look_at_pictures(corpus, inputs, settings, image_ids)
    frequencies = None  # counted in the references of the corpus
    if settings.df != "corpus":
        from vericap.lexicon.frequencies import resolve

        frequencies = resolve(settings.df, settings.tokenizer, settings.language)
    # The first row of each captioner but the first.
    names = corpus.fields[SYSTEM] if isinstance(given, Captioners) else ()
    return Views(
        corpus,
        tokenizer=settings.tokenizer,
        language=settings.language,
        frequencies=frequencies,
        workers=settings.workers,
        first_rows=[row for row in range(1, len(names)) if names[row] != names[row - 1]],
        best_of_image=settings.repeated == "best",
        graph_folder=_graph_folder(inputs),
    )


def _graph_folder(inputs: Inputs) -> Path | None:
    """Return the folder for graphs of captions: the one given, else the user's; None if they are not kept."""
    if not inputs.keep_graphs:
        return None
    return cache_folder() if inputs.cache is None else Path(inputs.cache)


def look_at_pictures(corpus: Corpus, inputs: Inputs, settings: Settings, image_ids: Sequence[str] = ()) -> Corpus:
    """Return the corpus with the objects and regions of its pictures; a detector looks at all of them, or at those of
    `image_ids` alone."""
    from vericap.readers.objects import read_objects, several_objects
    from vericap.vision.add_pictures import add_pictures
    from vericap.vision.cache import PictureCache
    from vericap.vision.detection import Reading

    objects, reading, wanted = inputs.objects, None, set(image_ids)
    if objects is not None and (columns := columns_of(inputs.field)):
        objects = [read_objects(one, columns) for one in several_objects(objects)]
    if inputs.detector is not None:
        rows = [row for row, given in enumerate(corpus.image_ids) if str(given) in wanted] if wanted else None
        cache = None if inputs.cache is None else PictureCache(inputs.cache)
        reading = Reading(settings.workers, cache, inputs.megapixels, rows)
    return add_pictures(
        corpus,
        objects,
        inputs.regions,
        inputs.images,
        inputs.detector,
        confidence=inputs.confidence,
        missing=settings.missing,
        reading=reading,
    )


def with_detector(inputs: Inputs, metrics: MetricChoice) -> Inputs:
    """Return the inputs with the detector that ships, where one is needed and none is named. Of the sets `default`
    and `all`, no metric asks for one: those whose needs are not met are left out.

    >>> with_detector(Inputs({7: "a dog"}, images="pictures"), "vifidel").detector
    'ssd'
    >>> with_detector(Inputs({7: "a dog"}, images="pictures"), "bleu-4,all").detector is None
    True
    """
    given = (inputs.detector, inputs.objects, inputs.regions)
    if inputs.images is None or any(each is not None for each in given) or is_address(inputs.images):
        return inputs
    if isinstance(inputs.candidates, Corpus) and (inputs.candidates.has_objects or inputs.candidates.has_regions):
        return inputs
    needs = {need for metric, by_name in asked(metrics) if by_name for need in metric.needs}
    if any("objects" in need or "regions" in need for need in needs):
        return replace(inputs, detector=DEFAULT_DETECTOR)
    return inputs
