"""Relations of Universal Dependencies 1 (de Marneffe et al. 2014) as conditions on a prepared tree.

Each row of the tables says: in a phrase with one of these labels, a child with one of those labels depends on the
phrase's head word by the relation, if the conditions hold. Labels are read by `constituents.labels`, conditions by
`matching`. Examples stand beside the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from vericap.scene.stanford.constituents import BE, Constituent, labels
from vericap.scene.stanford.heads import GET
from vericap.scene.stanford.matching import (
    Condition,
    after_head,
    before_head,
    between_head,
    both,
    either,
    first,
    follows,
    has,
    head,
    is_first,
    just_after_head,
    just_before_head,
    just_follows,
    just_precedes,
    label,
    last,
    left_edge,
    no,
    only,
    precedes,
    reaches,
    right_edge,
    second,
    under,
    word,
)

BOTH = ("either", "neither", "both")
NOT = ("not", "n't", "nt", "never")
SELF = tuple("myself yourself himself herself itself ourselves yourselves themselves".split())
HAVE = tuple("have had has having 've ve v 'd d hvae hav as".split())
TELL = tuple("tell tells told telling".split())
SEEM = tuple(
    "seem seems seemed seeming resemble resembles resembled resembling become becomes became becoming "
    "remain remains remained remaining".split()
)
ASK = TELL + tuple(
    "ask asks asked asking know knows knew knowing specify specifies specified specifying understand understands "
    "understood understanding wonder wonders wondered wondering".split()
)
PERSUADE = TELL + tuple(
    "advise advises advised advising allow allows allowed allowing ask asks asked asking beg begs begged begging "
    "convice convinces convinced convincing demand demands demanded demanding desire desires desired desiring "
    "expect expects expected expecting encourage encourages encouraged encouraging force forces forced forcing "
    "implore implores implored imploring lobby lobbies lobbied lobbying order orders ordered ordering "
    "persuade persuades persuaded persuading pressure pressures pressured pressuring prompt prompts prompted prompting "
    "require requires required requiring urge urges urged urging".split()
)
TIME = tuple(
    f"{unit}{plural}"
    for unit in "monday tuesday wednesday thursday friday saturday sunday year month week day morning evening "
    "night".split()
    for plural in ("", "s")
) + tuple(
    "january february march april may june july august september october november december jan. feb. mar. apr. aug. "
    "sept. oct. nov. dec. today yesterday tomorrow spring summer fall autumn winter".split()
)  # fmt: skip

A_VERB = "VB*"
BE_VERB = both(label(A_VERB), word(BE))
TIME_NP = head("NN*", word(TIME))
INFINITIVE = has("VP", has("TO"))  # of an S
PARTICIPIAL = either(first("VBG VBN"), both(first("ADVP"), second("VBG VBN")))  # of a VP
_ETC = word("etc", "ect")
ETC = either(both(label("FW"), _ETC), both(label("ADVP NP"), first("FW", _ETC)))
HAS_ETC = has("FW ADVP NP", ETC)
ENDS_IN_ETC = last("FW ADVP NP", ETC)
PASSIVE = both(has(A_VERB, word(BE, GET)), has("VP", has("VBN VBD")))  # of a VP
STRANDED = either(has("SBAR"), has("S", INFINITIVE), reaches("PP", last("IN TO"), through="VP"))  # of a VP
ADVERBIAL = either(  # of an SBAR
    has("IN MWE", no(word("that", "whether"))),
    only("SINV", first("VB* MD")),
    both(has("RB IN", word("so", "now")), has("IN", word("that"))),
)
WHERE_CLAUSE = both(
    has("WHADVP WHNP", has("WRB", no(word("how"))), no(follows("but RB* ADVP"))), no(has("S", INFINITIVE))
)
AFTER_A_COMMA = just_follows(",", either(just_follows("NP+ VP"), just_follows("PP ADVP", follows("NP+"))))
THAT_CLAUSE = both(first("IN DT", word("that", "whether")), has("S", reaches("VP", through="S")))  # of an SBAR
AT_MOST = both(has("IN", word("at", "that")), has("NP"))  # of an ADVP
WITHOUT_OBJECT = has(  # of an SBAR
    "S",
    has(
        "VP",
        follows("NP+"),
        no(has("SBAR")),
        no(has(A_VERB, word(BE), no(just_precedes("VP")))),
        no(reaches("NP", through="VP")),
        no(reaches(A_VERB, word(BE), just_precedes("VP", has("VBN VBD")), through="VP")),
        no(reaches("PP", last("IN TO"), through="VP")),
    ),
)
COORDINATED = has("CC CONJP")
NOT_FIRST_CC = just_follows("CC CONJP", no(is_first))
POSSESSIVE = either(label("POS"), both(label("VBZ"), word("'s")))
WITH_NOUN = either(has("WH+"), has("PP", has("WH+")))  # of a PP
AFTER_ORDER = just_follows("NN", word("order"))
NOUN_FOLLOWS = precedes(
    "NN* NX NP+ CD JJ* FW ADJP QP RB* PRP PRN",
    over=either(label("PRP$"), both(label("POS"), no(just_precedes("''")))),
)
AN_OBJECT = either(both(no(TIME_NP), no(just_precedes("NP"))), just_precedes("NP-TMP"), just_precedes("NP", TIME_NP))
ADVERBS = "RB RBR RBS WRB ADVP WHADVP"
ADVERB = both(
    no(word(NOT)),
    no(has("FW", _ETC)),
    no(reaches("ADVP", AT_MOST, through="ADVP")),
)
PREPOSITIONS = "IN TO MWE PCONJP VBN JJ"
CONJUNCTS = "S* A* N* V* PP* PRP* J* W* R*"
PLAIN_SUBJECT = both(no(has("EX")), no(TIME_NP))
# Phrases and clauses whose conjuncts are found, and what may come before a coordinator that joins nothing.
PHRASES, CLAUSES = "ADJP PP ADVP NX WH+ UCP UCP-TMP", "VP S SBAR SBARQ SINV SQ"
PHRASE_CC = both(label("CC CONJP"), follows("but `` -LRB- PRN"))
CLAUSE_CC = both(label("CC CONJP"), follows("but `` -LRB- PRN PP ADVP RB*"))
SEPARATORS = labels(": ,")


_Nodes: TypeAlias = Callable[[Constituent], Iterable[Constituent]]


@dataclass(frozen=True)
class RelationRule:
    """One condition under which a relation holds. `among` yields the nodes in question if they are not children of the
    phrase."""

    relation: str
    phrases: str
    dependents: str
    holds: Condition
    among: _Nodes | None

    def found(self, phrase: Constituent) -> list[Constituent]:
        """Return the dependents that are not children of the phrase."""
        nodes = self.among(phrase) if self.among else ()
        return [x for x in nodes if x.label in labels(self.dependents) and self.holds(x)]


def row(
    relation: str,
    phrases: str,
    dependents: str,
    *conditions: Condition,
    among: _Nodes | None = None,
) -> RelationRule:
    return RelationRule(relation, phrases, dependents, both(*conditions), among)


def phrase(*conditions: Condition) -> Condition:
    """Conditions on the phrase itself."""
    return under("*", *conditions)


def _below_verbs(clause: Constituent) -> Iterator[Constituent]:
    for child in clause.children:
        if child.label == "VP":
            yield from child.children
            yield from _below_verbs(child)


def _in_clauses(verb: Constituent) -> Iterator[Constituent]:
    for child in verb.children:
        if child.label == "S":
            yield from child.children


def _later_sisters(phrase: Constituent) -> Iterable[Constituent]:
    return phrase.parent.children[phrase.place + 1 :] if phrase.parent else ()


def among(nodes: Callable[[Constituent], Iterable[Constituent]], *conditions: Condition) -> _Nodes:
    """Return a function that yields such nodes if the phrase meets the conditions."""
    meets = both(*conditions)
    return lambda phrase: nodes(phrase) if meets(phrase) else ()


def _is_late_conjunct(x: Constituent) -> bool:
    """ "eating , drinking and …": a coordinator between head and conjunct, or commas alone."""
    assert x.parent is not None
    sisters, at = x.parent.children, x.parent.plain_head.place
    between = range(at + 1, x.place)
    separators = [i for i in between if sisters[i].label in SEPARATORS]
    coordinators = [i for i in between if sisters[i].label in ("CC", "CONJP")]
    if any(not separators or separators[-1] < i for i in coordinators):
        return True
    if has(",", before_head)(x) and separators:
        return True
    return any(not any(c.label in ("CC", "CONJP") for c in sisters[:i]) for i in separators)


TABLE = (
    # Nouns and their modifiers
    row("det", "NP+ NAC NX X", "DT", no(word(BOTH, "no")), no(just_precedes("DT")), no(precedes("CC")), NOUN_FOLLOWS),
    row("det", "NP+", "DT", word(BOTH), no(just_precedes("DT")), no(precedes("CC")), precedes("NN* NX"),
        no(precedes("NP", has("CC")))),
    row("det", "NP+", "DT", no(word(BOTH, "no")), precedes("CC"), precedes("NN* NX")),  # a sink and tub
    row("det", "NP+", "DT", no(word("no")), no(just_precedes("DT")), no(precedes("CC")),
        precedes("JJ*", no(just_precedes("NN*")))),
    row("det", "WHNP ADVP ADJP", "DT", no(word("no")), precedes("NP* NN* CD RBS JJ*"), no(precedes("CC CONJP"))),
    row("det", "WHNP ADVP ADJP", "WDT WP", no(word("no")), precedes("NP* NN* CD RBS JJ*")),  # all alone
    row("det:predet", "WH+ NX NAC", "PDT DT", just_precedes("DT WP$ PRP$"), precedes("NN* NX"), no(precedes("CC"))),
    row("neg", "NP+ NAC NX ADJP ADVP", "DT RB", word("no"), NOUN_FOLLOWS),  # no leaves
    row("neg", "VP NP+ ADJP SQ S FRAG CONJP PP", "RB", word(NOT)),  # do not feed
    row("neg", "VP ADJP S SBAR SINV FRAG", "ADVP", head("RB", word(NOT))),
    row("amod", "NP+ NX NAC WHNP INTJ", "ADJP WHADJP JJ JJR JJS VBN VBG VBD IN", no(just_follows("CC")),
        no(has("QP", no(has("$"))))),  # small tree
    row("amod", "ADJP", "JJ NNP", phrase(no(COORDINATED), has("JJ NNP", precedes("JJ NNP")))),  # square shaped pole
    row("nummod", "N+", "CD QP", no(just_follows("CC"))),  # two dogs
    row("compound", "N+ NAC", "NP NN NNS NNP NNPS FW", no(just_follows(",")), no(right_edge(POSSESSIVE)),
        precedes("NN NNS NNP NNPS FW CD", over=label("POS"))),  # house roof
    row("compound", "N+ NAC", "NP NN* FW", phrase(head("NN*")), no(right_edge(label("POS"))),
        just_precedes("JJ JJR JJS")),  # heart shaped sun glasses
    row("compound", "QP ADJP", "CD #", no(just_follows("CC"))),  # $ 59 price
    row("nmod:poss", "N+ ADJP INTJ PRN NAC", "PRP$ WP$"),  # his phone
    row("nmod:poss", "WH+", "WHNP NP", has("POS VBZ", POSSESSIVE),
        phrase(no(has("CC CONJP", precedes("WHNP NP"))))),  # dog 's legs
    row("nmod:poss", "WH+", "WHNP NP", has("CC CONJP", precedes("WHNP NP")), has("*", has("POS"))),
    row("nmod:poss", "N+", "NN* NP*", precedes("POS", precedes("NN*"), over=label("NN* NP*"))),  # another 's face
    row("case", "WH+", "POS"),  # children 's
    row("appos", "WH+ FRAG", "NP", phrase(no(COORDINATED), no(HAS_ETC)), no(only("CD")),
        just_follows(",", follows("NP* WHNP"))),  # outfits , an ad
    row("appos", "WH+", "NP", phrase(no(COORDINATED), no(HAS_ETC)), only("NNP"),
        just_follows("NP* WHNP", no(has("POS")))),
    # Prepositions
    row("case", "PP+", PREPOSITIONS, no(just_precedes("SBAR")),
        no(just_precedes("S", no(first("VP", first("NN")))))),  # on a car
    row("case", "PP+", "VBG", is_first, phrase(no(has("PP", has("SBAR S"))))),  # including a mouse
    row("case", "PP+", "CC", is_first, phrase(second("NP"))),  # but no rider
    row("case", "ADVP", "IN"),  # sky above
    row("nmod", "N+ ADJP WHADJP ADVP WHADVP VP NAC SQ FRAG PRN X RRC", "PP+", WITH_NOUN,
        phrase(no(ENDS_IN_ETC))),  # man on skis
    row("nmod", "N+ ADJP WHADJP ADVP WHADVP VP NAC SQ FRAG PRN X RRC", "S", only("PP+"), phrase(no(ENDS_IN_ETC))),
    row("nmod", "S SINV", "PP", phrase(has("VP S")), no(has("SBAR S"))),  # at night the bus …
    row("nmod", "PP+", "PP+", no(has("SBAR S")), no(just_follows("IN VBG VBN TO"))),  # in between cones
    row("nmod", "SBAR SBARQ", "PP+", phrase(has("S SQ"))),  # through which … is
    row("nmod:npmod", "ADVP ADJP WHADJP WHADVP PP WHPP", "NP+", just_before_head,
        phrase(head("JJ JJR IN RB RBR", no(word("notwithstanding")))), no(has("NNP NNPS"))),  # each other
    row("nmod:npmod", "ADVP", "NP+", phrase(head("RB* ADVP")), after_head),  # down a river
    row("nmod:npmod", "ADJP", "NN", phrase(no(COORDINATED)), precedes("JJ*")),
    row("nmod:tmod", "VP ADJP RRC", "NP-TMP"),  # enjoy the warm day
    row("nmod:tmod", "VP ADJP RRC", "VP", head("NP-TMP"), phrase(no(has(", CC CONJP")))),
    row("nmod:tmod", "VP ADJP RRC", "NP", TIME_NP, no(just_precedes("JJ*", word("old")))),
    row("nmod:tmod", "S", "NP-TMP", phrase(has("NP")), precedes("VP")),
    row("nmod:tmod", "NP", "NP-TMP"),
    row("prep", "VP ADJP", "PP", only("IN TO")),  # has glasses on
    row("mwe", "MWE", "IN TO RB NP NN JJ VB CC VBZ VBD ADVP PP JJS RBS"),  # such as
    # Subjects and objects
    row("nsubj", "S", "NP WHNP", PLAIN_SUBJECT, precedes("VP"),
        either(phrase(no(under("VP"))), precedes("VP", no(has("TO"))))),  # dog leaps
    row("nsubj", "S", "NP", phrase(under("VP")), just_precedes("NP ADJP")),  # shaking its self dry
    row("nsubj", "SBAR", "WHNP", phrase(either(
        has("S", no(has("SBAR")), has("VP", no(follows("NP")))), both(no(has("S")), has("VP", no(follows("NP"))))
    ))),  # that is going
    row("nsubj", "S", "NP", among=among(_below_verbs, has("NP", has("EX")))),  # there are two bears
    row("nsubj", "SINV", "NP WHNP", either(
        just_follows("VP VBZ VBD VBP VB MD"), just_follows("RB ADVP", just_follows("VP VBZ VBD VBP VB MD")),
        both(is_first, no(precedes("NP+"))),
    )),  # rose bush
    row("nsubj", "SBARQ", "WHNP", phrase(has("SQ", has("VP", no(follows("NP")))))),
    row("nsubj", "SQ PRN", "NP", no(has("EX")), precedes("VP")),  # did they leave
    row("nsubj", "SQ", "NP", no(has("EX")), no(precedes("VP")),
        either(just_follows(A_VERB, word(BE)), both(just_follows(A_VERB), phrase(no(follows("NP WHNP")))))),
    row("nsubjpass", "S SQ", "NP WHNP", phrase(has("VP", PASSIVE)), no(has("EX"))),  # train is parked
    row("csubj", "S", "SBAR S", no(just_precedes(",")), precedes("VP", no(follows("NP")))),
    row("expl", "S SQ SINV", "NP", reaches("EX", through="NP")),  # there are
    row("dobj", "VP", "NP WHNP", phrase(no(has(A_VERB, word(BE, SEEM)))), AN_OBJECT,
        no(follows(":", follows("NP", after_head)))),  # holding a bat
    row("dobj", "VP", "NP WHNP", precedes("VP", has("TO")), among=_in_clauses),
    row("dobj", "SBAR", "WHNP", no(has("WRB")), phrase(has("S", has("NP"), has("VP", no(STRANDED))))),  # what he eats
    row("rel", "SBAR", "WHNP", no(has("WRB")), phrase(has("S", has("NP"), has("VP", STRANDED)))),
    row("iobj", "VP", "NP", no(has("$ PRP$ WP$")), no(TIME_NP), just_precedes("NP", no(TIME_NP))),
    # Verbs
    row("aux", "VP", "MD POS VB*", phrase(has("VP"))),  # is swimming
    row("aux", "SQ SINV", "VB* MD", precedes("VP ADJP")),
    row("auxpass", "VP", "VB* POS", word(BE, GET), phrase(has("VP ADJP", either(
        has("VBN VBD"), both(has("CC"), has("VP ADJP", has("VBN VBD")))
    )))),  # is made of
    row("auxpass", "SQ SINV", "VB* POS", word(BE), precedes("VP", has("VBD VBN"))),
    row("auxpass", "SINV", "VP", has("VB* POS", word(BE)), follows("VP", has("VBD VBN"))),
    row("cop", "VP", A_VERB, word(BE), either(
        precedes("ADJP PP UCP UCP-TMP NP WHNP", no(has("VBN VBD", no(precedes("N*"))))),
        precedes("S", only("ADJP", has("JJ"))),
    )),  # is on a car
    row("compound:prt", "VP", "PRT"),  # laying down
    row("mark", "VP", "TO", phrase(has("VP"))),  # to eat
    row("mark", "SBAR", "IN DT MWE", precedes("S FRAG")),  # as he runs
    row("mark", "PP", PREPOSITIONS, just_precedes("SBAR S")),  # of jumping
    row("advmod", "VP ADJP WHADJP S SQ SBAR SBARQ SINV RRC WH+", ADVERBS, ADVERB),  # a very clean bathroom
    row("advmod", "PP+", ADVERBS, ADVERB, either(before_head, phrase(has("WH+")))),  # up a hill
    row("advmod", "ADVP WHADVP", f"{ADVERBS} JJ", ADVERB, no(word("no")), no(between_head("CC CONJP"))),  # very fast
    row("advmod", "QP", "IN RB RBR RBS PDT DT JJ JJR JJS"),  # almost 12
    row("advmod", "SBAR", "WHNP", has("WRB")),
    row("advmod", "SBARQ", "WHADVP", is_first),
    # Clauses
    row("acl", "WH+ NX", "VP", has("VBG VBN VBD"), follows("NP+ NX")),  # stairs leading to
    row("acl", "WH+ NX", "VP", PARTICIPIAL, just_follows(",")),
    row("acl", "N+", "PP+", phrase(no(ENDS_IN_ETC)), no(has("WH+")), no(NOT_FIRST_CC),
        has("but PP+ CC CONJP PCONJP ,"), no(has("PP", first("IN RB MWE PCONJP VBN JJ", just_precedes("NP+"))))),
    row("acl", "NP+", "S", INFINITIVE, follows("NP NN NNP NNS")),  # sign to post
    row("acl", "NP+", "SBAR", has("S", INFINITIVE), follows("NP NN NNP NNS")),
    row("acl:relcl", "WH+", "SBAR", either(reaches("WHPP WHNP", through="SBAR"), only("S", no(INFINITIVE))),
        no(follows("CC CONJP", follows("WH+"))),
        among=among(_later_sisters, under("WH+"), no(follows("WH+")), no(precedes("FW ADVP NP", ETC)))),  # bus that
    row("acl:relcl", "NP", "SBAR", has("WHADVP", has("WRB", word("where", "why", "when"))),  # places where
        among=among(_later_sisters, under("NP+"), no(follows("NP")), no(precedes("FW ADVP NP", ETC)))),
    row("acl:relcl", "NP", "SBAR", follows("NP", over=label("CC")), no(has("IN", word("than", "that", "whether"))),
        no(has("WHPP WHNP WHADVP")), no(only("S", no(INFINITIVE))), WITHOUT_OBJECT),  # wave as it breaks
    row("acl:relcl", "WH+", "RRC", phrase(head("NP WHNP DT S"))),
    row("advcl", "VP", "SBAR", either(ADVERBIAL, has("SBAR", ADVERBIAL))),  # while a boarder wipes out
    row("advcl", "VP S SQ ADJP WHADJP ADVP WHADVP", "PP+", phrase(no(ENDS_IN_ETC)), no(has("WH+ CC CONJP")),
        no(only("IN TO")), no(NOT_FIRST_CC), has("but PP+ IN SINV INTJ")),  # while looking …
    row("advcl", "VP", "S", has("VP", has("VBG")), follows("VBG", over=label(":"))),  # sitting brushing
    row("advcl", "VP", "S", INFINITIVE, follows("NP"), no(follows(A_VERB, word(PERSUADE)))),  # hand to hold
    row("advcl", "VP", "SBAR", no(follows(":")), either(WHERE_CLAUSE, head("SBAR", WHERE_CLAUSE)), either(
        phrase(no(has(A_VERB, word(ASK)))), follows("SBAR S"), both(phrase(no(has(A_VERB, word(TELL)))), follows("NP"))
    )),
    row("advcl", "VP", "S", AFTER_A_COMMA, has("VP", PARTICIPIAL)),
    row("advcl", "ADVP", "SBAR", phrase(has("ADVP"))),
    row("advcl", "S SINV", "S", has("VP", either(PARTICIPIAL, first("VP", PARTICIPIAL))), either(
        just_follows(",", either(just_follows("NP+"), both(just_follows("PP"), under("*", has("NP+"))))),
        just_precedes(",", just_precedes("NP+")),
    )),
    row("xcomp", "VP", "S", INFINITIVE, no(AFTER_ORDER),
        either(no(follows("NP")), follows("VP VB*", word(PERSUADE)))),  # leaps to catch
    row("xcomp", "VP", "S", has("VP", has("VBG")), no(has("NP")), no(follows(": VBG")), no(AFTER_A_COMMA)),  # eating
    row("xcomp", "VP", "ADJP"),  # looks old
    row("xcomp", "VP", "VP", phrase(no(follows(A_VERB, word(BE)))), follows(A_VERB, word(SEEM))),
    row("xcomp", "VP", "S", phrase(no(follows(A_VERB, word(BE)))), just_follows(A_VERB),
        has("ADJP", has("JJ*"), no(follows("NP+ S")))),
    row("xcomp", "ADJP", "S", first("VP", first("TO"))),  # open to eat
    row("xcomp", "VP", "S", no(has("VP"))),  # painted red
    row("xcomp", "VP", "S", no(AFTER_ORDER), has("NP", just_precedes("NP ADJP"))),
    row("xcomp", "VP", "VP", phrase(head(A_VERB)), just_after_head, has("VB VBG")),  # smiling wearing
    row("xcomp", "VP", "NP WHNP", phrase(has(A_VERB, word(SEEM))), AN_OBJECT),  # resemble a face
    row("xcomp", "VP", "SBAR", has("S", INFINITIVE), phrase(no(under("VP", has("VB", word("be")))))),
    row("ccomp", "VP", "SBAR", has("S", has("VP")), no(follows("NP")), no(first("IN WHADVP")),
        no(both(first("ADVP RB"), second("IN WHADVP")))),
    row("ccomp", "NP+", "SBAR", phrase(has("JJ NN NNS")),
        no(both(has("S", INFINITIVE), follows("NP NN NNP NNS")))),  # helmet the batter is wearing
    row("ccomp", "VP", "S", has("VP", no(first("TO VBG VBN"))), no(follows("NP"))),
    row("ccomp", "VP", "SBAR", THAT_CLAUSE),  # whether it is done
    row("ccomp", "ADJP", "SBAR", has("S"), no(has("IN", word("as")))),  # sure is
    row("ccomp", "VP", "SBAR", has("S", has("VP")), no(follows("NP")), first("WHADVP", has("WRB", word("how")))),
    row("ccomp", "S SINV", "S SBARQ", just_precedes(", . ''"), no(just_follows("CC CONJP :")),
        no(just_follows(",", just_follows("CC CONJP"))),
        no(has("VP", either(has("TO VBG VBN"), first("VP", PARTICIPIAL)))),
        no(follows("S", no(precedes("CC CONJP"))))),
    row("parataxis", "S FRAG VP", "S*", just_follows(":"), phrase(no(has("CC CONJP", no(is_first))))),
    row("parataxis", "S FRAG", "S SBARQ SQ FRAG", follows(
        "S SBARQ SQ FRAG", no(has("CC CONJP MWE")), no(precedes("CC CONJP MWE")), no(precedes(":", word(";")))
    )),
    # Coordination, punctuation, interjections
    row("cc", "*", "CC", no(word(BOTH))),
    row("cc", "*", "CONJP", no(has("RB", word("not"), just_precedes("RB JJ", word("only", "just", "merely"))))),
    row("cc:preconj", "NP+ NX S VP ADJP PP ADVP UCP SBAR", "PDT CC DT", word(BOTH), precedes("CC")),
    row("conj", f"{PHRASES} QP", "but PUN", just_follows("CC CONJP", PHRASE_CC)),  # man and woman
    row("conj", f"{PHRASES} QP", "FW ADVP NP", ETC),
    row("conj", f"{CLAUSES} RRC", "but PUN SBAR",
        just_follows("CC CONJP", follows("but `` -LRB- PRN PP ADVP RB* MWE"))),  # wearing … and eating
    row("conj", PHRASES, CONJUNCTS, just_follows("PUN"),
        phrase(either(has("CC CONJP", PHRASE_CC), HAS_ETC))),  # a car , a bus and …
    row("conj", CLAUSES, CONJUNCTS, just_follows("PUN"), phrase(has("CC CONJP", CLAUSE_CC)), _is_late_conjunct),
    row("conj", "PCONJP", "IN TO", just_follows("CC")),  # before and after
    row("conj", f"{CLAUSES} RRC", "but PUN", just_follows("ADVP", just_follows("CC CONJP", CLAUSE_CC))),
    row("conj", "ADJP PP QP ADVP NX WH+ UCP UCP-TMP VP S SBAR SBARQ SINV", "but PUN",
        just_follows("CC CONJP", follows("CC"))),
    row("punct", "*", ". : , '' `` -LRB- -RRB-"),
    row("discourse", "*", "INTJ"),
    row("discourse", "*", "PRN", first(", -LRB-"), second("INTJ"),
        lambda x: len(x.children) == 2 or x.children[2].label in (",", "-RRB-")),
)  # fmt: skip


# Constructions that are rare in captions: questions, quotations, parentheses, amounts of money.
RARE = (
    row("aux", "SINV", "VP", has("VB* POS", word(BE)), follows("VP", has("VBG"))),
    row("auxpass", "SINV", "VP", has("VP", has("VB* POS", word(BE))), follows("VP", has("VBD VBN"))),
    row("cop", "SQ SINV", A_VERB, word(BE), either(
        precedes("ADJP", no(has("VBN VBD"))), precedes("NP", precedes("NP")), precedes("S", only("ADJP", has("JJ")))
    )),
    row("cop", "SBARQ", A_VERB, word(BE), phrase(has("WHNP", has("WP")))),
    row("cop", "SINV", "VP", has(A_VERB, word(BE)), phrase(head("NP")), follows("NP", after_head)),
    row("conj", "SBAR", "SBAR", just_follows("CC CONJP", follows("SBAR"))),
    row("conj", PHRASES, "but PUN", just_follows("ADVP", just_follows("CC CONJP", PHRASE_CC))),
    row("conj", "NX", CONJUNCTS, just_precedes(","), phrase(either(has("CC CONJP", no(is_first)), has("FW", _ETC)))),
    row("nsubj", "S", "NP WHNP", no(has("EX")), TIME_NP, precedes("VP"), no(precedes("NP"))),
    row("nsubj", "SQ", "NP", no(has("EX")), no(precedes("VP")), just_follows("RB", just_follows(A_VERB))),
    row("nsubj", "SQ", "NP", follows("NP", has("EX"))),
    row("nsubj", "SINV", "NP", follows("NP"), precedes("VP", has(A_VERB, word(BE)))),
    row("nsubj", "SBARQ", "WHNP",
        phrase(has("SQ", has(A_VERB, no(word(BE)), no(follows("NP")), no(precedes("VP")))))),
    row("nsubj", "SBARQ", "SQ", has(A_VERB, word(BE)), no(has("VP"))),
    row("nsubj", "SBARQ", "NP", phrase(has(A_VERB, word(BE)), has("WHNP", has("WP")))),
    row("nsubj", "SBARQ", "WHNP", precedes(A_VERB, word(BE), precedes("ADJP", over=label("NP")))),
    row("nsubj", "SBARQ", "WHNP", is_first, phrase(has("SQ", has(A_VERB, word(BE)), either(
        has("PP"), has("NP", has("EX"))
    )))),
    row("csubjpass", "S", "SBAR S", no(just_precedes(",")),
        precedes("VP", no(follows("NP")), either(PASSIVE, reaches("VP", PASSIVE, through="VP")))),
    row("dobj", "SQ", "NP WHNP", AN_OBJECT,
        phrase(follows("WHNP"), no(has("VP")), has(A_VERB), no(has(A_VERB, word(BE))))),
    row("dobj", "SBARQ", "WHNP", no(has("WRB")), no(TIME_NP), phrase(reaches(
        "VP", follows("NP"), no(has("NP TO")), no(has("S", INFINITIVE)), no(has("PP", only("IN TO"))),
        no(has(A_VERB, word(BE), precedes("VP", has("VBN VBD")))), through="SQ SINV S VP",
    ))),  # what is the man doing
    row("dobj", "SBARQ", "WHNP",
        precedes(A_VERB, word(BE), precedes("NP", precedes("ADJP", no(has("PP", no(has("NP")))))))),
    row("iobj", "VP", "NP", no(has("$ PRP$ WP$")), no(precedes("CC CONJP , :")), no(follows("CC CONJP ,")), precedes(
        "NP", no(only("PRP", word(SELF))), no(only("DT")), no(has("NN*", word(TIME, "lot")))
    ), among=lambda verb: (x for noun in verb.children if noun.label == "NP" for x in noun.children)),
    row("nmod", "NP+", "UCP UCP-TMP PRN", head("PP")),
    row("nmod", "SBARQ", "WHNP",
        either(precedes("VP", has("PP", only("IN"))), precedes("SQ", has("VP", has("PP", only("IN")))))),
    row("ccomp", "VP", "SBAR", COORDINATED, has("SBAR", THAT_CLAUSE)),
    row("ccomp", "VP", "SBAR", phrase(has(A_VERB, word(TELL))), has("S", has("VP")), follows("NP"),
        no(first("IN WHADVP")), no(both(first("ADVP RB"), second("IN WHADVP")))),
    row("ccomp", "VP", "SBARQ"),
    row("ccomp", "VP", "S", phrase(has(A_VERB, word(HAVE))), has("NP+"), has("VP")),
    row("ccomp", "VP", "SBAR", phrase(has(A_VERB, word(ASK))), no(follows("SBAR S :")),
        either(phrase(has(A_VERB, word(TELL))), no(follows("NP"))), either(WHERE_CLAUSE, head("SBAR", WHERE_CLAUSE))),
    row("ccomp", "ADVP", "SBAR",
        either(has("WHNP"), both(has("IN", word("as", "that")), has("S", has("VP", no(has("TO"))))))),
    row("ccomp", "S", "SBAR", is_first, first("IN", word("that", "whether")), no(just_precedes("VP"))),
    row("xcomp", "VP", "S", phrase(under("VP")), only("NP"), no(AFTER_ORDER)),
    row("xcomp", "VP", "NP", phrase(follows(A_VERB, word(BE)), has(A_VERB, word(SEEM)))),
    row("rel", "SBARQ", "WHNP", no(has("WRB")), no(TIME_NP),
        phrase(reaches(A_VERB, word(BE), no(precedes("VP")), through="SQ SINV"))),
    row("mark", "SBAR", "IN DT", word("that", "whether"), phrase(either(
        follows(A_VERB), just_follows("NP NN NNS"), under("ADJP PP"),
        under("NP+ UCP UCP-TMP SBAR", COORDINATED, follows(A_VERB)),
    ))),
    row("advcl", "S SQ SINV", "SBAR", first("IN MWE", no(word("that", "whether"))),
        no(just_precedes("NN", word("order"))),
        either(both(no(follows("but CC CONJP `` , INTJ PP")), no(just_precedes("VP"))),
               just_precedes(",", precedes("NP+")))),
    row("advcl", "SBARQ", "SBAR", first("IN MWE", no(word("that", "whether"))),
        just_precedes(",", precedes("SQ S SBARQ"))),
    row("advcl", "S SQ", "SBAR", no(follows(":")), either(WHERE_CLAUSE, head("SBAR", WHERE_CLAUSE))),
    row("advcl", "S", "SBAR", precedes("NP+"), precedes("VP")),
    row("advcl", "S", "S", INFINITIVE, just_precedes(",", precedes("NP+"))),
    row("advcl", "NP", "SBAR", follows("NP", over=label("CC")), has("IN MWE", word("than")),
        no(has("WHPP WHNP WHADVP")), no(only("S", no(INFINITIVE))), WITHOUT_OBJECT),
    row("advcl", "SBARQ", "S", phrase(has("WHNP")), has("VP", first("TO"))),
    row("nmod:tmod", "PP", "NP-TMP", just_follows("NP+", follows("IN TO VBG FW"))),
    row("nmod:tmod", "PP", "NP", TIME_NP, just_follows("NP+", follows("IN TO VBG FW"))),
    row("nmod:tmod", "S", "NP", TIME_NP, precedes("NP", precedes("VP"))),
    row("nmod:tmod", "SBARQ", "WHNP", TIME_NP, phrase(has("SQ", has("NP+")))),
    row("acl:relcl", "ADVP", "SBAR",
        phrase(has("ADVP", has("RB", word("where", "anywhere", "everywhere", "somewhere"))))),
    row("nummod", "N+", "ADJP", only("QP", no(has("$")))),
    row("nummod", "QP", "QP", phrase(has("$"))),
    row("amod", "WH+", "NP", phrase(no(COORDINATED)), only("CD"), just_follows(",", follows("NP* WHNP"))),
    row("compound", "ADJP ADVP", "FW", no(_ETC)),
    row("compound", "ADJP ADVP", "IN", word("in"), just_precedes("FW")),
    row("appos", "WH+ FRAG", "PRN", has("NP", has("NN* CD"), follows("-LRB-"), just_precedes("-RRB-"))),
    row("appos", "WH+", "NP", phrase(no(COORDINATED)), first("-LRB-"), last("-RRB-"), no(only("CD")),
        follows("NP* WHNP")),
    row("appos", "FRAG NP", "S SQ", just_follows(":", just_follows("NP", only("NN NNS")))),
    row("advmod", "QP", "MWE", has("JJR RBR IN", word("more", "less")), has("IN", word("than"))),
    row("advmod", "CONJP", "RB", no(word(NOT))),
    row("det", "NP+", "NP DT RB", phrase(left_edge(label("PRP"))), no(precedes("*")),
        right_edge(word("all", "both", "each"))),
    row("det", "WHNP", "WHNP", has("WDT"), precedes("NP")),
    row("det", "NP+", "WDT WP", precedes("NP* NN* CD RBS")),
    row("det:predet", "WH+", "PDT DT", phrase(no(precedes("CC"))), just_precedes("DT"),
        precedes("JJ*", no(just_precedes("NN*")))),
    row("det:predet", "WH+", "PDT", phrase(last("DT"))),
    row("cc:preconj", "NP+ NX S VP ADJP PP ADVP UCP SBAR", "CONJP", has("RB", word("not")),
        has("RB JJ", word("only", "merely", "just")), precedes("CC CONJP")),
    row("case", "WH+", "VBZ", word("'s")),
    row("compound:prt", "ADJP", "RP", phrase(has(A_VERB))),
    row("nmod:npmod", "WH+", "NP PRP", either(only("PRP", word(SELF)), word(SELF)),
        follows("NP NN* PRP", over=label(", CC CONJP"))),
    row("nmod:npmod", "NP+ ADVP QP", "ADVP", AT_MOST),
    row("parataxis", "VP", "PRN", has("S SINV SBAR")),
    row("parataxis", "VP", "PRN", either(has("S SINV SBAR"), both(has("VP"), has("NP+"))),
        among=lambda verb: verb.parent.children if verb.parent else ()),
)  # fmt: skip


def _index() -> tuple[dict[str, dict[str, tuple[tuple[str, Condition], ...]]], dict[str, list[RelationRule]]]:
    """Return the rows by labels of phrase and child, and those that look beyond children by label of the phrase."""
    near: dict[str, dict[str, tuple[tuple[str, Condition], ...]]] = {}
    far: dict[str, list[RelationRule]] = {}
    for each in TABLE + RARE:
        for above in labels(each.phrases):
            if each.among is not None:
                far.setdefault(above, []).append(each)
                continue
            rows = near.setdefault(above, {})
            for below in labels(each.dependents):
                rows[below] = (*rows.get(below, ()), (each.relation, each.holds))
    return near, far


NEAR, FAR = _index()
