"""The rules of CoreNLP 3.4.1's Penn Treebank tokenizer as one ordered table, found by watching it at work.

The longest match wins, and the first rule among equals. Letters outside brackets match in either case.
`tools/make_lexer.py` makes the tables of the lexer of it, which ship.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

__all__ = ["ABBREVIATIONS", "NAMED", "RULES", "SPLIT_WORDS", "TokenRule"]


def _as_it_is(token: str) -> str:
    return token


class TokenRule(NamedTuple):
    """A kind of token: its pattern, what has to follow, and how it is written."""

    name: str
    pattern: str
    follow: str = ""
    write: Callable[[str], str] = _as_it_is  # "" is no token
    leave: int = 0  # this many last characters are left for the next token: can|not
    again: int = 0  # this many last characters are read a second time: "etc." and the full stop of its sentence


# How tokens are written.

_BRACKETS = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}
_FRACTIONS = {"¼": "1/4", "½": "1/2", "¾": "3/4", "⅓": "1/3", "⅔": "2/3"}
_CURRENCIES = {"¢": "cents", "£": "#", "\u0080": "$", "¤": "$", "₠": "$", "€": "$"}
_SINGLE_QUOTES = dict.fromkeys("\u0091‘‛‹", "`") | dict.fromkeys("\u0092’›", "'")
_DOUBLE_QUOTES = dict.fromkeys("\u0093“«", "``") | dict.fromkeys("\u0094”»", "''")
_QUOTES = str.maketrans(_SINGLE_QUOTES | _DOUBLE_QUOTES)
_PARENTHESES = str.maketrans({mark: _BRACKETS[mark] for mark in "()"})
_NO_BREAK = str.maketrans({" ": "\u00a0"})
_AMPERSAND = re.compile("&amp;", re.IGNORECASE)


def _without_soft_hyphens(token: str) -> str:
    return token.replace("\u00ad", "") or "-"


def _unbroken(token: str) -> str:
    return token.translate(_NO_BREAK)


def _unbroken_with_named_parentheses(token: str) -> str:
    return token.translate(_NO_BREAK).translate(_PARENTHESES)


def _with_named_parentheses(token: str) -> str:
    return token.translate(_PARENTHESES)


def _with_plain_quotes(token: str) -> str:
    return token.replace("&apos;", "'").translate(_QUOTES)


def _with_plain_ampersand(token: str) -> str:
    return _AMPERSAND.sub("&", token)


def _without_soft_hyphens_with_plain_ampersand(token: str) -> str:
    return _with_plain_ampersand(_without_soft_hyphens(token))


def _from(table: dict[str, str]) -> Callable[[str], str]:
    return lambda token: table.get(token, token)


def _always(written: str) -> Callable[[str], str]:
    return lambda _: written


def _words(text: str) -> str:
    """Return the words of a text as alternatives."""
    return "|".join(text.replace(".", r"\.").split())


# What the rules are made of.

# Abbreviations that also end sentences: months, days, states, ... A letter in brackets is as it is written.
_MAY_END = (
    "al ala apr ariz [A]rk assn aug [A]z bancorp bhd bldg blvd bros calif co colo conn corp cos ct dak "
    "dec [D]el esq est etc ext feb fla fri ga [I]ll inc ind intl jan jr jul jun kan kans ky [L]a ltd mar "
    "[M]ass md mich minn [M]iss mo mon mont neb nev nov oct okla [O]re [P]a penn plc rd rt sep sept seq "
    "sq sr sys tel tenn [T]ex thu thurs tue tues univ va vt [W]ash wed wis wisc wyo ph.d ed.d pt[y] "
    "pt[y]s pt[e] pt[e]s ppt[y] ppt[y]s ppt[e] ppt[e]s"
)
# Abbreviations that a name or another word follows.
_NEVER_END = (
    "adj adm adv alex assoc asst atty attys ave brig capt cf cie cmdr col comdr cpl dept det dr drs elec "
    "ens ft gen gov govs hon insp invt jos lieut lt maj messrs m[f]g mlle mme mr mrs ms msgr mt m[t]g "
    "natl pfc ph pres prof profs pvt rep reps rev sen sens sfc sgt spc st ste supt supts treas vs wm"
)
# Abbreviations only before a number.
_BEFORE_NUMBER = "art ca fig figs no nos op pp prop"
# Words that begin a sentence for sure: "the U.S. The dog" has a full stop, "the U.S. Navy" has none.
_SENTENCE_STARTS = (
    "[A] [A]bout [A]ccording [A]dditionally [A]fter [A]n [A]s [A]t [B]ut [E]arlier [H]e [H]er [H]ere "
    "[H]owever [I]f [I]n [I]t [L]ast [M]any [M]ore [M]r. [M]s. [N]ow [O]nce [O]ne [O]ther [O]ur [S]he "
    "[S]ince [S]o [S]ome [S]uch [T]hat [T]he [T]heir [T]hen [T]here [T]hese [T]hey [T]his [W]e [W]hat "
    "[W]hen [W]hile [Y]et [Y]ou"
)
_FILE_TYPES = (
    "bat bmp c class cgi cpp dll doc docx exe gif gz h htm html jar java jpeg jpg mov mp3 pdf php pl png "
    "ppt ps py sql tar txt wav x xml zip"
)

ABBREVIATIONS = frozenset(re.sub(r"[\[\]]", "", f"{_MAY_END} {_NEVER_END} {_BEFORE_NUMBER}").lower().split())
SPLIT_WORDS = frozenset(["cannot", "gonna", "gotta", "wanna", "gimme", "lemme"])

NAMED = {
    "letter_or_digit": "{letter} | {digit}",
    "any": r"[\x00-\uffff] | [^\x00-\uffff]",
    "blank": r"[\ \t\u00a0\u2000-\u200a\u3000\u0085\n]",
    # Words: letters with accents, soft hyphens and the entities of accented vowels; they join at . ! and ?
    "word_letter": r"{letter} | {mark} | \u00ad | & [aeiouAEIOU] (acute|grave|uml) ;",
    "word_part": "({word_letter}) ({word_letter} | {digit})*",
    "word": "({word_part}) ([.!?] ({word_part}))*",
    "apostrophe": r"['\u0092\u2019] | &apos;",
    "apostrophe_or_quote": r"{apostrophe} | [`\u0091\u2018\u201b]",
    "contraction": "({apostrophe}) ([mMsSdD] | re | ve | ll)",
    "negation": "[nN] ({apostrophe_or_quote}) [tT]",
    "ampersand": "& | &amp;",
    "hyphen": r"[\-_\u058a\u2010\u2011]",
    # o'clock, d'Artagnan-like
    "elision": "[dDoOlL] ({apostrophe_or_quote}) ({letter_or_digit})",
    "compound": "({elision})? ({letter_or_digit})+ ({hyphen} ({elision})? ({letter_or_digit})+)*",
    # 3.5-inch, 10,000-foot, non-U.S.
    "hyphenated": r"[A-Za-z0-9] [A-Za-z0-9.,\u00ad]* (- ([A-Za-z0-9\u00ad]+ | ({acronym}) \.))+",
    # U.S, p.m, without the last full stop
    "acronym": r"""[A-Za-z] (\. [A-Za-z])+
        | (canada | eu | japan | korean | non | sino) -u\.s | u\.s\.- (u\.k | u\.s\.s\.r)""",
    # AT&T
    "company": "[A-Z]+ (([+] | {ampersand}) [A-Z]+)+",
    "number": r"{digit}+ | {digit}* ([.:,\u00ad\u066b\u066c] {digit}+)+",
    "tag_name": r"[A-Za-z] [A-Za-z0-9_:.\-]*",
    "tag_attribute": r"""\ + {tag_name} (\ * = \ * (" [^"\n]* " | ' [^'\n]* '))?""",
    "tag": r"""
        < ( [!?] [A-Za-z\-] [^>\n]*  |  / {tag_name} \ *  |  {tag_name} ({tag_attribute})* \ * /? \ * ) >""",
    "may_end": _words(_MAY_END),
    "new_sentence": "{blank} ({blank} | {capital} | {tag})",
    "sure_new_sentence": rf"{{blank}}+ ({_words(_SENTENCE_STARTS)} | {{tag}}) {{blank}}",
    "file_type": _words(_FILE_TYPES),
    "eye": r"[\-^x=~<>']",
    # What ends a web address does not belong to the sentence around it.
    "in_address": r"""[^\ \t\n\f\r"<>|(){}]""",
    "last_in_address": r"""[^\ \t\n\f\r"<>|.!?(){},\-]""",
    "in_mail": r"""[^\ \t\n\f\r"<>|(){}\u00a0]""",
    "mail_part": r"""[^\ \t\n\f\r"<>|(){}.\u00a0]+""",
}


