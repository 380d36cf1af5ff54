"""SPICE (Anderson et al. 2016): the F-score of a caption's propositions — objects, attributes, relations — against
those of its references."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Floats, gather
from vericap.engine.local import in_processes
from vericap.metrics.base import Metric, Parameter
from vericap.options.declared import option
from vericap.results.explanation import Explanation, Part
from vericap.scene.caption_graphs import TREE_PARSERS, caption_propositions, default_parser
from vericap.scene.graph import Concept, GraphTuple, SceneGraph, matched
from vericap.scene.parses import parses_of, stands_on
from vericap.scene.stanford.installed import INSTALL
from vericap.scene.synsets import synset_lookup
from vericap.views import Facts, View, Views
from vericap.views.graphs import Graphs

if TYPE_CHECKING:
    from vericap.views.batch import IndexedBatch

_CARDINALS = frozenset("one two three four five six seven eight nine ten".split())
_COLORS = frozenset(
    "black brown blue red yellow pink gray grey green dark light white cream orange purple maroon beige violet".split()
)
_SIZES = frozenset(
    "baby beefy big bony boundless brawny broad bulky chunky colossal compact corpulent cosmic cubby curvy elfin "
    "emaciated endless enormous epic expansive extensive fat fleshy full-size gargantuan gaunt giant gigantic grand "
    "great heavy hefty huge hulking illimitable immeasurable immense infinitesimal lanky large lean life-size "
    "limitless little mammoth massive meager measly microscopic mini miniature minuscule minute narrow obese outsized "
    "oversize overweight paltry petite pint-size plump pocket-size portly pudgy puny rotund scanty scraggy scrawny "
    "short sizable skeletal skimpy skinny slender slim small squat stocky stout strapping sturdy tall teensy teeny "
    "teeny-tiny teeny-weeny thick thickset thin tiny titanic towering trifling trim tubby undersized underweight "
    "unlimited vast wee whopping wide".split()
)


# Which tuples each sub-score counts: those of a size, and attributes from a list of words.
SIZES = {"object": 1, "relation": 3, "attribute": 2}
ATTRIBUTES = {"color": _COLORS, "cardinality": _CARDINALS, "size": _SIZES}
_PART = {word: part for part, words in ATTRIBUTES.items() for word in words}  # no word is in two lists
PARTS = (*SIZES, *ATTRIBUTES)
_PLACE = {part: 3 * number for number, part in enumerate(("all", *PARTS))}  # of the first of its three columns
KEPT_IMAGES = 20_000  # tuples of about 5 KB each; an image beyond that is parsed again whenever it comes up
_IMAGES = 500  # compared before a process takes the next ones; fewer do not pay a second process


AUTO = "auto"
NOT_EXACT = (
    "the grammar of SPICE's own parser is not installed, so Vericap's is used: corpus SPICE is within .002 of the "
    f"original's, and scores of captions differ (docs/spice.md); for the original's digits: {INSTALL}"
)


class GraphMetric(Metric):
    """The common base of metrics that compare scene graphs: those of `parser`, which may need a `source`."""

    parser: str
    source: str

    @cached_property
    def graphs(self) -> Graphs:
        """The scene graphs that it compares. Once it is chosen, the parser goes along to other processes: one that has
        no grammar does not take another parser."""
        return Graphs(default_parser() if self.parser == AUTO else self.parser, self.source)

    def check(self, views: Facts) -> None:
        super().check(views)
        self.graphs.check(self.key)
        if self.graphs.parser in TREE_PARSERS:
            fix = f"bring graphs of your own: {self.name}(parser=graphs,source=FILE), or leave the metric out"
            self.require_english(views, "parses English", fix)
        if self.parser == AUTO and self.graphs.parser == "vericap":
            views.note(NOT_EXACT)

    def knows(self, language: str) -> bool:
        return self.graphs.parser in TREE_PARSERS and super().knows(language)


@dataclass(frozen=True)
class Spice(GraphMetric):
    r"""SPICE, with $T(G(c))$ the tuples of the candidate's scene graph, $T(G(S))$ those of all its references
    together, and $\otimes$ the candidate's tuples that agree, position by position, in a word or a WordNet synset.

    $$ P = \frac{|T(G(c)) \otimes T(G(S))|}{|T(G(c))|}, \quad R = \frac{|T(G(c)) \otimes T(G(S))|}{|T(G(S))|}, \quad
       \mathrm{SPICE} = \frac{2 P R}{P + R} $$

    Statistics [captions, 3 × 7]: tuples matched, of the candidate, of the references; for all tuples, then for
    object, relation, attribute, color, cardinality, size (`parts` scores these). The corpus score is the mean.

    `parser` is `stanford` (SPICE's own, which gives the original's numbers; its grammar is a package of its own),
    `vericap` (the one that ships, and faster), `factual` (`source`: the folder of a FACTUAL Flan-T5 checkpoint) or
    `graphs` (`source`: a JSON file with a graph for each caption). `auto` is `stanford` where its grammar is installed,
    else `vericap`; the signature says which.

    >>> from vericap.corpus import Corpus
    >>> views = Views(Corpus.from_lists(["a young girl on a court"], [["a girl stands on a tennis court"]]),
    ...               tokenizer="whitespace")
    >>> spice = Spice()
    >>> spice.statistics(views)[0, :3].tolist(), spice.score(spice.statistics(views)).round(4).tolist()
    ([2.0, 4.0, 4.0], [0.5])
    """

    parser: str = option(AUTO, "Parser of captions: auto, stanford, vericap, factual or graphs.")
    source: str = option("", "Folder of the FACTUAL model, or JSON file of graphs.")

    name: ClassVar[str] = "spice"
    paper_name: ClassVar[str] = "SPICE"
    summary: ClassVar[str] = "objects, attributes and relations shared with the references"
    question: ClassVar = "adequacy"
    languages: ClassVar[tuple[str, ...]] = ("en",)
    citation: ClassVar[str] = (
        "Anderson, Fernando, Johnson, Gould. SPICE: semantic propositional image caption evaluation. ECCV 2016."
    )

    part: ClassVar[str] = "all"
    synonyms: ClassVar[bool] = True

    def statistics(self, views: Views) -> Floats:
        return views.get(TupleCounts(self.graphs, self.synonyms))

    def score(self, statistics: Floats) -> Floats:
        return f_score(statistics, self.part)

    def parts(self, statistics: Floats) -> dict[str, dict[str, Floats]]:
        """Return F, precision and recall of all tuples and of each kind, arrays [captions]; NaN where undefined."""
        found = {}
        for part in _PLACE:
            hits, given, wanted = counts_of(statistics, part)
            shares = {"precision": hits / np.maximum(given, 1), "recall": hits / np.maximum(wanted, 1)}
            defined = (wanted > 0) | (part == "all")
            found[part] = {"f": f_score(statistics, part)}
            found[part] |= {name: np.where(defined, share, np.nan) for name, share in shares.items()}
        return found

    def details(self, statistics: Floats) -> dict[str, Any]:
        """Return means over the captions for which they are defined; None where there is no such caption."""
        chosen = self.parts(statistics) if self.part == "all" else {self.part: self.parts(statistics)[self.part]}
        found = {}
        for part, numbers in chosen.items():
            defined = {name: column[~np.isnan(column)] for name, column in numbers.items()}
            found[part] = {name: float(column.mean()) if len(column) else None for name, column in defined.items()}
        return found

    def signature_parts(self, views: Facts) -> dict[str, Parameter]:
        return {"parser": self.graphs.signed}

    def explain(self, views: Views, i: int) -> Explanation:
        statistics = self.statistics(views)[i : i + 1]
        candidates, references = views.get(self.graphs)
        first, last = views.corpus.reference_offsets[views.corpus.image[i] :][:2]
        wanted = references[first:last]
        synsets = synset_lookup([candidates[i], *wanted]) if self.synonyms else None
        against = SceneGraph.of(chain.from_iterable(wanted), synsets).tuples()
        told = [(t, matched(t, against)) for t in SceneGraph.of(candidates[i], synsets).tuples()]
        parts = self.parts(statistics)
        values: dict[str, float | int | str] = {
            part: "undefined: no such reference tuple" if np.isnan(numbers["f"][0]) else float(numbers["f"][0])
            for part, numbers in parts.items()
        }
        values |= {name: float(parts["all"][name][0]) for name in ("precision", "recall")}
        values["parser"] = self.graphs.signed
        parser, words = self.graphs.parser, views.words
        parses = parses_of(words.spell(words.captions[i]), parser) if parser in TREE_PARSERS else []
        used = {id(found) for _, found in told if found is not None}
        sections = {
            "the caption says": [
                Part(_spell(t), {"true": "yes", "matches": _spell(found)} if found else {"true": "no"})
                for t, found in told
            ],
            "the references say besides": [Part(_spell(t)) for t in against if id(t) not in used],
        }
        if parses:
            phrases = [(t, stands_on(t, parses)) for t, _ in told if len(t) > 1]
            sections["on this parse"] = [Part(f"{_spell(t)}: {phrase}") for t, phrase in phrases if phrase]
        return self.explanation(views, i, self.score(statistics)[0], values, sections)


@dataclass(frozen=True)
class SpiceExact(Spice):
    """SPICE without synonyms: words must be equal, nothing is merged."""

    name: ClassVar[str] = "spice-exact"
    paper_name: ClassVar[str] = "SPICE-exact"
    summary: ClassVar[str] = "SPICE without synonyms"
    synonyms: ClassVar[bool] = False


def _sub_score(part: str, things: str, thing: str) -> type[Spice]:
    """Return the class of a sub-score, which counts tuples of one part."""
    facts = {
        "__doc__": f"SPICE of {things} alone; undefined (NaN) without {thing} in the references.",
        "__module__": __name__,
        "name": f"spice.{part}",
        "paper_name": f"SPICE {part}",
        "summary": f"SPICE of {things} alone",
        "part": part,
    }
    return dataclass(frozen=True)(type(f"Spice{part.capitalize()}", (Spice,), facts))


SpiceObject = _sub_score("object", "objects", "an object")
SpiceRelation = _sub_score("relation", "relations", "a relation")
SpiceAttribute = _sub_score("attribute", "attributes", "an attribute")
SpiceColor = _sub_score("color", "colours", "a colour")
SpiceCardinality = _sub_score("cardinality", "numbers", "a number")
SpiceSize = _sub_score("size", "sizes", "a size")


@dataclass(frozen=True)
class TupleCounts(View[Floats]):
    """The statistics of SPICE, which its sub-scores share."""

    graphs: Graphs
    synonyms: bool

    def compute(self, views: Views) -> Floats:
        candidates, references = views.get(self.graphs)
        offsets = views.corpus.reference_offsets.tolist()
        synsets = synset_lookup(chain(candidates, references)) if self.synonyms else None

        def count(images: Sequence[list[int]]) -> Floats:
            counts = []
            for rows in images:
                first = int(views.corpus.image[rows[0]])
                said = chain.from_iterable(references[offsets[first] : offsets[first + 1]])
                wanted = SceneGraph.of(said, synsets).tuples()
                counts += [count_tuples(SceneGraph.of(candidates[row], synsets).tuples(), wanted) for row in rows]
            return np.array(counts)

        # The rows of an image stay together, so that the graph of its references is made once.
        images = rows_by_image(views.corpus.image)
        parts = [images[at : at + _IMAGES] for at in range(0, len(images), _IMAGES)]
        counted = in_processes(count, parts, views.workers if len(parts) > 1 else 1)
        found = np.zeros((len(candidates), 3 * len(_PLACE)))
        for part, counts in zip(parts, counted, strict=True):
            found[list(chain.from_iterable(part))] = counts
        return found

    def from_index(self, batch: IndexedBatch, views: Views) -> Floats:
        """The references of an image are parsed when it first comes up, and its tuples are kept."""
        parser = self.graphs.parser
        if parser not in TREE_PARSERS:
            return self.compute(views)  # graphs of other parsers are looked up anyway
        words, offsets = views.words, views.corpus.reference_offsets
        known: dict[int, list[GraphTuple]] = batch.index.kept.setdefault(self, {})
        images = batch.images.tolist()
        new = [place for place, image in enumerate(images) if image not in known]
        rows, ends = gather(offsets, np.array(new, np.int64))
        # One call for both: the parser takes sentences of like length together.
        spelled = [words.spell(ids) for ids in chain(words.candidates, words.references.take(rows))]
        parsed = caption_propositions(spelled, os.cpu_count() or 1, parser, views.whole.graph_folder)
        candidates, references = parsed[: len(views.corpus)], parsed[len(views.corpus) :]
        synsets = synset_lookup(parsed) if self.synonyms else None
        made = {}
        for place, (first, last) in zip(new, pairwise(ends.tolist()), strict=True):
            made[place] = SceneGraph.of(chain.from_iterable(references[first:last]), synsets).tuples()
            if len(known) < KEPT_IMAGES:
                known[images[place]] = made[place]
        against = [made[place] if place in made else known[image] for place, image in enumerate(images)]
        counted = [
            count_tuples(SceneGraph.of(propositions, synsets).tuples(), against[image])
            for propositions, image in zip(candidates, views.corpus.image.tolist(), strict=True)
        ]
        return np.array(counted, np.float64).reshape(len(views.corpus), -1)


def rows_by_image(image: NDArray[np.integer]) -> list[list[int]]:
    """Return the rows of each image that has any.

    >>> rows_by_image(np.array([2, 0, 2]))
    [[1], [0, 2]]
    """
    order = np.argsort(image, kind="stable")
    starts = np.flatnonzero(np.diff(image[order])) + 1
    return [rows.tolist() for rows in np.split(order, starts) if len(rows)]


def f_score(statistics: Floats, part: str) -> Floats:
    """Return 2 · matched / (candidate + reference tuples), which is 2PR / (P + R); 0 without matches.

    A sub-score without reference tuples is NaN.
    """
    hits, given, wanted = counts_of(statistics, part)
    score = 2 * hits / np.maximum(given + wanted, 1)
    return score if part == "all" else np.where(wanted > 0, score, np.nan)


def counts_of(statistics: Floats, part: str) -> Floats:
    """Return the tuples of a part that matched, of the candidate and of the references, array [3, captions]."""
    return statistics[:, _PLACE[part] : _PLACE[part] + 3].T


def count_tuples(candidate: Sequence[GraphTuple], reference: Sequence[GraphTuple]) -> list[float]:
    """Return matched, candidate and reference tuples of all kinds, then of each part."""
    # The references' tuples by the object they begin with; each object of the candidate meets each of theirs once.
    said: dict[Concept, list[GraphTuple]] = {}
    for t in reference:
        said.setdefault(t[0], []).append(t)
    alike: dict[Concept, list[GraphTuple]] = {}
    hits, given, wanted = [0] * 4, [0] * 4, [0] * 4
    for t in reference:
        wanted[len(t)] += 1
    for t in candidate:
        first, size = t[0], len(t)
        if first not in alike:
            alike[first] = [r for other, tuples in said.items() if first.matches(other) for r in tuples]
        given[size] += 1
        hits[size] += any(
            len(r) == size and (size == 1 or (t[1].matches(r[1]) and (size == 2 or t[2].matches(r[2]))))
            for r in alike[first]
        )
    counts: list[float] = [sum(hits), len(candidate), len(reference)]
    for size in SIZES.values():
        counts += [hits[size], given[size], wanted[size]]
    # Attributes by the list that their word is in; a merged one ("big/large") is in none, as in the original.
    asked: dict[str, list[GraphTuple]] = {}
    told: dict[str, list[GraphTuple]] = {}
    for tuples, listed in ((candidate, asked), (reference, told)):
        for t in tuples:
            if len(t) == 2 and len(t[1].words) == 1 and t[1].words[0] in _PART:
                listed.setdefault(_PART[t[1].words[0]], []).append(t)
    for part in ATTRIBUTES:
        ours, theirs = asked.get(part, ()), told.get(part, ())
        counts += [sum(matched(t, theirs) is not None for t in ours), len(ours), len(theirs)]
    return counts


def _spell(concepts: Iterable[Concept]) -> str:
    return " – ".join(map(str, concepts))
