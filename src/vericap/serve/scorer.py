"""From a checked request to the JSON of `vericap score`; references and document frequencies are loaded once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from vericap.corpus import Corpus
from vericap.corpus.references import References
from vericap.errors import InputError
from vericap.metrics import asked
from vericap.metrics.base import Metric
from vericap.options.inputs import Inputs
from vericap.options.settings import Settings
from vericap.readers import read_references
from vericap.readers.messages import shown
from vericap.run.evaluate import evaluate_inputs
from vericap.serve.request import BODY, ScoreRequest


@dataclass(frozen=True, eq=False)
class Scorer:
    """The metrics that are offered, by key, and what they need.

    >>> scorer = Scorer.load(Settings(df="coco"), "rouge-l", {7: ["a dog runs"]})
    >>> found = scorer.score(ScoreRequest([7], ["a dog runs"], [None]))
    >>> found["captions"]
    [{'image_id': 7, 'caption': 'a dog runs', 'scores': {'rouge-l': 1.0}}]
    """

    settings: Settings
    metrics: Mapping[str, Metric]
    references: References | None = None

    @property
    def offered(self) -> tuple[str, ...]:
        """The keys of the metrics."""
        return tuple(self.metrics)

    @classmethod
    def load(cls, settings: Settings, metrics: str, references: Any = None) -> Scorer:
        """Load references and document frequencies, and check that captions suffice for the metrics."""
        from vericap.lexicon.frequencies import resolve

        frequencies = resolve(settings.df, settings.tokenizer, settings.language)
        settings = settings if frequencies is None else replace(settings, df=frequencies)
        given = None if references is None else read_references(references).with_ids()
        chosen = [metric.in_language(settings.language) for metric, _ in asked(metrics)]
        for metric in chosen:
            other = [need for need in metric.needs if need != "references"]
            if other:
                raise InputError(
                    f"{metric.key} needs {other[0]}, which requests do not have",
                    field="metrics",
                    fix="offer metrics of captions and references",
                )
        return cls(settings, {metric.key: metric for metric in chosen}, given)

    @property
    def images(self) -> int:
        """Images of which references are loaded."""
        return 0 if self.references is None else self.references.images

    def warm_up(self) -> None:
        """Load what metrics load at their first use, so that the first request does not wait."""
        twice = [["a dog runs on the grass", "the dog is running"]] * 2
        self.score(ScoreRequest([0, 1], ["a dog runs", "a cat sits"], [*twice]))

    def score(self, request: ScoreRequest) -> dict[str, Any]:
        """Return the answer to a request, as a document of `vericap score --json`."""
        metrics = [self.metrics[key] for key in request.metrics or self.metrics]
        ids = [row if given is None else given for row, given in enumerate(request.image_ids)]
        references = [self._references(request, row) for row in range(len(request.captions))]
        if all(given is None for given in references) and not any("references" in each.needs for each in metrics):
            corpus = Corpus.from_lists(request.captions, None, ids)
        else:
            self._refuse_lacking(request, references)
            corpus = Corpus.from_lists(request.captions, [given or [] for given in references], ids)
        return evaluate_inputs(Inputs(corpus), self.settings, metrics).to_dict()

    def _references(self, request: ScoreRequest, row: int) -> list[str] | None:
        given, image_id = request.references[row], request.image_ids[row]
        if given is not None or self.references is None or image_id is None:
            return given
        image = self.references.find(image_id)
        return None if image < 0 else list(self.references.of_images(np.array([image]))[0])

    def _refuse_lacking(self, request: ScoreRequest, references: list[list[str] | None]) -> None:
        if None in references:
            row = references.index(None)
            image_id = request.image_ids[row]
            known = "" if image_id is None else f", and those of image {shown(image_id)} are not loaded"
            fix = "send them, or the image_id of an image whose references are loaded"
            raise InputError(f"the row has no references{known}", source=BODY, row=row + 1, field="references", fix=fix)
