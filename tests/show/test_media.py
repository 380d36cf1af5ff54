"""The media: what each result can be drawn as."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

import pytest

from vericap.results.curve import Curve
from vericap.results.explanation import Explanations
from vericap.results.scores import Result
from vericap.results.verdict import Verdict
from vericap.show import RESULTS, as_csv, as_file, as_json, as_page, as_picture, as_table, as_text, remarks
from vericap.show.media import FILES


@dataclass
class Count:
    """A result of somebody else."""

    dogs: int
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, int]:
        return {"dogs": self.dogs}


def test_a_new_result_registers_how_it_is_drawn() -> None:
    @as_table.register
    def _(count: Count, format: str = "plain", scale: float = 1.0) -> str:
        return f"{count.dogs * scale:g} dogs"

    many = Count(3, ("one barked",))
    assert as_text(many, "plain", 100) == "300 dogs"
    assert b"".join(as_file(many, "json")) == b'{\n  "dogs": 3\n}\n'
    assert remarks(many, 100) == ["(scores × 100)", "note: one barked"]


def test_what_cannot_be_drawn_says_so() -> None:
    for medium, name in ((as_page, "a page"), (as_csv, "CSV"), (as_picture, "a picture")):
        with pytest.raises(TypeError, match=f"Count cannot be drawn as {name}"):
            medium(Count(1))
    with pytest.raises(TypeError, match="int cannot be drawn as a table"):
        as_table(1)


def test_every_result_has_a_page_and_json() -> None:
    for name in RESULTS:
        import_module(f"vericap.show.{name}")
    for kind in (Result, Explanations, Verdict, Curve):
        assert as_page.dispatch(kind) is not as_page.dispatch(object)
        assert as_json.dispatch(kind) is not None
    assert set(FILES) == {"json", "csv", "html", "png", "svg"}
