"""Penn Treebank tokens; every expected value is what CoreNLP 3.4.1 prints with `-preserveLines -lowerCase`."""

from __future__ import annotations

import itertools
import re
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vericap.text import ptb
from vericap.text.ptb import PUNCTUATION, encode_coco, ptb_lexer, tokenize, tokenize_coco, tokenize_coco_many

FACTS = [
    # contractions, possessives
    ("It's the man's, isn't it?", "it 's the man 's , is n't it ?"),
    ("I'm we've they'll he'd you're DON'T", "i 'm we 've they 'll he 'd you 're do n't"),
    ("the dogs' bowls, James' and James's", "the dogs ' bowls , james ' and james 's"),
    ("He can't, won't, cannot", "he ca n't , wo n't , can not"),
    ("gonna wanna gotta gimme lemme whatcha", "gon na wan na got ta gim me lem me whatcha"),
    ("'tis 'twas 'em 'til 'cause rock 'n' roll", "'t is 't was 'em 'til 'cause rock 'n' roll"),
    ("rock'n'roll o'clock ma'am y'all O'Neill d'Artagnan", "rock 'n' roll o'clock ma'am y' all o'neill d'artagnan"),
    ("man’s don’t ’90s don`t", "man 's do n't ’90s do n`t"),
    # hyphens, slashes, joined words
    ("a black-and-white T-shirt, 50-year-old", "a black-and-white t-shirt , 50-year-old"),
    ("word- -word a--b a---b a-----b", "word - - word a -- b a -- b a ----- b"),
    ("semi – detached — house", "semi -- detached -- house"),
    ("and/or km/h w/o a/b/c/d 24/7", "and/or km/h w/o a/b/c / d 24/7"),
    ("R&B AT&T AT&amp;T a&b C++ C#", "r&b at&t at&t a & b c++ c#"),
    ("hello;world:foo,bar under_score", "hello ; world : foo , bar under_score"),
    # numbers
    ("1,000 people at 3.5 km/h, .5 -5 +5 1:30", "1,000 people at 3.5 km/h , .5 -5 +5 1:30"),
    ("10:30pm 3pm 1st 1990s '90s 90's", "10:30 pm 3pm 1st 1990s '90s 90 's"),
    ("10/11/2014 or 10-11-2014 or 2014-11-10", "10/11/2014 or 10-11-2014 or 2014-11-10"),
    ("22 3/4 and 1-3/4 of 1/2", "22\u00a03/4 and 1-3/4 of 1/2"),
    ("½ 1½ ¼ ⅓ ⅛", "1/2 1 1/2 1/4 1/3 ⅛"),
    ("(650) 723-0293 or 650-723-0293", "-lrb-650-rrb-\u00a0723-0293 or 650-723-0293"),
    ("H₂O m² 10⁵", "h ₂ o m ² 10 ⁵"),
    # money
    ("$5 US$5 £10 €20 5¢ ¥5 50% #1 A$", "$ 5 us$ 5 # 10 $ 20 5 cents ¥ 5 50 % # 1 a$"),
    # abbreviations
    ("Mr. Smith's dog in St. Louis.", "mr. smith 's dog in st. louis ."),
    ("10:30 p.m. in the U.S. Navy", "10:30 p.m. in the u.s. navy"),
    ("the U.S. The dog", "the u.s. . the dog"),
    ("etc. etc. Etc.", "etc. etc. . etc. ."),
    ("no. 5, no. five, fig. 2, art.", "no. 5 , no . five , fig. 2 , art ."),
    ("Ark. and ark. Mass. and mass.", "ark. and ark . mass. and mass ."),
    ("Acme Co. Ltd. and Acme Co. Inc.", "acme co. ltd. and acme co. . inc. ."),
    ("I. The step, J. R. R. Tolkien", "i . the step , j. r. r. tolkien"),
    ("a dog., a dog.; A dog.", "a dog. , a dog. ; a dog ."),
    # quotes
    ("\"Quoted\" 'single' ``tex''", "`` quoted '' ` single ' `` tex ''"),
    ("“curly” ‘curly’ «guillemets» „low“", "`` curly '' ` curly ' `` guillemets '' „ low ``"),
    ("&quot;hi&quot; &amp; &lt; &apos; &#39; &eacute;t&eacute; &mdash;", "`` hi '' & < ' &#39; &eacute;t&eacute; --"),
    # stops
    ("a... b.. c…d . . . e ?! ??", "a. . . b. . c ... d ... e ?! ??"),
    ("wait...what wait.....what Yahoo!Inc", "wait ... what wait ... what yahoo!inc"),
    # brackets, faces, tags
    ("(in) [a] {b} -LRB-", "-lrb- in -rrb- -lsb- a -rsb- -lcb- b -rcb- -lrb-"),
    (":) :-( ;D =P ^_^ (^.^) :)a <3", ":-rrb- :--lrb- ;d =p ^_^ -lrb-^.^-rrb- : -rrb- a < 3"),
    ("<unk> <a href='x y'> < b > <<a>> <3>", "<unk> <a\u00a0href='x\u00a0y'> < b > << a >> < 3 >"),
    # addresses
    ("see http://a.b/c?d=e. or www.a.com, a.b.com/c/d", "see http://a.b/c?d=e . or www.a.com , a.b.com/c/d"),
    ("foo@bar.com @handle #hashtag #1tag #a_b @a_b", "foo@bar.com @handle #hashtag # 1tag #a _ b @a_b"),
    ("www.example.com/😀 http://a.b/😀c", "www.example.com/😀 http://a.b/😀c"),
    ("001.jpg file.txt img_1.png 9.csv 9.txt!", "001.jpg file.txt img_1 . png 9 . csv 9.txt !"),
    # beyond English
    ("café naïve Zürich 日本語 Привет 한국 سلام", "café naïve zürich 日本語 привет 한국 سلام"),
    ("a 😀 b👍🏽c 👨‍👩‍👧", "a b c"),
    ("cafe\u0301 co\u00adop \u00ad ΟΔΟΣ ΚΑΦΕΣ-ΜΠΑΡ İ", "cafe\u0301 coop - οδος καφεσ-μπαρ i\u0307"),
    ("¿qué? ¡hola! a\u200bb\ufeffc\u2003d\u3000e\x00f\x7fg", "¿ qué ? ¡ hola ! a b c d e f g"),
    ("*stars* ~tilde^ = + | \\ back", "* stars * ~ tilde ^ = + | \\ back"),
    # what is left as it is
    ("colour grey favourite", "colour grey favourite"),
    ("", ""),
    ("   ", ""),
]


