"""Scene graphs of candidates and references, by the parser of a name: SPICE's own, the one that ships, FACTUAL, or a
file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from vericap.encoders.folders import checkpoint_hash
from vericap.errors import InputError
from vericap.readers.storage.graph_files import file_hash, propositions, read_notation
from vericap.scene import factual
from vericap.scene.caption_graphs import TREE_PARSERS, caption_propositions
from vericap.scene.rules import Proposition
from vericap.scene.stanford.installed import INSTALL, grammar_file
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
        if self.parser == "stanford" and grammar_file() is None:
            problem = f"{metric}: the grammar of the parser 'stanford' is not installed"
            raise InputError(problem, field="parser", fix=INSTALL)

    @property
    def signed(self) -> str:
        """The parser as a signature names it."""
        return f"{self.parser}-{self.fingerprint()}"

    def fingerprint(self) -> str:
        """Return what identifies the parser's weights or graphs in a signature."""
        return PARSERS[self.parser].fingerprint(self.source)


@dataclass(frozen=True)
class _Parser:
    """A parser: from views and its source to the propositions of candidates, then references."""

    parse: Callable[[Views, str], Propositions]
    fingerprint: Callable[[str], str]
    source: str = ""  # what `source` must be; empty if it takes none


def _factual(views: Views, source: str) -> Propositions:
    texts = [*views.corpus.candidates, *views.corpus.references]
    return [read_notation(graph) for graph in factual.load(source).write(texts)]


def _by_trees(parser: str) -> _Parser:
    def parse(views: Views, source: str) -> Propositions:
        words, folder = views.words, views.whole.graph_folder
        return caption_propositions(map(words.spell, words.captions), views.workers, parser, folder, views.note)

    return _Parser(parse, lambda source: TREE_PARSERS[parser].fingerprint())


PARSERS: dict[str, _Parser] = {
    **{parser: _by_trees(parser) for parser in TREE_PARSERS},
    "factual": _Parser(_factual, checkpoint_hash, "FOLDER of a FACTUAL Flan-T5 checkpoint"),
    "graphs": _Parser(
        lambda views, source: propositions([*views.corpus.candidates, *views.corpus.references], source),
        file_hash,
        "FILE.json with a graph for each caption",
    ),
}
