"""Scene graphs by the parser of a name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.views import Views
from vericap.views.graphs import PARSERS, Graphs

CORPUS = Corpus.from_lists(["a red bus", "two dogs"], [["the bus"], ["a dog runs", "a dog"]])


def test_candidates_and_references_apart() -> None:
    candidates, references = Views(CORPUS).get(Graphs())
    assert len(candidates) == 2 and len(references) == 3
    assert set(candidates[0]) == {("bus",), ("bus", "red")}
    assert references[0] == [("bus",)]


def test_the_graphs_of_some_rows_are_those_of_the_whole() -> None:
    views = Views(CORPUS)
    (mine, theirs), (candidates, references) = views.rows([1]).get(Graphs()), views.get(Graphs())
    assert mine == candidates[1:] and theirs == references[1:]


def test_graphs_of_a_file_are_found_by_their_caption(tmp_path: Path) -> None:
    said = [*CORPUS.candidates, *CORPUS.references]
    path = tmp_path / "graphs.json"
    path.write_text(json.dumps({caption: [[caption.split()[-1]]] for caption in said}))
    view = Graphs("graphs", str(path))
    candidates, references = Views(CORPUS).get(view)
    assert candidates == [[("bus",)], [("dogs",)]] and references == [[("bus",)], [("runs",)], [("dog",)]]
    before = view.fingerprint()
    path.write_text(json.dumps({caption: [["cat"]] for caption in said}))
    assert view.fingerprint() != before


def test_a_parser_is_named_in_the_signature_by_its_weights() -> None:
    assert Graphs().fingerprint() == Graphs("vericap").fingerprint() != ""


def test_an_unknown_parser_or_a_missing_source_names_metric_and_fix() -> None:
    with pytest.raises(InputError, match=f"spice: no parser is called 'spacy'; use one of {', '.join(PARSERS)}"):
        Graphs("spacy").check("spice")
    with pytest.raises(InputError, match=r"spice: the parser 'graphs' needs a source; add source=FILE\.json"):
        Graphs("graphs").check("spice")
    Graphs().check("spice")
