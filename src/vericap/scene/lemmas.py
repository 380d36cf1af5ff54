"""Lemmas as CoreNLP's morphology gives them (after Minnen, Carroll and Pearce 2001): irregular forms, then the endings
of plural nouns and of verbs. All other words are their own lemmas."""

from __future__ import annotations

import re
from functools import cache

_FUNCTION_WORDS = {
    ("DT", "an"): "a", ("RB", "n't"): "not", ("RB", "n"): "not", ("MD", "'d"): "would", ("MD", "d"): "would",
    ("MD", "'ll"): "will", ("MD", "ll"): "will", ("MD", "ca"): "can", ("MD", "sha"): "shall", ("MD", "wo"): "will",
}  # fmt: skip
_PRONOUNS = {
    "him": "he", "his": "he", "her": "she", "them": "they", "their": "they", "us": "we", "our": "we", "me": "I",
    "i": "I", "your": "you",
}  # fmt: skip


def _table(text: str) -> dict[str, str]:
    """Return word → lemma of `lemma: word word, …`."""
    pairs = (entry.split(": ") for entry in " ".join(text.split()).split(", "))
    return {word: lemma for lemma, words in pairs for word in words.split()}


_VERBS = _table("""
    be: ai am are been is m re s was were 'm 're 's, have: had has 'd 've, do: did done does, go: goes gone went,
    arise: arisen arose, awake: awoke awoken, bear: bore born borne, beat: beaten, become: became, befall: befallen,
    begin: began begun, bend: bent, bereave: bereft, bind: bound, bite: bit bitten, bleed: bled, blow: blew blown,
    break: broke broken, breed: bred, bring: brought, build: built, burn: burnt, bus: buses busses bused bussed, buy:
    bought, cache: caches cached caching, canoe: canoes canoed, catch: caught, choose: chose chosen, cling: clung,
    clothe: clad, come: came, creep: crept, deal: dealt, demoe: demoed demoing, die: dies dying, dig: dug, dive:
    dove, draw: drawn drew, dream: dreamt, drink: drank drunk, drive: driven drove, dwell: dwelt, dye: dyed, eat: ate
    eaten, eleven: eleven, exchange: exchanged exchanging, eye: eyed eying eyeing, fall: fallen fell, feed: fed, feel:
    felt, fight: fought, find: found, flee: fled, fling: flung, fly: flew flown, focus: focuses, forbid: forbade
    forbidden, forget: forgot forgotten, forgive: forgave forgiven, freeze: froze frozen, frolic: frolicked
    frolicking, get: got gotten, give: gave given, grind: ground, grow: grew grown, hang: hung, hear: heard, hide: hid
    hidden, hogtie: hogties hogtied hogtying, hold: held, keep: kept, kneel: knelt, know: knew known no, lade: laden,
    lay: laid, lead: led, leap: leapt, learn: learnt, leave: left, lend: lent, lie: lain lies lying, light: lit,
    lose: lost, make: made, mean: meant, meet: met, mimic: mimicked mimicking, mistake: mistaken mistook, mow: mown,
    outgrow: outgrew outgrown, overcome: overcame, overfly: overflown, overgrow: overgrown, overlay: overlaid,
    overtake: overtaken overtook, panic: panicked panicking, pay: paid, photoe: photoed photoing, picnic: picnicked
    picnicking, prove: proven, put: putting, quiz: quizzes quizzed quizzing, rebuild: rebuilt, rewrite: rewritten
    rewrote, ride: ridden rode, ring: rang rung, rise: risen rose, run: ran, saute: sauteed, saw: sawn, say: said,
    see: saw seen, seek: sought, sell: sold, send: sent, sew: sewn, shake: shaken shook, shave: shaven, shear: shorn,
    shine: shone, shoe: shod shoes, shoot: shot, show: shown, shrink: shrank shrunk shrunken, sic: sicking, sing: sang
    sung, sink: sank sunk sunken, sit: sat, ski: skied, sleep: slept, slide: slid, sling: slung, smite: smitten smote,
    sneak: snuck, sow: sown, speak: spoke spoken, speed: sped, spell: spelt, spend: spent, spill: spilt, spin: spun,
    spit: spat, spoil: spoilt, spring: sprang sprung, stand: stood, stave: stove, steal: stole stolen, stick: stuck,
    sting: stung, stink: stank stunk, strew: strewn, stride: strode stridden, strike: stricken struck, string: strung,
    strive: striven strove, stymie: stymied, swear: swore sworn, sweep: swept, swell: swollen, swim: swam swum, swing:
    swung, take: taken took, teach: taught, tear: tore torn, tell: told, think: thought, throw: threw thrown, tie:
    ties tying, tiptoe: tiptoes, toe: toes, tread: trod trodden, understand: understood, undo: undid undone,
    unmake: unmade, untie: unties untied untying, uphold: upheld, vie: vies vying, wake: woke woken, wear: wore
    worn, weave: wove woven, weep: wept, whiz: whizzes, win: won, wind: wound, withdraw: withdrawn withdrew, withhold:
    withheld, withstand: withstood, work: wrought, wring: wrung, write: writ written wrote
""")
_NOUNS = _table("""
    axis: axes, basis: bases, bookshelf: bookshelves, brownie: brownies, brows: browses, bus: buses busses, calf:
    calves, calorie: calories, canoe: canoes, canvas: canvases, child: children, collie: collies, cookie: cookies,
    crisis: crises, dais: daises, datum: data, elf: elves, emu: emus, foe: foes, foot: feet, freebie: freebies, gas:
    gases gasses, genie: genies, gnu: gnus, goalie: goalies, goose: geese, half: halves, hippie: hippies, hoe: hoes,
    hoof: hooves, horseshoe: horseshoes, iris: irises, knife: knives, leaf: leaves, lie: lies, life: lives, lira:
    lire, loaf: loaves, louse: lice, magpie: magpies, menu: menus, mouse: mice, moustache: moustaches, movie: movies,
    mustach: mustaches, necktie: neckties, oboe: oboes, ox: oxen, pie: pies, pixie: pixies, posse: posses, prairie:
    prairies, rhinoceros: rhinoceroses, rie: ries, rookie: rookies, scarf: scarves, self: selves, sheaf: sheaves,
    shelf: shelves, shoe: shoes, smoothie: smoothies, snowshoe: snowshoes, sortie: sorties, thief: thieves, throe:
    throes, tie: ties, tiptoe: tiptoes, toe: toes, tooth: teeth, tutu: tutus, vie: vies, wharf: wharves, wife: wives,
    woe: woes, wolf: wolves, zombie: zombies
""")
# Plural nouns that stay as they are.
_SAME = frozenset(
    """
    acrobatics aerobatics aerodynamics athletics axis banns barracks basics belongings billiards binoculars blinders
    bowels broccoli checkers chess chili christmas clothes confetti confines contents crossbones crossroads deli
    diabetes dice downstairs dregs earnings eatables eaves edibles electronics fives fours fries furnishings gallows
    gas goggles goods gras grits grounds gymnastics handcuffs handlebars headquarters hers hors i iris jacuzzi jeans
    khaki knickers la leavings leftovers leggings lens likes macaroni makings mantis mathematics media memorabilia
    mercedes metropolis news oats odds oils olympics outdoors outskirts overalls pajamas panties pants papers
    paraphernalia pastrami pepperoni pepsi physics pliers politics proceedings pyjamas pyrotechnics rabbi ravioli
    remains respects rhinoceros rights s salami sari savings scissors seconds series shades shallows shears shorts
    slacks spaghetti spatula species spectacles statistics suds supplies surroundings suspenders teens tennis thermos
    this tights toiletries travels trellis tropics trousers tweezers undies wares whites workings writings zucchini
""".split()
)
# Stems before -ed and -ing that do not lose their doubled consonant, and longer ones that do.
_DOUBLED = frozenset("add carr drapp egg err linn pudd purr putt sinn skatt slatt stitt whirr".split())
_LOSING = frozenset(
    """
    abett abhorr acquitt admitt allott babysitt backdropp beginn cancell committ compell conferr controll corrall
    counsell debugg deferr deterr embedd emitt equipp excell expell forbidd forgett formatt gossipp haircutt handicapp
    incurr inferr kidnapp labell levell modell occurr offsett omitt outcropp outfitt outrunn overlapp overrunn patroll
    pedall permitt preferr propell quarrell rebutt referr regrett repell rerunn resett retrofitt shovell signall
    submitt suntann transferr transmitt travell trekk tunnell unplugg unwrapp unzipp upsett worshipp zigzagg
""".split()
)
# Stems that get an -e against the rules below, and stems that get none.
_WITH_E = frozenset(
    """
    adher ador arrang aton bast can chang compet complet condon consol conven cop corral creat delet denot devot elop
    escap excit exhal explor grop hast hop ignit ignor impal inhal interfer interven invit landscap mop paral parol
    past patrol persever pip plan polit postpon promot quot rang rappel recit recreat restor reunit rewrit rop rout
    silhouett slop stang swip tast typ unit videotap wan wast wip
""".split()
)
_WITHOUT_E = frozenset(
    """
    accustom bang bath bias blossom bottom brus carol clang council crus fathom focus fossil hang ius mouth occur
    overhang pencil ransom resemb saute ski stencil strap taxi tooth trap twang unamus unenthus unexcit
""".split()
)
_VOWELS = "aeiou"
_ODD = re.compile(r"[^a-z0-9'-]")
_STEM = re.compile(r"(.*[aeiouy].*)(ed|ing)")
_MANY = re.compile(r"[aeiouy]+[^aeiouy]+[aeiouy]")  # more than one syllable