@pytest.mark.parametrize("caption, tokens", FACTS)
def test_tokens(caption, tokens):
    assert tokenize(caption) == (tokens.split(" ") if tokens else [])


def test_coco_drops_punctuation_but_not_brackets():
    assert tokenize_coco('(A "dog", [a] cat; {it}: -- ... ?! ??.)') == (
        ["-lrb-", "a", "dog", "-lsb-", "a", "-rsb-", "cat", "-lcb-", "it", "-rcb-", "?!", "??", "-rrb-"]
    )


@pytest.mark.parametrize("separator", ["\n", "\r", "\r\n", "\v", "\f", "\u2028", "\u2029"])
def test_line_ends_are_blanks_and_rows_never_shift(separator):
    captions = [f"one{separator}two", "", separator, "three"]
    assert tokenize_coco_many(captions) == [["one", "two"], [], [], ["three"]]
    ids, offsets = encode_coco(captions, vocabulary := {})
    assert offsets.tolist() == [0, 2, 2, 2, 3]
    assert [list(vocabulary)[i] for i in ids] == ["one", "two", "three"]


def test_next_caption_decides_about_a_last_letter():
    """In the original's file the next caption is the next sentence, blank lines between or not."""
    captions = ["a sign that reads K.", "A man", "a model T.", "four men", "type U.", "", "The end"]
    assert [row[-1:] for row in tokenize_coco_many(captions)] == [["k"], ["man"], ["t."], ["men"], ["u"], [], ["end"]]
    assert tokenize_coco("a sign that reads K.") == ["a", "sign", "that", "reads", "k."]
    assert tokenize_coco_many(["house no.", "5 cats"])[0] == ["house", "no."]


class Counted(list):
    """A list that counts how often it is read."""

    reads = 0

    def __getitem__(self, place):
        Counted.reads += 1
        return super().__getitem__(place)


ODD = r"""a The dog dogs' it's don't cannot etc. Mr. no. U.S. K. 5 22 3/4 . .. ... , ' " ( ) [ - -- & &amp; &nbsp; <b>
< > @ # 555-1234 (650) '90 :) 9.txt www.a.com/bcd a@b.c é Σ 日 😀"""
PIECES = st.one_of(st.sampled_from([*ODD.split(), *"\u00a0\u2003\t\u00ad\x85\x01"]), st.text(max_size=4))
CAPTIONS = st.lists(st.tuples(PIECES, st.sampled_from(["", " ", " ", "  "])), max_size=10).map(
    lambda pieces: "".join(itertools.chain.from_iterable(pieces))
)


def encode_by_rules(captions, vocabulary):
    """What `encode_coco` returns, each caption by the rules alone."""
    rows = [ptb._in_context(captions, 0, row) for row in range(len(captions))]
    ids = [[vocabulary.setdefault(token, len(vocabulary)) for token in row] for row in rows]
    return np.array([i for row in ids for i in row], np.int32), np.cumsum([0, *map(len, rows)])


