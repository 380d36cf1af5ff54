"""Each metric in one line, and the three questions that a caption is asked."""

from __future__ import annotations

from inspect import getdoc

from vericap.metrics.base import Metric

QUESTIONS = {
    "fidelity": "is what it says in the picture?",
    "adequacy": "does it say what people would say?",
    "fluency": "is it well said?",
}

_SUMMARIES = {
    "bleu-1": "words that occur in a reference too",
    "bleu-2": "words and pairs of words that occur in a reference too",
    "bleu-3": "the same, up to three words in a row",
    "bleu-4": "the same, up to four words in a row",
    "bleu-unigram": "words shared with the references, short captions penalised",
    "bleu-smoothed": "BLEU-4 of a single caption, never 0 for want of one match",
    "meteor": "words aligned with a reference by form, stem, synonym, paraphrase",
    "rouge-l": "longest common sequence of words with a reference",
    "rouge-su4": "pairs of words at most four apart, and single words",
    "ter": "edits that make the caption its nearest reference, per word",
    "cider": "n-grams shared with the references, rare ones counting more",
    "cider-d": "what COCO's evaluation calls CIDEr: clipped, with a penalty of length",
    "cider-r": "CIDEr for long and for repetitive captions",
    "spice": "objects, attributes and relations shared with the references",
    "spice-exact": "the same without synonyms",
    "spice.object": "SPICE of objects alone",
    "spice.relation": "SPICE of relations alone",
    "spice.attribute": "SPICE of attributes alone",
    "spice.color": "SPICE of colours alone",
    "spice.cardinality": "SPICE of numbers alone",
    "spice.size": "SPICE of sizes alone",
    "verity": "learned: its words supported by the references, and theirs covered by it",
    "verity.fidelity": "how far the references support its words",
    "verity.adequacy": "how far it covers what the references agree on",
    "spider": "the mean of SPICE and CIDEr-D",
    "wmd": "how near its words are to those of a reference, as vectors",
    "vifidel": "how near its words are to the objects in the picture, as vectors",
    "chair-i": "share of the objects it mentions that are not in the picture",
    "chair-s": "share of the captions that mention an object not in the picture",
    "clipscore": "how near it is to the picture, as vectors of CLIP",
    "refclipscore": "how near it is to the picture and to a reference, as vectors of CLIP",
    "pacscore": "CLIPScore by a CLIP that was trained further on generated captions",
    "refpacscore": "the same, with the nearest reference",
    "mid": "how much it says of the picture, beside what references say, by CLIP",
    "sbert": "how near it is to its nearest reference, as sentence vectors",
    "bertscore": "how near its words are to those of a reference, as vectors in context",
    "soft-spice": "SPICE whose propositions match by the cosine of sentence vectors",
    "fluency": "how likely its words are, one after the other",
    "faier": "learned: its scene graph beside those of picture and references",
    "fier": "learned: its scene graph beside that of the picture",
    "aier": "learned: its scene graph beside those of the references",
}


def summary_of(key: str, metric: Metric) -> str:
    """One line: what a metric looks at; of a metric that is not known here, how its docstring begins.

    >>> from vericap.metrics import parse
    >>> summary_of("rouge-l", parse("rouge-l"))
    'longest common sequence of words with a reference'
    """
    known = _SUMMARIES.get(key.partition("(")[0])
    if known is not None:
        return known
    first = " ".join((getdoc(type(metric)) or "").split("\n\n")[0].split())
    return first.partition(". ")[0].rstrip(".")
