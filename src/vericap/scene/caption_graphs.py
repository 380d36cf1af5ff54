"""Captions to propositions: sentences, trees, collapsed graphs, rules. Equal captions are parsed once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain

from vericap.scene.collapse import collapse
from vericap.scene.graph import SceneGraph, SynsetsOf
from vericap.scene.parser import MAX_WORDS, Parser
from vericap.scene.rules import Proposition, propositions
from vericap.text.ptb import PUNCTUATION, tokenize

_ENDS = frozenset((".", "!", "?", "..."))
_parsed: ContextVar[dict[tuple[str, ...], list[Proposition]] | None] = ContextVar("parsed captions", default=None)


@contextmanager
def remembering() -> Iterator[None]:
    """Parse each caption once inside this block, whatever corpus it is in: for judging a benchmark with one set of its
    references after another."""
    known = _parsed.get()
    token = _parsed.set({} if known is None else known)
    try:
        yield
    finally:
        _parsed.reset(token)


def caption_propositions(captions: Iterable[Sequence[str]], workers: int = 1) -> list[list[Proposition]]:
    """Return the propositions of each caption, given as words.

    >>> caption_propositions([["two", "brown", "dogs"], [], ["two", "brown", "dogs"]])
    [[('dog', 'brown'), ('dog', 'two'), ('dog',)], [], [('dog', 'brown'), ('dog', 'two'), ('dog',)]]
    """
    rows = [tuple(words) for words in captions]
    known = _parsed.get()
    found = {} if known is None else known
    new = [words for words in dict.fromkeys(rows) if words not in found]
    parts = [split_sentences(words) for words in new]
    sentences = [sentence for caption in parts for sentence in caption]
    said = iter(Parser.load().parse_each(sentences, lambda tree: propositions(collapse(tree)), workers))
    for words, caption in zip(new, parts, strict=True):
        found[words] = [p for _ in caption for p in next(said)]
    return [found[row] for row in rows]


def split_sentences(words: Sequence[str]) -> list[Sequence[str]]:
    """Return the sentences of a caption, cut after full stops and at the parser's longest length.

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
    """Return the scene graph of a caption as it is written: each sentence is read as in SPICE, without punctuation.

    >>> graph = scene_graph("A young girl is riding two brown horses. A dog.")
    >>> [" ".join(map(str, t)) for t in graph.tuples()]
    ['girl', 'horse', 'dog', 'girl young', 'horse brown', 'horse two', 'girl ride horse']
    """
    sentences = split_sentences(tokenize(text))
    found = caption_propositions([[word for word in words if word not in PUNCTUATION] for words in sentences])
    return SceneGraph.of(chain.from_iterable(found), synsets)
