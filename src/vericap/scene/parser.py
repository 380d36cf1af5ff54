"""A tagger and dependency parser for captions, in NumPy: a network scores tags, heads and relations, a grammar decides
between them. Both are trained to give the trees that CoreNLP gives SPICE.

Scores are whole numbers, so a tree depends on its sentence alone: not on the batch it is in, the number of threads or
the order of the captions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from vericap.engine.blas import one_blas_thread
from vericap.engine.local import in_processes
from vericap.kernels.decoding import projective_heads
from vericap.kernels.grammar import Grammar
from vericap.scene.caption_grammar import CaptionGrammar, candidates
from vericap.scene.dependencies import Sentence
from vericap.scene.lemmas import Lemmatizer
from vericap.scene.network import ParserNetwork, TreeScores
from vericap.scene.prepositions import lower_prepositions

Answer = TypeVar("Answer")

# Longer sentences are cut: the scorer never saw longer ones, and time stays linear in the length of a caption.
MAX_WORDS = 64
_BATCH_WORDS = 2048
_MANY = 1000  # sentences; with fewer a second process does not pay


class Parser:
    """Words to tags, lemmas and a dependency tree.

    >>> parse = Parser.load().parse
    >>> sentence, = parse([["a", "girl", "is", "riding", "two", "horses"]])
    >>> sentence.tags, sentence.heads
    (['DT', 'NN', 'VBZ', 'VBG', 'CD', 'NNS'], [1, 3, 3, -1, 5, 3])
    """

    def __init__(self, folder: Traversable) -> None:
        self.about: dict[str, Any] = json.loads((folder / "parser.json").read_text(encoding="utf-8"))
        with (folder / "parser.npz").open("rb") as file, np.load(file, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        about = self.about
        self.tags: list[str] = about["tags"]
        self.relations: list[str] = about["relations"]
        self.lemmatizer = Lemmatizer()
        self._network = ParserNetwork(arrays, about["words"], about["affixes"], about["layers"])
        self._grammar = CaptionGrammar(self.tags, self.relations, about["closed"], about["words"][: about["frequent"]])
        arcs = np.unpackbits(arrays["arcs"]).reshape(64, 2, 64, 64)
        own = self._grammar
        self._tables = (arrays["grammar"], own.tag_class, own.marks, arrays["siblings"], arrays["states"], arcs)

    @staticmethod
    @cache
    def load() -> Parser:
        """Return the parser that ships."""
        return Parser(files("vericap") / "data" / "parser")

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Sentence]:
        """Return the trees of sentences, given as lists of between 1 and `MAX_WORDS` words."""
        return self.parse_each(sentences, lambda sentence: sentence)

    def parse_each(
        self, sentences: Sequence[Sequence[str]], use: Callable[[Sentence], Answer], workers: int = 1
    ) -> list[Answer]:
        """Apply `use` to each parse tree, with batches split over `workers` processes."""
        self._network.learn_words(sentences)
        batches = list(batches_by_length(sentences))
        if len(sentences) < _MANY:
            workers = 1
        work = partial(self._parse_batch, sentences, use)
        found: dict[int, Answer] = {}
        # BLAS has its own threads, which wait in busy loops: with other work on the machine they cost four times
        # the processor time of one thread per batch.
        with one_blas_thread():
            for batch, answers in zip(batches, in_processes(work, batches, workers), strict=True):
                found.update(zip(batch, answers, strict=True))
        return [found[i] for i in range(len(sentences))]

    def _parse_batch(
        self, every: Sequence[Sequence[str]], use: Callable[[Sentence], Answer], batch: list[int]
    ) -> list[Answer]:
        """Apply `use` to the trees of some sentences, which are sorted by length, the longest first."""
        sentences, found = [every[i] for i in batch], []
        grammar, root = Grammar(*self._tables), self.relations.index("root")
        closed, known = self._grammar.word_numbers([word for words in sentences for word in words])
        left, at = iter(sentences), 0
        for scores in self._network.scores(sentences):
            for i, c in enumerate(candidates(scores, root, self.about["scales"])):
                words = next(left)
                part = slice(at, at + len(words))
                given = (c.tags, c.heads, c.start, c.head_scores, c.relations)
                tree = grammar.best_tree(*given, closed[part], known[part])
                if tree is None:  # the likeliest candidates make no tree: take that of the network alone
                    tree = _without_grammar(scores, i, root)
                tag_numbers, heads, labels = tree.tolist()
                tags = [self.tags[tag] for tag in tag_numbers]
                lemmas = list(map(self.lemmatizer.lemma, words, tags))
                heads, relations = lower_prepositions(heads, [self.relations[label] for label in labels])
                found.append(use(Sentence(words, tags, lemmas, [head - 1 for head in heads], relations)))
                at += len(words)
        return found


def _without_grammar(scores: TreeScores, sentence: int, root: int) -> NDArray[np.int32]:
    """Return tags, heads and relations by the network alone; array [3, words]."""
    # Rounded, so that sums are exact.
    heads = projective_heads(np.rint(scores.heads[sentence][None] * 2.0**20))[0]
    word = np.arange(len(heads))
    relations = scores.relations(np.full(len(heads), sentence), word, heads.astype(np.intp))
    relations[:, root] = np.where(heads == 0, np.inf, -np.inf)
    return np.stack([scores.tags[sentence].argmax(axis=1), heads, relations.argmax(axis=1)]).astype(np.int32)


def batches_by_length(sentences: Sequence[Sequence[str]]) -> Iterator[list[int]]:
    """Yield batches of indices of sentences, the longest first, with up to 2,048 words each.

    >>> list(batches_by_length([["a"], ["a", "dog"], ["a", "cat"], ["a"]]))
    [[1, 2, 0, 3]]
    """
    batch: list[int] = []
    words = 0
    for i in sorted(range(len(sentences)), key=lambda i: -len(sentences[i])):
        if words and words + len(sentences[i]) + 1 > _BATCH_WORDS:
            yield batch
            batch, words = [], 0
        batch.append(i)
        words += len(sentences[i]) + 1
    if batch:
        yield batch
