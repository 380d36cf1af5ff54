"""CLIP's tokenizer: lower-cased words as byte pairs, as in OpenAI's code. The merges of its 49,408 tokens ship; a
folder with vocab.json and merges.txt, or tokenizer.json, brings its own. Captions longer than the network reads (77
tokens with start and end) are cut off, refused, or read in pieces."""

from __future__ import annotations

import gzip
import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Literal, TypeAlias

import regex

from vericap.encoders.config import read_json
from vericap.errors import InputError

START, END = "<|startoftext|>", "<|endoftext|>"
WORD_END = "</w>"
# Marks, English clitics, words, single digits, runs of other signs.
_PIECES = regex.compile(
    r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|\p{L}+|\p{N}|[^\s\p{L}\p{N}]+", regex.IGNORECASE
)
_REMEMBERED = 100_000  # words whose tokens are kept
# A caption with too many tokens: cut off as the authors' code does, an error, or read in pieces.
Long: TypeAlias = Literal["truncate", "error", "chunks"]


@cache
def byte_letters() -> tuple[str, ...]:
    """Return a visible letter for each of the 256 bytes, in the order of the bytes: a byte that is visible in Latin-1
    is its own letter, the others are the letters from U+0100 on.

    >>> letters = byte_letters()
    >>> letters[ord("a")], letters[0], letters[ord(" ")]
    ('a', 'Ā', 'Ġ')
    """
    visible = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    hidden = iter(range(0x100, 0x200))
    return tuple(chr(byte) if byte in visible else chr(next(hidden)) for byte in range(256))


def cleaned(text: str) -> str:
    """Return the text as CLIP sees it: broken encodings and curly quotes repaired (ftfy), HTML entities resolved, white
    space single, lower case.

    >>> cleaned("A  dog&amp;cat\\n“Hi”")
    'a dog&cat "hi"'
    """
    import ftfy

    return " ".join(html.unescape(html.unescape(ftfy.fix_text(text))).split()).lower()


class Tokenizer:
    """Tokens of a text by a vocabulary and merges in order of rank.

    >>> tokenizer = Tokenizer.of_merges([("d", "o"), ("do", "g</w>")])
    >>> [tokenizer.names[token] for token in tokenizer.tokens("Dog dots")]
    ['dog</w>', 'do', 't', 's</w>']
    """

    def __init__(self, vocabulary: Mapping[str, int], merges: Iterable[tuple[str, str]], source: str) -> None:
        for mark in (START, END):
            if mark not in vocabulary:
                raise InputError(f"the vocabulary has no {mark}", source=source, fix="give the files of a CLIP model")
        self.source = source
        self.start, self.end = vocabulary[START], vocabulary[END]
        self.names = {number: name for name, number in vocabulary.items()}
        self.largest = max(self.names)
        self._vocabulary = vocabulary
        self._rank = {pair: rank for rank, pair in enumerate(merges)}
        self._known: dict[str, list[int]] = {START: [self.start], END: [self.end]}

    @classmethod
    def of_merges(cls, merges: Sequence[tuple[str, str]], source: str = "merges") -> Tokenizer:
        """Return the tokenizer whose vocabulary follows from its merges: bytes, bytes that end a word, merges, two
        marks."""
        # OpenAI's order: the visible bytes first, then the others, which have letters from U+0100 on.
        letters = sorted(byte_letters())
        names = [*letters, *(letter + WORD_END for letter in letters), *map("".join, merges), START, END]
        return cls({name: number for number, name in enumerate(names)}, merges, source)

    def tokens(self, text: str) -> list[int]:
        """Return the tokens of a text, without the marks of start and end."""
        found: list[int] = []
        for piece in _PIECES.findall(cleaned(text)):
            if piece not in self._known:
                if len(self._known) > _REMEMBERED:
                    self._known = {START: [self.start], END: [self.end]}
                self._known[piece] = self._numbers(piece)
            found += self._known[piece]
        return found

    def ends_word(self, token: int) -> bool:
        """Return whether a token is the last of its word."""
        return self.names[token].endswith(WORD_END)

    def _numbers(self, piece: str) -> list[int]:
        letters = byte_letters()
        parts = [letters[byte] for byte in piece.encode("utf-8", "surrogatepass")]
        parts[-1] += WORD_END
        merged = self._merged(parts)
        if unknown := [part for part in merged if part not in self._vocabulary]:
            raise InputError(f"the vocabulary has no token {unknown[0]!r}", source=self.source, fix="check the file")
        return [self._vocabulary[part] for part in merged]

    def _merged(self, parts: list[str]) -> list[str]:
        """Return the parts after the pair of lowest rank was merged wherever it occurs, until no pair has a rank."""
        while len(parts) > 1:
            pair = min(pairwise(parts), key=lambda two: self._rank.get(two, len(self._rank)))
            if pair not in self._rank:
                break
            joined: list[str] = []
            for part in parts:
                if joined and (joined[-1], part) == pair:
                    joined[-1] += part
                    # A merged pair is not merged again in the same pass: "aaa" by ("a", "a") is "aa", "a".
                    joined.append("")
                else:
                    joined.append(part)
            parts = [part for part in joined if part]
        return parts


