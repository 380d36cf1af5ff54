"""Captions to propositions: sentences, trees, collapsed graphs, rules. Captions that are the same are parsed once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vericap.scene.collapse import collapse
from vericap.scene.dependencies import Sentence
from vericap.scene.graph import SceneGraph, SynsetsOf
from vericap.scene.parser import MAX_WORDS, Parser
from vericap.scene.rules import Proposition, propositions
from vericap.text.ptb import tokenize

_ENDS = frozenset((".", "!", "?", "..."))


def caption_propositions(captions: Iterable[Sequence[str]], parser: Parser | None = None) -> list[list[Proposition]]:
    """The propositions of each caption, given as words.

    >>> caption_propositions([["two", "dogs", "run"], [], ["two", "dogs", "run"]])
    [[('dog', 'run'), ('dog', 'two'), ('dog',)], [], [('dog', 'run'), ('dog', 'two'), ('dog',)]]
    """
    known: dict[tuple[str, ...], int] = {}
    rows = [known.setdefault(tuple(words), len(known)) for words in captions]
    trees = parse_captions(list(known), parser or Parser.load())
    found = [[p for sentence in sentences for p in propositions(collapse(sentence))] for sentences in trees]
    return [found[row] for row in rows]


def parse_captions(captions: Sequence[Sequence[str]], parser: Parser) -> list[list[Sentence]]:
    """The trees of each caption's sentences."""
    parts = [split_sentences(words) for words in captions]
    parsed = iter(parser.parse([sentence for sentences in parts for sentence in sentences]))
    return [[next(parsed) for _ in sentences] for sentences in parts]


def split_sentences(words: Sequence[str]) -> list[Sequence[str]]:
    """Cuts a caption after full stops, and where a sentence would get longer than the parser takes.

    >>> split_sentences("A dog . A cat sits .".split())
    [['A', 'dog', '.'], ['A', 'cat', 'sits', '.']]
    """
    if len(words) <= MAX_WORDS and _ENDS.isdisjoint(words):
        return [words] if words else []
    sentences: list[list[str]] = [[]]
    for word in words:
        if len(sentences[-1]) == MAX_WORDS:
            sentences.append([])
        sentences[-1].append(word)
        if word in _ENDS:
            sentences.append([])
    return [sentence for sentence in sentences if sentence]


def scene_graph(text: str, synsets: SynsetsOf | None = None) -> SceneGraph:
    """The scene graph of one caption as it is written.

    >>> graph = scene_graph("A young girl rides two brown horses.")
    >>> [" ".join(map(str, t)) for t in graph.tuples()]
    ['girl', 'horse', 'girl young', 'horse brown', 'horse two', 'girl ride horse']
    """
    (found,) = caption_propositions([tokenize(text)])
    return SceneGraph.of(found, synsets)