class Lemmatizer:
    """The lemma of a word with a tag.

    >>> lemma = Lemmatizer().lemma
    >>> [lemma(word, "NNS") for word in ["dogs", "ponies", "men", "sheep", "t-shirts"]]
    ['dog', 'pony', 'man', 'sheep', 't-shirt']
    >>> [lemma(word, "VBG") for word in ["riding", "sitting", "standing", "lying", "fling"]]
    ['ride', 'sit', 'stand', 'lie', 'fling']
    """

    def __init__(self) -> None:
        self.lemma = cache(_lemma)


def _lemma(word: str, tag: str) -> str:
    if tag.startswith("NNP"):
        return word
    lower = word.lower()
    if tag.startswith("P"):
        return _PRONOUNS.get(lower, lower)
    if tag != "NNS" and not tag.startswith("VB"):
        return _FUNCTION_WORDS.get((tag, lower), lower)
    if lower.endswith("-"):
        return f"{lower}_{tag}"
    before, hyphen, last = lower.rpartition("-")
    if _ODD.search(lower):
        return lower
    return before + hyphen + (_noun(last) if tag == "NNS" else _verb(last))


def _noun(word: str) -> str:
    if word in _NOUNS:
        return _NOUNS[word]
    if word in _SAME or word.endswith(("us", "ss", "sis")):
        return word
    if word.endswith("men"):
        return word[:-2] + "an"
    if word.endswith("wives"):
        return word[:-3] + "fe"
    if word.endswith("s"):
        return word[:-2] if word.endswith("nses") else _without_s(word)
    if word.endswith("i"):
        return word[:-1] + "us"
    if word.endswith(("ia", "la")):
        return word[:-1] + "um"
    return word[:-1] if word.endswith("ae") else word