def shipped() -> Tokenizer:
    """OpenAI's tokenizer, which every CLIP of 49,408 tokens has."""
    import vericap.data

    path = vericap.data.FOLDER / "clip" / "merges.txt.gz"
    return Tokenizer.of_merges(_pairs(gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()), "shipped")


def of_folder(folder: Path) -> Tokenizer | None:
    """Return the tokenizer whose files are in a folder: vocab.json with merges.txt, or tokenizer.json; None without
    them."""
    words, merges, whole = folder / "vocab.json", folder / "merges.txt", folder / "tokenizer.json"
    if words.is_file() and merges.is_file():
        lines = merges.read_text("utf-8").splitlines()
        pairs = _pairs(lines[1:] if lines and lines[0].startswith("#version") else lines)
        return Tokenizer(read_json(words), pairs, str(words))
    if whole.is_file():
        model = read_json(whole).get("model")
        if not isinstance(model, dict) or model.get("type") != "BPE":
            raise InputError("this is not a tokenizer of byte pairs", source=str(whole), fix="give CLIP's own file")
        pairs = _pairs(one if isinstance(one, str) else " ".join(one) for one in model["merges"])
        return Tokenizer(model["vocab"], pairs, str(whole))
    return None


def _pairs(lines: Iterable[str]) -> list[tuple[str, str]]:
    pairs = [tuple(line.split()) for line in lines if line]
    return [(left, right) for left, right in pairs]


@dataclass(frozen=True)
class Windows:
    """Return the network's input: text i is `rows[offsets[i]:offsets[i + 1]]`, each with its marks of start and end.
    `longer` counts the texts that do not fit into one window."""

    rows: list[list[int]]
    offsets: list[int]
    longer: int


def with_prompt(text: str, prompt: str) -> str:
    """Return the text behind the prompt, with a space between them.

    >>> with_prompt("a dog", "A photo depicts"), with_prompt("a dog", "")
    ('A photo depicts a dog', 'a dog')
    """
    return text if not prompt else prompt + text if prompt.endswith(" ") else f"{prompt} {text}"


def windows(texts: Sequence[str], tokenizer: Tokenizer, prompt: str, limit: int, long: Long) -> Windows:
    """Return the tokens of texts behind a prompt, at most `limit` with start and end."""
    rows: list[list[int]] = []
    offsets, longer = [0], 0
    head = tokenizer.tokens(prompt)
    if long == "chunks" and len(head) > limit - 3:
        problem = f"the prompt has {len(head)} tokens, and the network reads {limit - 2}"
        raise InputError(problem, field="prompt", fix="make it shorter")
    for text in texts:
        tokens = tokenizer.tokens(with_prompt(text, prompt))
        pieces = [tokens]
        if len(tokens) > limit - 2:
            longer += 1
            pieces = _pieces(text, tokens, head, tokenizer, limit, long)
        rows += [[tokenizer.start, *piece, tokenizer.end] for piece in pieces]
        offsets.append(len(rows))
    return Windows(rows, offsets, longer)


def _pieces(
    text: str, tokens: list[int], head: list[int], tokenizer: Tokenizer, limit: int, long: Long
) -> list[list[int]]:
    if long == "error":
        raise InputError(
            f"a caption has {len(tokens)} tokens with the prompt, and the network reads {limit - 2}: {text[:60]!r}…",
            field="long",
            fix="shorten it, or choose long=truncate or long=chunks",
        )
    if long == "truncate":
        return [tokens[: limit - 2]]
    room = limit - 2 - len(head)
    return [[*head, *piece] for piece in split(tokenizer.tokens(text), room, tokenizer)]


def split(tokens: list[int], room: int, tokenizer: Tokenizer) -> list[list[int]]:
    """Return pieces of at most `room` tokens, cut between words where a word ends within the piece."""
    pieces = []
    while len(tokens) > room:
        ends = [place + 1 for place in range(room) if tokenizer.ends_word(tokens[place])]
        cut = ends[-1] if ends else room
        pieces.append(tokens[:cut])
        tokens = tokens[cut:]
    return [*pieces, tokens] if tokens else pieces
