"""Scene graphs of one's own, in JSON or in FACTUAL's notation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.readers.pipes import pipe
from vericap.errors import InputError
from vericap.readers.storage.graph_files import file_hash, propositions, read_notation


@pytest.mark.parametrize(
    ("notation", "found"),
    [
        ("( girl , on , bed )", [("girl", "bed", "on")]),
        ("( Girl , is , Young ) , ( cat )", [("girl", "young"), ("cat",)]),
        ("( girl , has_attribute , young )", [("girl", "young")]),
        ("( bus , red )", [("bus", "red")]),
        ("( girl , on ", []),
        ("( a , b , c , d ) ( , on , bed ) ( dog )", [("dog",)]),
        ("", []),
    ],
)
def test_factuals_notation(notation: str, found: list[tuple[str, ...]]) -> None:
    """Object, attribute; subject, relation, object; "is" makes an attribute. What is no tuple is passed over."""
    assert read_notation(notation) == found


GRAPH = [["Dog"], ["dog", "brown"], ["dog", "on", "bed"], ["dog", "is", "big"]]
FOUND = [("dog",), ("dog", "brown"), ("dog", "bed", "on"), ("dog", "big")]


@pytest.mark.parametrize(
    "content",
    [
        {"a dog": GRAPH, "a cat": []},
        [{"caption": "a dog", "graph": GRAPH}, {"caption": "a cat", "graph": ""}],
        {"a dog": "( dog ) , ( dog , brown ) , ( dog , on , bed ) , ( dog , is , big )", "a cat": []},
    ],
)
def test_graphs_are_found_by_their_caption(content: Any, tmp_path: Path) -> None:
    path = tmp_path / "graphs.json"
    path.write_text(json.dumps(content))
    assert propositions(["a cat", "a dog", "a cat"], str(path)) == [[], FOUND, []]


def test_one_graph_on_each_line(tmp_path: Path) -> None:
    path = tmp_path / "graphs.jsonl"
    path.write_text('{"caption": "a dog", "graph": [["dog"]]}\n{"caption": "a cat", "graph": []}\n')
    assert propositions(["a dog"], str(path)) == [[("dog",)]]


@pytest.mark.parametrize(
    ("content", "row", "field", "problem"),
    [
        ({"a cat": []}, None, None, "no graph for the caption 'a dog'"),
        (7, None, None, "graphs are"),
        (["a dog"], None, None, "graphs are"),
        ({"a cat": [], "a dog": "dog"}, None, None, None),
        ({"a cat": [], "a dog": [["dog", 7]]}, 2, "graph", "not a list of tuples of one to three words"),
        ({"a dog": [["a", "b", "c", "d"]]}, 1, "graph", "not a list of tuples"),
        ({"a dog": [[]]}, 1, "graph", "not a list of tuples"),
        ({"a dog": [[""]]}, 1, "graph", "not a list of tuples"),
        ({"a dog": None}, 1, "graph", "not a list of tuples"),
    ],
)
def test_what_is_wrong_names_file_row_and_field(
    content: Any, row: int | None, field: str | None, problem: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "graphs.json"
    path.write_text(json.dumps(content))
    if problem is None:  # notation without a bracket is a graph without a tuple
        assert propositions(["a dog"], str(path)) == [[]]
        return
    with pytest.raises(InputError, match=problem) as error:
        propositions(["a dog"], str(path))
    assert (error.value.source, error.value.row, error.value.field) == (str(path), row, field)
    assert error.value.fix


def test_the_hash_is_of_what_the_file_holds(tmp_path: Path) -> None:
    for name, content in (("a", '{"x": []}'), ("b", '{"x": []}'), ("c", '{"x": [["dog"]]}')):
        (tmp_path / f"{name}.json").write_text(content)
    one, same, other = (file_hash(str(tmp_path / f"{name}.json")) for name in "abc")
    assert one == same != other and len(one) == 12


def test_graphs_from_a_pipe_have_the_hash_of_their_content(tmp_path: Path) -> None:
    content = b'{"a dog": [["dog"]]}'
    (tmp_path / "graphs.json").write_bytes(content)
    through = str(pipe(tmp_path / "pipe", content))
    assert propositions(["a dog"], through) == [[("dog",)]]
    assert file_hash(through) == file_hash(str(tmp_path / "graphs.json"))


def test_one_caption_has_one_graph(tmp_path: Path) -> None:
    rows = [{"caption": "a dog", "graph": [["dog"]]}, {"caption": "a dog", "graph": [["cat"]]}]
    (tmp_path / "g.json").write_text(json.dumps(rows))
    with pytest.raises(InputError, match=r"row 2.*another graph in a row before"):
        propositions(["a dog"], str(tmp_path / "g.json"))
