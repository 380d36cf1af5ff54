"""The media: what each result can be drawn as, and by which module."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from importlib import import_module

import pytest

import vericap
from vericap.results import comparison, curve, explanation, scores, verdict
from vericap.results.scores import Result
from vericap.show import FILES, RESULTS, as_csv, as_file, as_page, as_picture, as_table, as_text, remarks

CAPTIONS, REFERENCES = {1: "a dog runs"}, {1: ["a dog runs on grass"]}


@dataclass
class Count:
    """A result of another package."""

    dogs: int
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, int]:
        return {"dogs": self.dogs}


class drawn:
    """How it is drawn, as a module would have it."""

    @staticmethod
    def as_table(count: Count, format: str = "plain", scale: float = 1.0) -> str:
        return f"{count.dogs * scale:g} dogs"


def test_a_new_result_names_the_module_that_draws_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RESULTS, "Count", "tests.drawn")
    monkeypatch.setitem(sys.modules, "tests.drawn", drawn)
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


def test_every_result_has_a_page_and_a_table_or_a_text() -> None:
    modules = (comparison, curve, explanation, scores, verdict)
    assert all(any(hasattr(module, name) for module in modules) for name in RESULTS)
    for name in RESULTS.values():
        module = import_module(name)
        assert hasattr(module, "as_page") and (hasattr(module, "as_table") or hasattr(module, "as_text"))
    assert set(FILES) == {"json", "csv", "html", "png", "svg"}


def test_a_table_of_scores_is_drawn_without_the_files_of_other_results() -> None:
    program = f"""
import sys, vericap
print(vericap.evaluate({CAPTIONS}, {REFERENCES}, metrics="rouge-l").table())
print(sorted(name for name in sys.modules if name in {list(RESULTS.values())}))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    *table, imported = done.stdout.splitlines()
    assert "0.7176" in "".join(table)
    assert imported == "['vericap.show.scores']"


def test_a_result_of_a_class_derived_from_ours_is_drawn_as_ours() -> None:
    class Mine(Result):
        """Somebody's result."""

    ours = vericap.evaluate(CAPTIONS, REFERENCES, metrics="rouge-l")
    mine = Mine(ours.corpus, dict(ours), ours.notes, ours.label)
    assert as_table(mine) == as_table(ours)
