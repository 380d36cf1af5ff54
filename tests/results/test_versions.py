"""What every JSON document begins with."""

from __future__ import annotations

import vericap
from vericap.results.curve import Curve
from vericap.results.explanation import Explanations
from vericap.results.versions import SCHEMA, versions


def test_every_result_says_who_wrote_it_and_in_which_shape() -> None:
    references = {1: ["a dog runs"], 2: ["a cat"]}
    captions = {1: "a dog", 2: "a cat"}
    documents = [
        vericap.evaluate(captions, references, metrics="bleu-1").to_dict(),
        vericap.compare({"a": captions, "b": captions}, references, metrics="bleu-1", resamples=9).to_dict(),
        Explanations([]).to_dict(),
        Curve("t", "references", "accuracy", [], {}).to_dict(),
    ]
    for document in documents:
        assert list(document)[:2] == ["vericap", "schema"]
        assert (document["vericap"], document["schema"]) == (vericap.__version__, SCHEMA)
    assert versions() == {"vericap": vericap.__version__, "schema": 1}