@given(st.text())
@example("\ud800 a\udfff http://a.b\ud800c")
def test_any_text_has_tokens(caption):
    tokens = tokenize(caption)
    assert all(token and not re.search("[ \t\n\r\f]", token) for token in tokens)
    "".join(tokens).encode()


@given(CAPTIONS, st.sampled_from(["", "A man", "two men", "5 men", "<b> x", " ", "."]))
@example("a . . . b", "")
@example("x \u00a0example.org/abc", "")
def test_looked_up_chunks_give_the_tokens_of_the_whole_line(caption, following):
    expected = [token for token in tokenize(caption, following) if token not in PUNCTUATION]
    assert tokenize_coco(caption, following) == expected
    ids, offsets = encode_coco([caption, following], vocabulary := {})
    assert [list(vocabulary)[i] for i in ids[: offsets[1]]] == expected


@given(st.lists(CAPTIONS, max_size=5))
def test_column_and_rows_agree_and_words_are_numbered_as_they_appear(captions):
    rows = tokenize_coco_many(captions)
    ids, offsets = encode_coco(captions, vocabulary := {})
    assert list(vocabulary) == list(dict.fromkeys(itertools.chain.from_iterable(rows)))
    assert [[list(vocabulary)[i] for i in ids[a:b]] for a, b in itertools.pairwise(offsets)] == rows


# What the kernel reads by itself, what it almost reads, and what it must not: bytes of all kinds, often as in captions.
BYTES = st.lists(
    st.one_of(
        st.sampled_from("  aAzZ.,-'\"0\n\t\r\0/:é\u00a0\u2028\ud800😀"),
        st.sampled_from(["cannot", "no.", "Mr.", "St", "GONNA", ". .", " . . .", "x" * 70, "x" * 64 + ".", "a."]),
        st.sampled_from(["it's", "5", "22 3/4", "(650) 723-0293", "t-shirt", '"Stop"', "etc."]),
    ),
    max_size=30,
).map("".join)


@given(st.lists(BYTES, max_size=6))
@example(["a b.", ".", " . b"])
@example(["a.\0b", "\0", "c"])
@example(["one.\n.two", "x.\v. ."])
def test_bytes_and_rules_agree(captions):
    few, many = {"known": 0}, {"known": 0}
    expected, found = encode_by_rules(captions, few), encode_coco(captions, many)
    assert [each.tolist() for each in found] == [each.tolist() for each in expected]
    assert list(many.items()) == list(few.items())


@given(st.lists(st.from_regex(r"[A-Za-z]{2,8}(-[a-z]{2,5})?", fullmatch=True), max_size=8))
def test_tokens_of_plain_words_are_their_own_tokens(words):
    tokens = tokenize_coco(" ".join(words))
    assert tokenize_coco(" ".join(tokens)) == tokens


def test_blank_captions_are_not_looked_through_again_and_again():
    captions = Counted(["\t", " ", ""] * 1000)
    Counted.reads = 0
    assert tokenize_coco_many(captions) == [[]] * 3000
    assert Counted.reads <= 2 * len(captions)


def test_vocabulary_is_extended():
    vocabulary = {"dog": 0}
    ids, offsets = encode_coco(["A dog", "a cat"], vocabulary)
    assert (ids.dtype, offsets.dtype) == (np.int32, np.int64)
    assert ids.tolist() == [1, 0, 1, 2]
    assert vocabulary == {"dog": 0, "a": 1, "cat": 2}


def test_memory_of_chunks_is_bounded(monkeypatch):
    assert ptb._analysed.cache_parameters()["maxsize"] == ptb._MOST_REMEMBERED
    monkeypatch.setattr(ptb, "_analysed", lru_cache(10)(ptb._analysed.__wrapped__))
    captions = [f"x{n} y-{n}" for n in range(100)]
    assert tokenize_coco_many(captions) == [caption.split() for caption in captions]
    assert len(encode_coco(captions, {})[0]) == 200
    assert ptb._analysed.cache_info().currsize == 10


@pytest.mark.parametrize(
    "piece",
    [
        *"-.a'(1&<@#*\"`:/_$A,;=\\~é",
        "a.",
        "a-",
        "a'",
        "1/",
        "1,",
        ". ",
        "<a ",
        "<a b='",
        "12 ",
        "a@",
        "1&(",
        "www.",
        "A. ",
    ]
    + ["U.S. ", "etc. ", "&amp;", "(^", "~.", "<!-", "don'", "http://", "a dog runs "],
)
def test_work_grows_with_the_length_alone(piece):
    """Runs of a character, nested marks, 10,000 words: every character is read a few times, whatever comes."""
    text = piece * (20_000 // len(piece))
    scan = ptb_lexer().scan(text)
    ptb._read(scan, text, len(text))
    assert scan.reads() <= 12 * len(text)
