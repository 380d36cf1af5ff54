"""British spellings as American ones: the grammar's training text is American, so its words are changed so."""

from __future__ import annotations

import re
from functools import cache

_DAYS = """monday tuesday wednesday thursday friday saturday sunday january february april june july august september
october november december"""
_WORDS = """
Defence=Defense Labour=Labor anaesthetic=anesthetic analogue=analog analogues=analogs analyse=analyze analysed=analyzed
analysing=analyzing armoured=armored cancelled=canceled cancelling=canceling candour=candor
capitalisation=capitalization capitalise=capitalize capitalised=capitalized centre=center chimaeric=chimeric
clamour=clamor coloured=colored colourful=colorful colouring=coloring defence=defense discolour=discolor
discoloured=discolored discolouring=discoloring discolours=discolors encyclopaedia=encyclopedia endeavour=endeavor
endeavoured=endeavored endeavouring=endeavoring endeavours=endeavors favour=favor favoured=favored favouring=favoring
favourite=favorite favourites=favorites favours=favors fervour=fervor fibre=fiber fibres=fibers finalise=finalize
finalised=finalized finalising=finalizing flavour=flavor flavoured=flavored flavouring=flavoring flavours=flavors
glamour=glamour grey=gray harbour=harbor harbours=harbors homologue=homolog homologues=homologs honour=honor
honourable=honorable honoured=honored honouring=honoring honours=honors humour=humor humoured=humored
humouring=humoring humours=humors kerb=curb labelled=labeled labelling=labeling labour=labor laboured=labored
labouring=laboring labours=labors leant=leaned learnt=learned localise=localize localised=localized
manoeuvre=maneuver manoeuvres=maneuvers maximise=maximize maximised=maximized maximising=maximizing meagre=meager
minimise=minimize minimised=minimized minimising=minimizing misdemeanour=misdemeanor misdemeanours=misdemeanors
modernise=modernize modernised=modernized modernising=modernizing neighbour=neighbor neighbourhood=neighborhood
neighbourhoods=neighborhoods neighbours=neighbors oestrogen=estrogen oestrogens=estrogens organisation=organization
organisations=organizations penalise=penalize penalised=penalized popularise=popularize popularised=popularized
popularises=popularizes popularising=popularizing practise=practice practised=practiced pressurise=pressurize
pressurised=pressurized pressurises=pressurizes pressurising=pressurizing realise=realize realised=realized
realises=realizes realising=realizing recognise=recognize recognised=recognized recognises=recognizes
recognising=recognizing rumoured=rumored rumouring=rumoring savour=savor savoured=savored savouring=savoring
savours=savors splendour=splendor splendours=splendors theatre=theater theatres=theaters titre=titer titres=titers
travelled=traveled travelling=traveling"""
# Words with one of these keep -our.
_KEEP_OUR = re.compile(
    """abatjour beflour bonjour calambour carrefour cornflour contour detour devour dortour dyvour downpour giaour
    glamour holour inpour outpour pandour paramour pompadour recontour repour ryeflour sompnour tambour troubadour
    tregetour velour""".replace("\n", " ")
    .replace("    ", "")
    .replace(" ", "|")
)
_OUR = re.compile(r"[a-z]{3,}ours?")
_MAY_CHANGE = re.compile(r"haemat?o|aemia$|[lL]eukaem|programmes?$")
# Tried in this order; the first that fits is applied.
_ENDINGS = (
    (re.compile(r"haem(at)?o"), r"hem\1o"),
    (re.compile(r"aemia$"), "emia"),
    (re.compile(r"([lL])eukaem"), r"\1eukem"),
    (re.compile(r"programme(s?)$"), r"program\1"),
)


def american(word: str) -> str:
    """Return the American spelling of a word; of most words, the word itself.

    >>> [american(word) for word in "grey colour Colour velour theatre monday haemoglobin".split()]
    ['gray', 'color', 'Colour', 'velour', 'theater', 'Monday', 'haemoglobin']
    """
    if (known := _known().get(word)) is not None:
        return known
    if len(word) < 6:
        return word
    if _MAY_CHANGE.search(word):
        for pattern, ending in _ENDINGS:
            if pattern.search(word):
                return pattern.sub(ending, word)
    if _OUR.fullmatch(word) and not _KEEP_OUR.search(word):
        return re.sub("our(s?)$", r"or\1", word)
    return word


@cache
def _known() -> dict[str, str]:
    return {**{day: day.capitalize() for day in _DAYS.split()}, **dict(pair.split("=") for pair in _WORDS.split())}