def _without_s(word: str) -> str:
    if len(word) > 3 and word.endswith("ies") and word[-4] not in _VOWELS:
        return word[:-3] + "y"
    stem = word[:-2]
    if word.endswith("es") and (
        stem.endswith(("ss", "zz", "x", "sh", "ch"))
        or (len(stem) > 1 and stem[-1] in "zo" and stem[-2] not in _VOWELS)
        or (stem.endswith("us") and stem[-3:-2] not in tuple("aeo") and _MANY.search(stem) and stem != "excus")
    ):
        return stem
    return word[:-1]


def _verb(word: str) -> str:
    if word in _VERBS:
        return _VERBS[word]
    if word.endswith("s"):
        return word if word.endswith(("us", "ss", "sis")) else _without_s(word)
    if len(word) > 3 and word.endswith("ied"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    found = _STEM.fullmatch(word)
    if not found or word.endswith("eed"):
        return word
    stem = found[1]
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in _VOWELS:
        short = (
            stem[-1] not in "flsz"
            and stem[-3] in _VOWELS
            and (stem[-4:-3] not in tuple(_VOWELS) or stem[-5:-3] == "qu")
        )
        loses = stem in _LOSING or (short and not _MANY.search(stem) and stem not in _DOUBLED)
        return stem[:-1] if loses else stem + "e" * (stem in _WITH_E)
    return stem + "e" if stem in _WITH_E or (stem not in _WITHOUT_E and _wants_e(stem)) else stem


def _wants_e(stem: str) -> bool:
    """Return whether a stem before -ed or -ing has lost an -e, by its last letters."""
    before, vowel, last = list("  " + stem)[-3:]
    if before == "u" and stem[-4:-3] == "q":  # "square": the u is no vowel
        before = "q"
    long = bool(_MANY.search(stem))
    if last in "cvzu" or stem.endswith(("th", "iat", "uat", "uid")):
        return last != "z" or vowel != "z"
    if last == "s":
        return vowel != "s"
    if last == "g":
        return vowel != "n" or before in "eu"
    if last == "l" and vowel not in _VOWELS:
        return vowel not in "lrw"
    if last == "i":
        return vowel not in _VOWELS
    if last == "e":  # "sliceing"
        return vowel not in _VOWELS and before in _VOWELS
    if vowel == "y":
        return last in "lpk"
    if vowel not in _VOWELS or before in _VOWELS or last not in "bdklmnprt":
        return last == "y" and len(stem) == 2 and vowel in _VOWELS
    if last in "bdkm":
        return True
    ending = vowel + last
    if ending in ("el", "en", "er", "an", "ip", "op", "up"):
        return False
    return not (long and ending in ("al", "on", "or", "et", "it", "ot"))
