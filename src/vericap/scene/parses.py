"""The parses on which the propositions of a caption stand: trees of phrases, or tagged words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from vericap.scene.caption_graphs import TREE_PARSERS
from vericap.scene.dependencies import Sentence
from vericap.scene.graph import GraphTuple
from vericap.scene.parser import Parser
from vericap.scene.stanford.tree import Node, Tree


@dataclass(frozen=True)
class Parse:
    """A sentence as a parser read it, with its tree of phrases where the parser makes one."""

    sentence: Sentence
    tree: Tree | None = None

    def spans(self) -> Iterator[tuple[int, int, str]]:
        """Yield the first and last word of each phrase, and how it is written; without a tree, of each run of words."""
        if self.tree is not None:
            for node in _phrases(self.tree.root):
                places = [leaf.word for leaf in node.leaves()]
                yield places[0], places[-1], str(Tree(self.tree.words, node))
            return
        tagged = [f"{word}/{tag}" for word, tag in zip(self.sentence.words, self.sentence.tags, strict=True)]
        for first in range(len(tagged)):
            yield from ((first, last, " ".join(tagged[first : last + 1])) for last in range(first, len(tagged)))


def parses_of(words: Sequence[str], parser: str) -> list[Parse]:
    """Return the parse of each sentence of a caption.

    >>> [parse] = parses_of(["two", "dogs"], "vericap")
    >>> parse.sentence.tags, parse.tree
    (['CD', 'NNS'], None)
    """
    sentences = TREE_PARSERS[parser].split(words)
    if parser != "stanford":
        return list(map(Parse, Parser.load().parse(sentences))) if sentences else []
    from vericap.scene.stanford.dependencies import dependencies_of
    from vericap.scene.stanford.parser import StanfordParser

    return [Parse(dependencies_of(tree), tree) for tree in StanfordParser.load().parse(sentences)]


def stands_on(found: GraphTuple, parses: Iterable[Parse]) -> str:
    """Return the shortest phrase that has all words of a tuple; empty if none has.

    >>> from vericap.scene.graph import SceneGraph
    >>> graph = SceneGraph.of([("girl", "young")])
    >>> tree = Tree.read("(ROOT (NP (DT a) (JJ young) (NN girl)))")
    >>> sentence = Sentence(tree.words, tree.tags, tree.words, [2, 2, -1], ["det", "amod", "root"])
    >>> [stands_on(each, [Parse(sentence, tree)]) for each in graph.tuples()]
    ['(NN girl)', '(NP (DT a) (JJ young) (NN girl))']
    """
    wanted = [{part for word in concept.words for part in word.split()} for concept in found]
    shortest = ""
    least = 1 << 30
    for parse in parses:
        sentence = parse.sentence
        own = [{word.lower(), lemma.lower()} for word, lemma in zip(sentence.words, sentence.lemmas, strict=True)]
        places = [[place for place, names in enumerate(own) if names & words] for words in wanted]
        for first, last, text in parse.spans() if all(places) else ():
            has_all = all(any(first <= place <= last for place in some) for some in places)
            if has_all and (last - first, len(text)) < (least, len(shortest)):
                least, shortest = last - first, text
    return shortest


def _phrases(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _phrases(child)
