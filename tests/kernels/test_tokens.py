"""Hash tables of bytes against Python's dict, and what the kernel leaves to its caller."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vericap.kernels.tokens import ByteStrings, Splitter, number_by_appearance


@given(st.lists(st.binary(max_size=20), max_size=60))
def test_strings_are_numbered_as_in_a_dict(strings: list[bytes]) -> None:
    known: dict[bytes, int] = {}
    expected = [known.setdefault(string, len(known)) for string in strings]
    table = ByteStrings()
    assert [table.add(string) for string in strings] == expected
    assert table.lines(np.arange(len(known), dtype=np.int32)) == b"".join(string + b"\n" for string in known)


def test_a_table_grows() -> None:
    table = ByteStrings()
    strings = [str(number).encode() * (number % 7) for number in range(9000)] + [b"x" * 50_000]
    known: dict[bytes, int] = {}
    expected = [known.setdefault(string, len(known)) for string in strings]
    assert [table.add(string) for string in strings] == expected
    assert [table.add(string) for string in reversed(strings)] == expected[::-1]


def chunks_of(captions: list[bytes]) -> list[bytes]:
    """The chunks that are left to the caller."""
    splitter = Splitter([b"no"])
    offsets = np.cumsum([0, *map(len, captions)])
    return splitter.spell_chunks(splitter.split(b"".join(captions), offsets, 0)).split(b"\n")[:-1]


KNOWN = ["dog", "Dog", "DOG.", "dogs,", "ab.", "a", "a,", "x" * 64, "t-shirt", "a-b-C.", '"dog', '"Dog"']
KNOWN += ['dog."', 'dog".']
KNOWN += ["dog's", "t-shirt's", "dog's.", '"a', "dog..", "dog!", "dog;", '"t-shirt\'s".', 'dog,"', 'dog",']


@pytest.mark.parametrize("chunk", KNOWN)
def test_letters_are_known(chunk: str) -> None:
    assert chunks_of([f"{chunk} {chunk}".encode()]) == []


OTHERS = ["a.", "no", "No.", "no's", ".dog", "it'm", "d0g", "5", ".", ",", "é", "dög", "[", "x" * 65, "-dog", "dog-"]
OTHERS += ["a--b", "dog,a"]
OTHERS += ["dog'S", "dog'", "dog's's", "dog...", "dog!!", "dog,,", 'dog""', '""dog', '"', "dog.,", "dog?.", "'s"]


@pytest.mark.parametrize("chunk", OTHERS)
def test_anything_else_is_the_callers(chunk: str) -> None:
    assert chunks_of([f"a {chunk} {chunk}".encode()]) == [chunk.encode()]


def test_line_ends_are_blanks_and_other_blanks_are_not() -> None:
    assert chunks_of([b"a\nb\rc\vd\fe", b"a\tb", "a\u00a0b".encode()]) == [b"a\tb", "a\u00a0b".encode()]


def test_captions_that_the_caller_has_to_read() -> None:
    """A chunk that depends on what is around it, and full stops with a blank between."""
    captions = [b"a dog", b"b 5 c", b"a . .", b"a.. .b", b"", b"a.", b". a"]
    splitter = Splitter([])
    new = splitter.split(b"".join(captions), np.cumsum([0, *map(len, captions)]), 0)
    for chunk, spelled in zip(new, splitter.spell_chunks(new).split(b"\n"), strict=False):
        splitter.define(chunk, None if spelled == b"5" else [b"q", b"r"] if spelled == b"a." else [])
    lengths = splitter.lengths()
    assert lengths.tolist() == [2, -1, -1, -1, 0, 2, 1]
    [other] = splitter.numbers([b"other"])
    lengths[lengths < 0] = [1, 0, 0]
    ids = splitter.write(np.cumsum([0, *lengths]), np.array([other], np.int32), np.array([0, 0, 1, 1, 1, 1, 1, 1]))
    assert splitter.spell_words(ids) == b"a\ndog\nother\nq\nr\na\n"


@given(st.lists(st.integers(0, 9), max_size=30), st.sets(st.integers(0, 9)))
def test_words_are_numbered_by_appearance(words: list[int], known: set[int]) -> None:
    vocabulary = {word: number for number, word in enumerate(known)}
    numbers = np.array([vocabulary.get(word, -1) for word in range(10)], np.int32)
    ids, order = np.array(words, np.int32), np.zeros(10, np.int32)
    size = number_by_appearance(ids, numbers, order, len(known))
    assert ids.tolist() == [vocabulary.setdefault(word, len(vocabulary)) for word in words]
    assert order[: size - len(known)].tolist() == list(vocabulary)[len(known) :]
