"""Detection in a run: if a detector is named, or if a metric needs objects and only pictures were given."""

from __future__ import annotations

from dataclasses import replace

from vericap.corpus import Corpus
from vericap.metrics import asked
from vericap.options.inputs import Inputs
from vericap.run.selection import MetricChoice

DEFAULT_DETECTOR = "ssd"


def with_detector(inputs: Inputs, metrics: MetricChoice) -> Inputs:
    """The inputs with the detector that ships, where one is needed and none is named. Of the sets `default` and `all`,
    no metric asks for one: those whose needs are not met are left out.

    >>> with_detector(Inputs({7: "a dog"}, images="pictures"), "vifidel").detector
    'ssd'
    >>> with_detector(Inputs({7: "a dog"}, images="pictures"), "bleu-4,all").detector is None
    True
    """
    given = (inputs.detector, inputs.objects, inputs.regions)
    if inputs.images is None or any(each is not None for each in given) or is_address(str(inputs.images)):
        return inputs
    if isinstance(inputs.candidates, Corpus) and (inputs.candidates.has_objects or inputs.candidates.has_regions):
        return inputs
    needs = {need for metric, by_name in asked(metrics) if by_name for need in metric.needs}
    if any("objects" in need or "regions" in need for need in needs):
        return replace(inputs, detector=DEFAULT_DETECTOR)
    return inputs


def is_address(images: str) -> bool:
    """Return whether pictures are at an address, where only a page finds them.

    >>> is_address("https://example.org/{id}.jpg"), is_address("pictures/")
    (True, False)
    """
    return "{id" in images or images.startswith(("https://", "http://"))
