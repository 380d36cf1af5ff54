"""The parsers that SPICE can be given, by name: the one that ships, FACTUAL, and graphs from a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from vericap.errors import InputError
from vericap.scene.rules import Proposition
from vericap.views import Views

Propositions: TypeAlias = list[list[Proposition]]


@dataclass(frozen=True)
class _Named:
    """A parser: captions (as views and as text) to propositions, and a line that identifies it."""

    parse: Callable[[Views, Sequence[str], str], Propositions]
    fingerprint: Callable[[str], str]
    source: str = ""  # what `source` must be; empty if it takes none


def propositions_of(views: Views, parser: str, source: str) -> tuple[Propositions, Propositions]:
    """Propositions of candidates and of references."""
    found = PARSERS[parser].parse(views, [*views.corpus.candidates, *views.corpus.references], source)
    return found[: len(views.corpus)], found[len(views.corpus) :]


def check(parser: str, source: str, metric: str) -> None:
    """An error that names the fix when a parser is not there or lacks its source."""
    if parser not in PARSERS:
        raise InputError(f"{metric}: no parser is called {parser!r}", fix=f"use one of {', '.join(PARSERS)}")
    wanted = PARSERS[parser].source
    if wanted and not source:
        raise InputError(f"{metric}: the parser {parser!r} needs source", fix=f"add source={wanted}")


def fingerprint(parser: str, source: str) -> str:
    """What identifies the parser's weights or graphs in a signature."""
    return PARSERS[parser].fingerprint(source)


def _ours(views: Views, texts: Sequence[str], source: str) -> Propositions:
    from vericap.scene.captions import caption_propositions

    tokens = views.words
    captions = (tokens.spell(ids) for side in (tokens.candidates, tokens.references) for ids in side)
    return caption_propositions(captions, views.workers)


def _our_fingerprint(source: str) -> str:
    from vericap.scene.parser import Parser

    return str(Parser.load().about["hash"])


def _factual(views: Views, texts: Sequence[str], source: str) -> Propositions:
    from vericap.neural.factual import load
    from vericap.scene.graph_files import read_notation

    return [read_notation(graph) for graph in load(source).write(texts)]


def _factual_fingerprint(source: str) -> str:
    from vericap.neural.factual import checkpoint_hash

    return checkpoint_hash(source)


def _graphs(views: Views, texts: Sequence[str], source: str) -> Propositions:
    from vericap.scene.graph_files import propositions

    return propositions(texts, source)


def _graphs_fingerprint(source: str) -> str:
    from vericap.scene.graph_files import file_hash

    return file_hash(source)


PARSERS: dict[str, _Named] = {
    "vericap": _Named(_ours, _our_fingerprint),
    "factual": _Named(_factual, _factual_fingerprint, "FOLDER of a FACTUAL Flan-T5 checkpoint"),
    "graphs": _Named(_graphs, _graphs_fingerprint, "FILE.json with a graph for each caption"),
}
