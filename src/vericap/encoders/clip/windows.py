"""Captions longer than the network reads (77 tokens with start and end): cut off, refused, or read in pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from vericap.encoders.clip.tokenizer import Tokenizer
from vericap.errors import InputError

# A caption with too many tokens: cut off as the authors' code does, an error, or read in pieces.
Long: TypeAlias = Literal["truncate", "error", "chunks"]


@dataclass(frozen=True)
class Windows:
    """What the network reads: text i is `rows[offsets[i]:offsets[i + 1]]`, each with its marks of start and end.
    `longer` counts the texts that do not fit into one window."""

    rows: list[list[int]]
    offsets: list[int]
    longer: int


def with_prompt(text: str, prompt: str) -> str:
    """The text behind the prompt, with a space between them.

    >>> with_prompt("a dog", "A photo depicts"), with_prompt("a dog", "")
    ('A photo depicts a dog', 'a dog')
    """
    return text if not prompt else prompt + text if prompt.endswith(" ") else f"{prompt} {text}"


def windows(texts: Sequence[str], tokenizer: Tokenizer, prompt: str, limit: int, long: Long) -> Windows:
    """The tokens of texts behind a prompt, at most `limit` with start and end."""
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
    """Pieces of at most `room` tokens, cut between words where a word ends within the piece."""
    pieces = []
    while len(tokens) > room:
        ends = [place + 1 for place in range(room) if tokenizer.ends_word(tokens[place])]
        cut = ends[-1] if ends else room
        pieces.append(tokens[:cut])
        tokens = tokens[cut:]
    return [*pieces, tokens] if tokens else pieces
