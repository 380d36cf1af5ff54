"""Scene graphs of candidates and references, by the parser of a name: the one that ships, FACTUAL, or a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from vericap.errors import InputError
from vericap.scene.rules import Proposition
from vericap.views.view import View
from vericap.views.views import Views

Propositions: TypeAlias = list[list[Proposition]]


@dataclass(frozen=True)
class Graphs(View[tuple[Propositions, Propositions]]):
    """Propositions of the candidates and of the references.

    >>> from vericap.corpus import Corpus
    >>> Views(Corpus.from_lists(["a red bus"], [["the bus"]])).get(Graphs())
    ([[('bus', 'red'), ('bus',)]], [[('bus',)]])
    """

    parser: str = "vericap"
    source: str = ""

    def compute(self, views: Views) -> tuple[Propositions, Propositions]:
        found = PARSERS[self.parser].parse(views, self.source)
        return found[: len(views.corpus)], found[len(views.corpus) :]

    def check(self, metric: str) -> None:
        """Raise an error that names the fix when there is no such parser or its source is not given."""
        if self.parser not in PARSERS:
            raise InputError(f"{metric}: no parser is called {self.parser!r}", fix=f"use one of {', '.join(PARSERS)}")
        wanted = PARSERS[self.parser].source
        if wanted and not self.source:
            raise InputError(f"{metric}: the parser {self.parser!r} needs a source", fix=f"add source={wanted}")

    def fingerprint(self) -> str:
        """Return what identifies the parser's weights or graphs in a signature."""
        return PARSERS[self.parser].fingerprint(self.source)


@dataclass(frozen=True)
class _Parser:
    """A parser: from views and its source to the propositions of candidates, then references."""

    parse: Callable[[Views, str], Propositions]
    fingerprint: Callable[[str], str]
    source: str = ""  # what `source` must be; empty if it takes none


def _ours(views: Views, source: str) -> Propositions:
    from vericap.scene.caption_graphs import caption_propositions

    tokens = views.words
    return caption_propositions((tokens.spell(ids) for ids in tokens.captions), views.workers)


def _our_fingerprint(source: str) -> str:
    from vericap.scene.parser import Parser

    return str(Parser.load().about["hash"])


def _factual(views: Views, source: str) -> Propositions:
    from vericap.readers.storage.graph_files import read_notation
    from vericap.scene.factual import load

    texts = [*views.corpus.candidates, *views.corpus.references]
    return [read_notation(graph) for graph in load(source).write(texts)]


def _factual_fingerprint(source: str) -> str:
    from vericap.encoders.folders import checkpoint_hash

    return checkpoint_hash(source)


def _graphs(views: Views, source: str) -> Propositions:
    from vericap.readers.storage.graph_files import propositions

    return propositions([*views.corpus.candidates, *views.corpus.references], source)


def _graphs_fingerprint(source: str) -> str:
    from vericap.readers.storage.graph_files import file_hash

    return file_hash(source)


PARSERS: dict[str, _Parser] = {
    "vericap": _Parser(_ours, _our_fingerprint),
    "factual": _Parser(_factual, _factual_fingerprint, "FOLDER of a FACTUAL Flan-T5 checkpoint"),
    "graphs": _Parser(_graphs, _graphs_fingerprint, "FILE.json with a graph for each caption"),
}