RULES: list[TokenRule] = [
    # Contractions without an apostrophe, and 'tis.
    TokenRule("cannot", "cannot", leave=3),
    TokenRule("gonna, gimme", "gonna | gotta | wanna | gimme | lemme", leave=2),
    TokenRule("'tis", "'tis", leave=2),
    TokenRule("'twas", "'twas", leave=3),
    # Mark-up and entities.
    TokenRule("tag", "{tag}", write=_unbroken),
    TokenRule("dash", r"& (md|mdash|ndash) ; | [\u0096\u0097\u2013-\u2015]", write=_always("--")),
    TokenRule("ampersand", "{ampersand}", write=_always("&")),
    TokenRule("entity", r"& (ht | tl | ur | lr | qc | ql | qr | odq | cdq | \#[0-9]+) ;"),
    # Words and what is cut off them: do|n't, dog|'s.
    TokenRule("word before n't", r"[A-Za-z\u00ad]* [A-MO-Za-mo-z] \u00ad*", "{negation}", _without_soft_hyphens),
    TokenRule("word before 's", "{word}", "{contraction}", _without_soft_hyphens),
    TokenRule("word", "{word}", write=_without_soft_hyphens),
    TokenRule("'n', ol', 'em, '90s", r"""
        ({apostrophe}) ([nN] ({apostrophe})? | em | till? | cause | [2-9] 0 s)
      | ([lLdDjJ] | dunkin | somethin | ol) ({apostrophe})"""),
    TokenRule("ma'am, O'Neill", r"""
        [A-HJ-XZn] ({apostrophe_or_quote}) {letter}{2,}
      | {letter}+ [aeiouyAEIOUY] ({apostrophe_or_quote}) [aeiouA-Z] {letter}*
      | [oO] ({apostrophe_or_quote}) [oO]
      | cont'd\.? | nor'easter | c'mon | e'er | s'mores | ev'ry | li'l | nat'l"""),
    TokenRule("'90", "({apostrophe}) [0-9][0-9]", "{blank}"),
    TokenRule("y'all", "y ({apostrophe})", "{letter}"),
    # Addresses. The range from , to _ in the likely ones leaves out digits and capitals.
    TokenRule("web address", "https?:// {in_address}+ {last_in_address}"),
    TokenRule("likely web address", r"""
        ( www \. ([^\ \t\n\f\r"<>|.!?(){},]+ \.)+ [a-zA-Z]{2,4}
        | ([^\ \t\n\f\r"`'<>|.!?(){},-_$]+ \.)+ (com | net | org | edu) )
        (/ [^\ \t\n\f\r"<>|()]+ {last_in_address})?"""),
    TokenRule("mail address", r"""
        (< | &lt;)? (mailto:)? [a-zA-Z0-9] {in_mail}* @ ({mail_part} \.)* {mail_part} (> | &gt;)?"""),
    TokenRule("handle", "@ [A-Za-z_] [A-Za-z0-9_]*"),
    TokenRule("hashtag", r"\# ({word_letter})+"),
    TokenRule("'s", "{contraction}", "[^A-Za-z]", _with_plain_quotes),
    TokenRule("n't", "{negation}", "[^A-Za-z]", _with_plain_quotes),
    # Numbers.
    TokenRule("date", r"{digit}{1,2} [\-/] {digit}{1,2} [\-/] {digit}{2,4}"),
    TokenRule("number", r"[\-+]? ({number})", write=_without_soft_hyphens),
    TokenRule("raised or lowered number", r"""
        [\u207a\u207b\u208a\u208b]? ([\u00b2\u00b3\u00b9\u2070\u2074-\u2079]+ | [\u2080-\u2089]+)"""),
    TokenRule("fraction", r"""
        ({digit}{1,4} [\-\ \u00a0])? {digit}{1,4} (\\?/ | \u2044) {digit}{1,4}""", write=_unbroken),
    TokenRule("fraction sign", r"[\u00bc-\u00be\u2153-\u215e]", write=_from(_FRACTIONS)),
    TokenRule("treebank word", r"""
        - (lrb | rrb | lcb | rcb | lsb | rsb) - | c\.d\.s | (pro | anti) - | s ({ampersand}) (p-500 | ls)
      | cap ({apostrophe}) n | c ({apostrophe}) est""", write=_with_plain_ampersand),
    TokenRule("and/or", r"[A-Za-z0-9]+ (- [A-Za-z]+){0,2} (\\?/ [A-Za-z0-9]+ (- [A-Za-z]+){0,2}){1,2}"),
    TokenRule("currency", r"[A-Z]* \$ | \#"),
    TokenRule("currency sign", r"[\u0080\u00a2-\u00a5\u20a0\u20ac]", write=_from(_CURRENCIES)),
    # Abbreviations. At the end of a sentence their full stop counts twice.
    TokenRule("Co. Ltd.", r"(co | pte | pty) \.", "{blank} ltd"),
    TokenRule("abbreviation at a sentence's end", r"({may_end}) \.", "{new_sentence}", again=1),
    TokenRule("abbreviation in a sentence", r"({may_end}) \.", "({any}) ({any})"),
    TokenRule("abbreviation at the end", r"({may_end}) \.", again=1),
    TokenRule("title", rf"({_words(_NEVER_END)}) \."),
    TokenRule("No. 5", rf"({_words(_BEFORE_NUMBER)}) \.", "{blank}? {digit}"),
    TokenRule("letter at a sentence's end", "[A-Za-z]", r"\. ({sure_new_sentence})"),
    TokenRule("acronym at a sentence's end", r"({acronym}) \.", "{sure_new_sentence}", again=1),
    TokenRule("acronym", r"([A-Za-z] | {acronym}) \."),
    # Compounds.
    TokenRule("file", r"({word_letter} | {digit})+ (\. ({word_letter} | {digit})+)* \. ({file_type})",
              "{blank} | [.?!,]"),
    TokenRule("compound", "{compound}"),
    TokenRule("hyphenated", "{hyphenated}", write=_without_soft_hyphens),
    TokenRule("R&B", "{company}", write=_with_plain_ampersand),
    TokenRule("C++, C#", r"c \+\+ | [cCfF] \#"),
    TokenRule("full stop before a comma", r"({word} | {compound} | {hyphenated} | {company}) \.", r"[,;:\u3001]",
              _without_soft_hyphens_with_plain_ampersand),
    TokenRule("telephone number", r"""
        ( \( [0-9]{2,3} \) [\ \u00a0]?  |  (\+\+?)? ([0-9]{2,4} [\-\ \u00a0])? [0-9]{2,4} [\-\ \u00a0] )
          [0-9]{3,4} [\-\ \u00a0]? [0-9]{3,5}
      | ((\+\+?)? [0-9]{2,4} \.)? [0-9]{2,4} \. [0-9]{3,4} \. [0-9]{3,5}""",
              write=_unbroken_with_named_parentheses),
    # Signs.
    TokenRule("opening double quote", '" | &quot;', "[A-Za-z0-9$]", _from({'"': "``", "&quot;": "``"})),
    TokenRule("double quote", '" | &quot;', write=_from({'"': "''", "&quot;": "''"})),
    TokenRule("less", "< | &lt;", write=_always("<")),
    TokenRule("greater", "> | &gt;", write=_always(">")),
    TokenRule("face", r"[<>]? [:;=] [\-o*']? [()DPdpO\\{@|\[\]]", "[^A-Za-z0-9]", _with_named_parentheses),
    TokenRule("eastern face", r"{eye} _ {eye} | \( {eye} [_.]? {eye} \) | \( {eye} - [\^x=~<>'`] \)",
              write=_with_named_parentheses),
    TokenRule("bracket", r"[\[\](){}]", write=_from(_BRACKETS)),
    TokenRule("long dash", "-{2,4}", write=_always("--")),
    TokenRule("hyphens", "-+"),
    TokenRule("ellipsis", r"\.{3,5} | (\. [\ \u00a0]){2,4} \. | [\u0085\u2026]", write=_always("...")),
    TokenRule("note mark", r"@+ | \#+ | _+ | \*+ | (\\ \*){1,3}"),
    TokenRule("comma", r"[,;:\u3001]"),
    TokenRule("exclamation", "[?!]+"),
    TokenRule("full stop", r"[./]"),
    TokenRule("opening quote", "'", r"[A-Za-z] [^\ \t\n\r\u00a0]", _always("`")),
    TokenRule("'s within a word", "{contraction}", write=_with_plain_quotes),
    TokenRule("quotes", r"""
        {apostrophe} | '' | [`\u0082\u0084\u0091-\u0094\u00ab\u00bb\u2018-\u201f\u2039\u203a]{1,2}""",
              write=_with_plain_quotes),
    TokenRule("pointed brackets", "<< | >>"),
    TokenRule("symbol", "{symbol}"),
    TokenRule("blanks", r"[\ \t\u00a0\u2000-\u200a\u3000]+ | &nbsp;", write=_always("")),
]  # fmt: skip
