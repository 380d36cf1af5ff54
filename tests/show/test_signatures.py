"""Signatures on one line."""

from __future__ import annotations

from vericap.show.signatures import in_one_line, signature_lines

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
