"""The grammar of the package in this repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from vericap.scene.stanford.grammar import FILE, Grammar
from vericap.scene.stanford.parser import StanfordParser

PACKAGE = Path(__file__).parents[3] / "packages" / "stanford-grammar" / "src" / "vericap_stanford_grammar"


@pytest.fixture(scope="session")
def grammar_file() -> Path:
    return PACKAGE / FILE


@pytest.fixture(scope="session")
def grammar(grammar_file: Path) -> Grammar:
    return Grammar.read(grammar_file)


@pytest.fixture(scope="session")
def parser(grammar: Grammar) -> StanfordParser:
    return StanfordParser(grammar)
