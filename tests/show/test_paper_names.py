"""Metrics as papers write their names."""

from __future__ import annotations

from vericap.metrics import registry
from vericap.show.paper_names import paper_name


def test_names_are_those_of_the_papers() -> None:
    names = {
        "bleu-1": "BLEU-1",
        "meteor": "METEOR",
        "rouge-l": "ROUGE-L",
        "rouge-su4": "ROUGE-SU4",
        "cider": "CIDEr",
        "cider-d": "CIDEr-D",
        "cider-r(k_r=0.5)": "CIDEr-R(k_r=0.5)",
        "spice": "SPICE",
        "chair-i": "CHAIR-i",
        "faier": "FAIEr",
    }
    assert {key: paper_name(key) for key in names} == names


def test_no_two_metrics_have_the_same_name() -> None:
    assert len({paper_name(key) for key in registry()}) == len(registry())


def test_what_is_not_known_stays() -> None:
    assert paper_name("mean(spice,cider-d)") == "mean(spice,cider-d)"
