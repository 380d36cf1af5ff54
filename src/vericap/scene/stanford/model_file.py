"""The grammar as users have it, `englishPCFG.ser.gz` of CoreNLP 3.6.0, alone or in its jar of models, to our tables.

The file is read without Java: its objects become plain values, and only one content is taken, known by its hash.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import lzma
import os
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.errors import InputError
from vericap.readers.storage.java_objects import JavaObject, JavaStreamError, read_java_object
from vericap.scene.stanford.grammar import Tables

MEMBER = "edu/stanford/nlp/models/lexparser/englishPCFG.ser.gz"
MODEL = "englishPCFG.ser.gz of CoreNLP 3.6.0 (January 2016)"
SHA256 = "341f1707321b2bc6493ed3a304491b2ab16f1fce256e02b5b21fe0361641a2a0"  # of what it unpacks to
_SIZE = 6_365_065
_PACKED = 16 << 20  # bytes: more than any file of this content has
_FIX = (
    f"give {MODEL}, or stanford-corenlp-3.6.0-models.jar, which has it: "
    "pycocoevalcap's SPICE downloads it to pycocoevalcap/spice/lib"
)
_ANY = -1  # in counts: any word or any tag

Rule = tuple[int, ...]


def read_model(path: str | os.PathLike[str]) -> Tables:
    """Return the tables of a grammar file or of a jar that has it (see `Grammar`)."""
    source = os.fspath(path)
    content = _unpacked(_packed(Path(path), source), source)
    if hashlib.sha256(content).hexdigest() != SHA256:
        problem = "this is another grammar, another version of it, or damaged"
        raise InputError(problem, source=source, fix=_FIX)
    return tables_of(content, source)


def tables_of(content: bytes, source: str) -> Tables:
    """Return the tables of an unpacked grammar."""
    try:
        return _tables(read_java_object(content))
    except (JavaStreamError, KeyError, TypeError, AttributeError, ValueError, IndexError, OverflowError) as error:
        raise InputError(f"the grammar cannot be read ({error})", source=source, fix=_FIX) from None


def _packed(path: Path, source: str) -> bytes:
    """Return the compressed grammar: the file itself, or the member of a jar."""
    try:
        with path.open("rb") as file:
            head = file.read(4)
            if head != b"PK\x03\x04":
                return head + file.read(_PACKED)
        with zipfile.ZipFile(path) as archive, archive.open(MEMBER) as member:
            return member.read(_PACKED)
    except KeyError:
        raise InputError(f"the jar does not have {MEMBER}", source=source, fix=_FIX) from None
    except OSError as error:
        raise InputError(f"the file cannot be read ({error.strerror or error})", source=source, fix=_FIX) from None
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, RuntimeError, ValueError) as error:
        raise InputError(f"the jar is damaged ({error})", source=source, fix=_FIX) from None


def _unpacked(packed: bytes, source: str) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as file:
            content = file.read(_SIZE + 1)
            if len(content) == _SIZE:
                file.read(1)  # checks the sum at the end
            return content
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"the grammar is damaged or cut off ({error})", source=source, fix=_FIX) from None


def _tables(parser: JavaObject) -> Tables:
    states, words, tags = (_texts(parser.fields[f"{name}Index"]) for name in ("state", "word", "tag"))
    binary = [
        _rule(rule, "parent", "leftChild", "rightChild") for rule in _items(parser.fields["bg"].fields["allRules"])
    ]
    unary = [_rule(rule, "parent", "child") for rule, _ in _pairs(parser.fields["ug"].fields["coreRules"])]
    number = _renumbered(states, binary, unary)
    binary = [(*(number[state] for state in rule[:-1]), rule[-1]) for rule in binary]
    unary = [(*(number[state] for state in rule[:-1]), rule[-1]) for rule in unary]
    real = sorted(number[i] for i, name in enumerate(states) if not _is_synthetic(name))
    names = {number[i]: name for i, name in enumerate(states)}
    lexicon = parser.fields["lex"].fields
    return {
        "names": _joined(names[state] for state in real),
        "order": np.array(number, np.uint16),
        "tags": np.array([number[states.index(tag)] for tag in tags], np.uint16),
        "words": _joined(words),
        **_rules("binary", binary),
        **_rules("unary", unary),
        **_rules("closed", list(closed_unaries(unary))),
        **_counts("seen", _counted(lexicon["seenCounter"]), len(words), len(tags)),
        **_counts("unseen", _counted(lexicon["uwModel"].fields["unSeenCounter"]), len(words), len(tags)),
    }


def closed_unaries(unary: Iterable[Rule]) -> Iterator[tuple[int, int, float]]:
    """Yield the chains of unary rules: parent, child and the best score, a sum of floats in the order of the original.

    >>> list(closed_unaries([(1, 2, -1.0), (2, 3, -2.0), (1, 3, -4.0)]))
    [(1, 2, -1.0), (1, 3, -3.0), (2, 3, -2.0)]
    """
    below: dict[int, dict[int, np.float32]] = {}  # of each state all that it leads to, itself too
    above: dict[int, dict[int, np.float32]] = {}
    for parent, child, score in unary:
        for state in (parent, child):
            below.setdefault(state, {state: np.float32(0)})
            above.setdefault(state, {state: np.float32(0)})
        for top, before in list(above[parent].items()):
            for bottom, after in list(below[child].items()):
                value = np.float32(before + after) + np.float32(score)
                if bottom not in below[top] or value > below[top][bottom]:
                    below[top][bottom] = above[bottom][top] = value
    for parent in sorted(below):
        yield from ((parent, child, float(score)) for child, score in below[parent].items() if child != parent)


def _renumbered(states: list[str], binary: list[Rule], unary: list[Rule]) -> list[int]:
    """Return a new number for each state: real states first, then synthetic ones next to those that they are part of,
    so that rules which are used together lie together in memory."""
    children: list[list[int]] = [[] for _ in states]
    for rule in (*binary, *unary):
        children[rule[0]] += rule[1:-1]
    order = dict.fromkeys(i for i, name in enumerate(states) if not _is_synthetic(name))
    for top in list(order):
        waiting = children[top][::-1]
        while waiting:
            if (state := waiting.pop()) not in order:
                order[state] = None
                waiting += reversed(children[state])
    order.update(dict.fromkeys(range(len(states))))
    number = [0] * len(states)
    for new, state in enumerate(order):
        number[state] = new
    return number


def _is_synthetic(name: str) -> bool:
    return name.startswith("@")


def _rules(name: str, rules: list[Any]) -> Tables:
    return {name: np.array([rule[:-1] for rule in rules], np.uint16), f"{name}_score": _floats(r[-1] for r in rules)}


def _floats(values: Iterable[float]) -> NDArray[np.float32]:
    return np.array(list(values), np.float32)


def _counts(name: str, counts: list[tuple[int, int, float]], words: int, tags: int) -> Tables:
    """Return counts of words with tags, by word, and those of words, tags and everything."""
    pairs = sorted(each for each in counts if _ANY not in each[:2])
    of_word, of_tag = np.zeros(words), np.zeros(tags)
    for word, tag, count in counts:
        if tag == _ANY and word != _ANY:
            of_word[word] = count
        elif word == _ANY and tag != _ANY:
            of_tag[tag] = count
    return {
        f"{name}_word": np.array([word for word, _, _ in pairs], np.uint16),
        f"{name}_tag": np.array([tag for _, tag, _ in pairs], np.uint16),
        f"{name}_count": np.array([count for _, _, count in pairs]),
        f"{name}_of_word": of_word,
        f"{name}_of_tag": of_tag,
        f"{name}_of_all": np.array([count for word, tag, count in counts if word == tag == _ANY]),
    }


def _texts(index: JavaObject) -> list[str]:
    found = _items(index.fields["objects"])
    if not all(isinstance(text, str) and "\n" not in text for text in found):
        raise ValueError("a name is not a line of text")
    return found


def _joined(lines: Iterable[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(lines).encode(), np.uint8)


def _rule(rule: JavaObject, *states: str) -> Rule:
    return (*(rule.fields[state] for state in states), rule.fields["score"])


def _counted(counter: JavaObject) -> list[tuple[int, int, float]]:
    """Return word, tag and count of a counter's entries."""
    return [
        (key.fields["word"], key.fields["tag"], float(value.fields["d"]))
        for key, value in _pairs(counter.fields["map"])
    ]


def _items(array_list: JavaObject) -> list[Any]:
    """Return what a Java ArrayList holds: its size is a field, behind its capacity come the items."""
    items = array_list.written[1:]
    if array_list.name != "java.util.ArrayList" or len(items) != array_list.fields["size"]:
        raise ValueError(f"{array_list.name} is not a whole list")
    return items


def _pairs(hash_map: JavaObject) -> list[tuple[Any, Any]]:
    """Return keys and values of a Java HashMap: behind 4 bytes for its buckets and 4 for its size come the pairs."""
    size, items = hash_map.written[0], hash_map.written[1:]
    if hash_map.name != "java.util.HashMap" or len(items) != 2 * int.from_bytes(size[4:], "big"):
        raise ValueError(f"{hash_map.name} is not a whole map")
    return list(zip(items[::2], items[1::2], strict=True))
