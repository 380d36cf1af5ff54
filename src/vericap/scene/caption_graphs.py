"""Captions to propositions: sentences, trees, collapsed graphs, rules. Equal captions are parsed once, and kept for the
next run where there is a folder for them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from itertools import chain
from pathlib import Path

from vericap.engine.progress import rated
from vericap.scene.collapse import collapse
from vericap.scene.dependencies import Sentence
from vericap.scene.graph import SceneGraph, SynsetsOf
from vericap.scene.parser import MAX_WORDS, Parser
from vericap.scene.rules import Proposition, propositions
from vericap.scene.stanford.grammar import SHA256
from vericap.scene.stanford.installed import grammar_file
from vericap.text.ptb import PUNCTUATION, tokenize

_ENDS = frozenset((".", "!", "?", "..."))
_CLOSING = frozenset(("''", "'", '"', "-rrb-", "-rcb-", "-rsb-"))  # behind the end of a sentence, they belong to it
_LONGEST = 256  # words of a sentence for the original's grammar, whose chart grows with their square
Words = tuple[str, ...]
Sentences = Sequence[Sequence[str]]
_parsed: ContextVar[dict[tuple[str, Words], list[Proposition]] | None] = ContextVar("parsed captions", default=None)


@dataclass(frozen=True)
class TreeParser:
    """A parser of sentences, by which captions get their graphs: `split` gives the sentences of a caption, and `parse`
    what a function makes of each tree, in this many processes."""

    split: Callable[[Sequence[str]], Sentences]
    parse: Callable[[Sentences, Callable[[Sentence], list[Proposition]], int], list[list[Proposition]]]
    fingerprint: Callable[[], str]
    is_kept: bool = False  # whether looking a caption up is faster than parsing it


def _tokenized_again(words: Sequence[str]) -> Sentences:
    """Return the sentences that the original sees, which tokenises once more: "etc." at the end is "etc. ."."""
    text = " ".join(words)
    return split_sentences(tokenize(text) if text == text.lower() else words, _LONGEST)


def _by_grammar(
    sentences: Sentences, use: Callable[[Sentence], list[Proposition]], workers: int
) -> list[list[Proposition]]:
    from vericap.scene.stanford.dependencies import dependencies_of
    from vericap.scene.stanford.parser import StanfordParser

    return StanfordParser.load().parse_each(sentences, lambda tree: use(dependencies_of(tree)), workers)


TREE_PARSERS = {
    "stanford": TreeParser(_tokenized_again, _by_grammar, lambda: SHA256[:12], is_kept=True),
    "vericap": TreeParser(
        lambda words: split_sentences(words),
        lambda *given: Parser.load().parse_each(*given),
        lambda: str(Parser.load().about["hash"]),
    ),
}


@cache
def default_parser() -> str:
    """Return the parser of those who name none: SPICE's own where its grammar is installed, else ours. A process stays
    with the first answer."""
    return "vericap" if grammar_file() is None else "stanford"


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


def caption_propositions(
    captions: Iterable[Sequence[str]],
    workers: int = 1,
    parser: str = "vericap",
    folder: Path | None = None,
    note: Callable[[str], None] = lambda text: None,
) -> list[list[Proposition]]:
    """Return the propositions of each caption, given as words. What a slow parser found is kept in `folder`; if that
    fails, `note` hears of it.

    >>> caption_propositions([["two", "brown", "dogs"], [], ["two", "brown", "dogs"]])
    [[('dog', 'brown'), ('dog', 'two'), ('dog',)], [], [('dog', 'brown'), ('dog', 'two'), ('dog',)]]
    """
    rows = [tuple(words) for words in captions]
    known = _parsed.get()
    remembered = {} if known is None else known
    found = {words: remembered[parser, words] for words in dict.fromkeys(rows) if (parser, words) in remembered}
    new = [words for words in dict.fromkeys(rows) if words not in found]
    if new:
        kept = None
        if folder is not None and TREE_PARSERS[parser].is_kept:
            from vericap.readers.storage.graph_cache import GraphCache

            kept = GraphCache(folder, f"{parser}-{TREE_PARSERS[parser].fingerprint()}-{_rules_hash()}")
            found |= kept.get(new)
            new = [words for words in new if words not in found]
        parsed = _parse(new, workers, parser)
        found |= parsed
        if kept is not None and parsed:
            kept.put(parsed)
            if kept.problem:
                note(f"graphs could not be kept in {folder}: {kept.problem}")
        remembered.update(((parser, words), graph) for words, graph in found.items())
    return [found[row] for row in rows]


def _parse(captions: Sequence[Words], workers: int, parser: str) -> dict[Words, list[Proposition]]:
    """Return the propositions of distinct captions."""
    chosen = TREE_PARSERS[parser]
    sentences = {words: chosen.split(words) for words in captions}
    found: dict[Words, list[Proposition]] = {words: [] for words in captions}
    # All first sentences, then all second ones, and so on: what a sentence says depends a little on its number.
    for number in range(max(map(len, sentences.values()), default=0)):
        those = [words for words in captions if len(sentences[words]) > number]
        use = partial(_propositions, number)
        with rated(len(those), "captions"):
            said = chosen.parse([sentences[words][number] for words in those], use, workers)
        for words, graph in zip(those, said, strict=True):
            found[words] += graph
    return found


def _propositions(number: int, sentence: Sentence) -> list[Proposition]:
    return propositions(collapse(sentence, number))


@cache
def _rules_hash() -> str:
    """Return the hash of the code that makes propositions of trees: what another version kept is not taken."""
    folder = files("vericap.scene")
    modules = [*folder.iterdir(), *(folder / "stanford").iterdir()]
    code = {module.name: module.read_bytes() for module in modules if module.name.endswith(".py")}
    return hashlib.sha256(b"".join(code[name] for name in sorted(code))).hexdigest()[:12]


def split_sentences(words: Sequence[str], longest: int | None = MAX_WORDS) -> list[Sequence[str]]:
    """Return the sentences of a caption, cut after full stops and at the parser's longest length, if it has one.

    >>> split_sentences("A dog . A cat sits . ''".split())
    [['A', 'dog', '.'], ['A', 'cat', 'sits', '.', "''"]]
    """
    longest = longest or len(words)
    if len(words) <= longest and _ENDS.isdisjoint(words):
        return [words] if words else []
    sentences: list[list[str]] = [[]]
    ended = False
    for word in words:
        if len(sentences[-1]) == longest or (ended and word not in _CLOSING):
            sentences.append([])
            ended = False
        sentences[-1].append(word)
        ended = ended or word in _ENDS
    return [sentence for sentence in sentences if sentence]


def written_sentences(text: str) -> list[list[str]]:
    """Return the sentences of a caption as it is written, each as SPICE reads it: without punctuation.

    >>> written_sentences("A girl, running. A dog.")
    [['a', 'girl', 'running'], ['a', 'dog']]
    """
    sentences = split_sentences(tokenize(text), None)
    without = [[word for word in words if word not in PUNCTUATION] for words in sentences]
    return [words for words in without if words]


def scene_graph(text: str, synsets: SynsetsOf | None = None, parser: str = "vericap") -> SceneGraph:
    """Return the scene graph of a caption as it is written: each sentence is read as in SPICE, without punctuation.

    >>> graph = scene_graph("A young girl is riding two brown horses. A dog.")
    >>> [" ".join(map(str, t)) for t in graph.tuples()]
    ['girl', 'horse', 'dog', 'girl young', 'horse brown', 'horse two', 'girl ride horse']
    """
    found = caption_propositions(written_sentences(text), parser=parser)
    return SceneGraph.of(chain.from_iterable(found), synsets)
