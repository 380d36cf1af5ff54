"""Document frequencies of a stream's own references: a pass over all of them before anything is scored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import islice, tee

import numpy as np

from vericap.arrays import Ragged, rows_of
from vericap.corpus import ImageId
from vericap.corpus.references import References
from vericap.engine import Engine, run_in_order
from vericap.errors import InputError
from vericap.lexicon.frequencies import DocumentFrequencies
from vericap.lexicon.trie import NGramTrie, count_documents, merge_tries, prune
from vericap.streaming.job import Job
from vericap.text.vocabulary import split_at_white_space

ROWS = 50_000  # counted at once: more rows have fewer n-grams in total, and need more memory
TRIES = 8  # added up at once

# What is done, and how much of it.
Tell = Callable[[str, int, float], None]


def count_frequencies(job: Job, order: int, batch_size: int, engine: Engine, tell: Tell) -> DocumentFrequencies:
    """The document frequencies that the whole would count: of the references of all rows that are scored.

    N-grams of one document are left out at the end: idf takes max(1, df).
    """
    job = replace(job, metrics=(), frequencies=None)
    if job.references is not None:
        return _of_references(job, job.references, order, batch_size, engine, tell)
    tries: list[list[NGramTrie]] = []  # tries[k] hold about TRIES ** k groups each
    documents = rows = 0
    share = 0.0
    spans, size = job.shards.spans(batch_size), max(ROWS // batch_size, 1)
    groups, passed = tee(iter(lambda: tuple(islice(spans, size)), ()))
    answers = run_in_order(partial(job.count, order=order), groups, engine)
    for (arrays, counted), done in zip(answers, passed, strict=True):
        documents += counted
        _add(tries, NGramTrie(arrays, order))
        rows, share = rows + sum(span.rows for span in done), share + sum(span.share for span in done)
        tell("counting document frequencies", rows, share)
    left = [trie for level in tries for trie in level]
    if not left:
        raise InputError("there is no row to score", fix="check the input")
    return DocumentFrequencies(prune(merge_tries(left), 2), documents, job.tokenizer, job.language, "corpus")


def _add(tries: list[list[NGramTrie]], trie: NGramTrie) -> None:
    """Takes in a trie; as soon as there are TRIES of about one size, they become one of the next size."""
    for level in range(len(tries) + 1):
        if level == len(tries):
            tries.append([])
        tries[level].append(trie)
        if len(tries[level]) < TRIES:
            return
        trie = merge_tries(tries[level])
        tries[level] = []


def _of_references(
    job: Job, references: References, order: int, batch_size: int, engine: Engine, tell: Tell
) -> DocumentFrequencies:
    """The documents are the images that the rows describe, not those of the set that no row describes."""
    used = np.zeros(references.images, bool)
    rows, share = 0, 0.0
    spans, passed = tee(job.shards.spans(batch_size))
    without: set[ImageId] = set()  # an image that is scored without references is a document too, an empty one
    for (described, unknown), done in zip(run_in_order(job.images, spans, engine), passed, strict=True):
        used[described] = True
        without |= unknown
        rows, share = rows + done.rows, share + done.share
        tell("looking for images", rows, share)
    images = np.flatnonzero(used)
    if not len(images):
        raise InputError("no row describes an image of the references", source=references.source, fix="check the ids")
    places, offsets = references.places(images)
    tokens, words = split_at_white_space(references.tokens.take(places), list(references.word_numbers))
    document = rows_of(np.diff(offsets))
    trie = count_documents(Ragged(tokens.values, tokens.offsets), document, words, order=order, least=2)
    return DocumentFrequencies(trie, len(images) + len(without), job.tokenizer, job.language, "corpus")
