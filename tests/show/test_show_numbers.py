"""Digits of numbers."""

from __future__ import annotations

import math

from vericap.metrics import registry
from vericap.show.numbers import in_one_line, paper_name, signature_lines, spell, spell_signed, spell_value


def test_a_larger_scale_has_fewer_digits() -> None:
    assert [spell(0.123456, scale) for scale in (1, 10, 100, 1000)] == ["0.1235", "1.23", "12.3", "123"]


def test_what_does_not_exist_is_a_dash() -> None:
    assert spell(math.nan) == spell_signed(math.nan) == "–"


def test_signs_and_values() -> None:
    assert (spell_signed(0.0), spell_signed(-0.5)) == ("+0.0000", "-0.5000")
    assert (spell_value(1.0), spell_value(1), spell_value("dog")) == ("1.0000", "1", "dog")


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


BLEU = "metric:bleu-4|version:0.1.0|tokenizer:ptb|references:5|n:4"
CIDER = "metric:cider-d|version:0.1.0|tokenizer:ptb|references:5|n:4|df:corpus|documents:30"
FLUENCY = "metric:fluency|version:0.1.0|tokenizer:ptb|references:0"


def test_what_all_share_is_said_once_and_nothing_is_left_out() -> None:
    assert in_one_line([BLEU, CIDER, FLUENCY]) == (
        "version:0.1.0|tokenizer:ptb; bleu-4|references:5|n:4; cider-d|references:5|n:4|df:corpus|documents:30; "
        "fluency|references:0"
    )


def test_one_metric_has_its_own_signature() -> None:
    assert signature_lines([BLEU]) == [BLEU] and in_one_line([BLEU]) == BLEU
    assert signature_lines([BLEU, CIDER], each=True) == [BLEU, CIDER]
