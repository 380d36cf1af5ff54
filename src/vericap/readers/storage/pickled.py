"""Reads pickles that hold nothing but numbers, strings, tuples, lists and dicts, without Python's unpickler.

A pickle is a program for a small stack machine, and the unpickler's machine can call any function. This one has no
call: the few names that tables of n-grams need (defaultdict, Counter, numpy's scalars) are rebuilt by hand as dicts
and numbers, and every other name and every other instruction is an error. Nothing of a file is ever imported or run.
"""

from __future__ import annotations

import codecs
import gc
import re
import struct
from collections.abc import Callable
from typing import Any

from vericap.errors import InputError

_PLAIN_KEYS = (str, int, float, bytes)
# A pickle that starts with its protocol (2 and later), or as a dict does in protocol 0 and 1.
_START = re.compile(rb"\x80[\x02-\x05]|\(dp?\d*\r?\n|\}q|ccollections\r?\n")


def looks_like_pickle(data: bytes) -> bool:
    """Does it start as a pickle does?

    >>> looks_like_pickle(b"\\x80\\x04}."), looks_like_pickle(b"(dp0\\n."), looks_like_pickle(b"(a dog runs)")
    (True, True, False)
    """
    return _START.match(data) is not None


def read_pickle(data: bytes, source: str) -> Any:
    """The value that a pickle of any protocol holds; byte strings of Python 2 stay bytes.

    >>> read_pickle(b"\\x80\\x02}U\\x01aK\\x05s.", "table.p")
    {b'a': 5}
    """
    machine = _Machine(data, source)
    collecting = gc.isenabled()
    gc.disable()  # it would look through millions of tuples again and again, and there is nothing to collect
    try:
        return machine.run()
    except InputError:
        raise
    except (IndexError, struct.error):
        raise InputError("the pickle is cut off or damaged", source=source, fix="copy the file again") from None
    except (ValueError, TypeError, KeyError, OverflowError, UnicodeError) as error:
        raise InputError(f"the pickle is damaged ({error})", source=source, fix="copy the file again") from None
    finally:
        if collecting:
            gc.enable()


class _Name:
    """A name that the pickle asks for: a label on the stack, connected with nothing."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class _NumberType:
    """A number type of numpy: its code and byte order."""

    __slots__ = ("code", "order")

    def __init__(self, code: str) -> None:
        self.code, self.order = code, "<"


class _Mark:
    """What stands on the stack or in the memo where no value is."""

    __slots__ = ()


_MARK, _NOTHING = _Mark(), _Mark()

_NAMES = {
    ("collections", "defaultdict"),
    ("collections", "Counter"),
    ("_codecs", "encode"),
    ("numpy", "dtype"),
    ("numpy.core.multiarray", "scalar"),
    ("numpy._core.multiarray", "scalar"),
    *((module, kind) for module in ("__builtin__", "builtins") for kind in ("float", "int")),
}
_NUMBER_FORMATS = {
    "f8": "d", "f4": "f", "f2": "e", "i8": "q", "i4": "i", "i2": "h", "i1": "b", "u8": "Q", "u4": "I", "u2": "H",
    "u1": "B",
}  # fmt: skip


class _Machine:
    """The stack machine: `run` goes through the instructions until the pickle says stop."""

    def __init__(self, data: bytes, source: str) -> None:
        self.data, self.source, self.at = data, source, 0
        self.stack: list[Any] = []
        self.memo: list[Any] = []

    def run(self) -> Any:
        data, stack, memo, others = self.data, self.stack, self.memo, _INSTRUCTIONS
        number, unpack_float = int.from_bytes, struct.Struct(">d").unpack
        # A table repeats few words and few numbers in millions of n-grams: equal ones are one object.
        words: dict[bytes, str] = {}
        floats: dict[bytes, float] = {}
        at = 0
        # The instructions that tables consist of stand here, all others in _INSTRUCTIONS: much faster.
        while True:
            code = data[at]
            if code == 0x71:  # BINPUT
                self.remember(data[at + 1])
                at += 2
            elif code == 0x72:  # LONG_BINPUT
                place = number(data[at + 1 : at + 5], "little")
                if place == len(memo):
                    memo.append(stack[-1])
                else:
                    self.remember(place)
                at += 5
            elif code == 0x94:  # MEMOIZE
                memo.append(stack[-1])
                at += 1
            elif code == 0x58 or code == 0x8C:  # BINUNICODE, SHORT_BINUNICODE
                start = at + (5 if code == 0x58 else 2)
                at = start + number(data[at + 1 : start], "little")
                text = data[start:at]
                word = words.get(text)
                if word is None:
                    if at > len(data):
                        raise IndexError
                    word = words[text] = text.decode("utf-8", "surrogatepass")
                stack.append(word)
            elif code == 0x68:  # BINGET
                stack.append(self.recall(data[at + 1]))
                at += 2
            elif code == 0x6A:  # LONG_BINGET
                stack.append(self.recall(number(data[at + 1 : at + 5], "little")))
                at += 5
            elif code == 0x47:  # BINFLOAT
                raw = data[at + 1 : at + 9]
                value = floats.get(raw)
                if value is None:
                    value = floats[raw] = unpack_float(raw)[0]
                stack.append(value)
                at += 9
            elif code == 0x28:  # MARK
                stack.append(_MARK)
                at += 1
            elif code == 0x74:  # TUPLE
                place = len(stack) - 1
                while stack[place] is not _MARK:
                    place -= 1
                    if place < 0:
                        raise IndexError
                stack[place:] = [tuple(stack[place + 1 :])]
                at += 1
            elif 0x85 <= code <= 0x87:  # TUPLE1, TUPLE2, TUPLE3
                size = code - 0x84
                if len(stack) < size:
                    raise IndexError
                stack[-size:] = [tuple(stack[-size:])]
                at += 1
            elif code == 0x2E:  # STOP
                return stack.pop()
            else:
                instruction = others.get(code)
                self.at = at + 1
                if instruction is None:
                    raise self.refuse(f"it uses the instruction 0x{code:02x}")
                instruction(self)
                at = self.at

    def remember(self, place: int) -> None:
        """Puts the top of the stack into the memo."""
        if not 0 <= place <= len(self.data):
            raise IndexError  # a pickle remembers no more things than it has bytes
        self.memo.extend([_NOTHING] * (place + 1 - len(self.memo)))
        self.memo[place] = self.stack[-1]

    def recall(self, place: int) -> Any:
        if place < 0 or self.memo[place] is _NOTHING:
            raise IndexError
        return self.memo[place]

    def refuse(self, reason: str) -> InputError:
        return InputError(
            f"{reason}; a table of document frequencies holds only numbers, words, tuples, lists and dicts",
            source=self.source,
            row=f"byte {self.at}",
            fix="do not open this file with Python's pickle either unless you trust who made it",
        )

    def line(self) -> bytes:
        end = self.data.index(b"\n", self.at)
        text = self.data[self.at : end]
        self.at = end + 1
        return text.removesuffix(b"\r")

    def number(self, size: int, *, signed: bool = False) -> int:
        return int.from_bytes(self.bytes(size), "little", signed=signed)

    def bytes(self, size: int) -> bytes:
        start = self.at
        self.at += size
        if self.at > len(self.data):
            raise IndexError
        return self.data[start : self.at]

    def since_mark(self) -> list[Any]:
        stack = self.stack
        place = len(stack) - 1
        while stack[place] is not _MARK:
            place -= 1
            if place < 0:
                raise IndexError
        items = stack[place + 1 :]
        del stack[place:]
        return items

    def set_items(self, table: Any, items: list[Any]) -> None:
        if type(table) is not dict or len(items) % 2:
            raise self.refuse("it sets items of something that is no dict")
        for key, value in zip(items[::2], items[1::2], strict=True):
            # Only flat keys: hashing a tuple that nests a million deep would overflow the C stack.
            parts = key if type(key) is tuple else (key,)
            for part in parts:
                if type(part) not in _PLAIN_KEYS:
                    raise self.refuse("a dict has a key that is no number, word or tuple of them")
            table[key] = value

    def append_items(self, items: list[Any]) -> None:
        if type(self.stack[-1]) is not list:
            raise self.refuse("it appends to something that is no list")
        self.stack[-1].extend(items)

    def name(self, module: Any, name: Any) -> None:
        if (module, name) not in _NAMES:
            raise self.refuse(f"it asks for {f'{module}.{name}'[:80]!a}")
        self.stack.append(_Name(str(name)))

    def reduce(self) -> None:
        arguments, name = self.stack.pop(), self.stack.pop()
        if type(name) is not _Name or type(arguments) is not tuple:
            raise self.refuse("it calls something")
        self.stack.append(self.rebuild(name.name, arguments))

    def rebuild(self, name: str, arguments: tuple[Any, ...]) -> Any:
        """What the allowed names make of their arguments."""
        match name, arguments:
            case "defaultdict", () | (_Name() | None,):
                return {}
            case "Counter", ():
                return {}
            case "Counter", (dict() as counts,):
                return counts
            case "encode", (str() as text, "latin1" | "latin-1" | b"latin1"):
                return text.encode("latin-1")
            case "dtype", (str() | bytes() as code, *_):
                return _NumberType(code.decode("ascii") if isinstance(code, bytes) else code)
            case "scalar", (_NumberType() as kind, bytes() | str() as raw) if kind.code in _NUMBER_FORMATS:
                raw = raw.encode("latin-1") if isinstance(raw, str) else raw
                return struct.unpack(kind.order + _NUMBER_FORMATS[kind.code], raw)[0]
        raise self.refuse(f"it calls {name} with unknown arguments")

    def build(self) -> None:
        state, target = self.stack.pop(), self.stack[-1]
        order = state[1] if type(state) is tuple and len(state) > 1 else None
        order = order.decode("ascii") if isinstance(order, bytes) else order
        if type(target) is not _NumberType or order not in ("<", ">", "|", "="):
            raise self.refuse("it sets the state of an object")
        target.order = ">" if order == ">" else "<"


def _push(read: Callable[[_Machine], Any]) -> Callable[[_Machine], None]:
    return lambda machine: machine.stack.append(read(machine))


def _int(machine: _Machine) -> int | bool:
    text = machine.line()
    return text == b"01" if text in (b"00", b"01") else int(text)


def _string(machine: _Machine) -> bytes:
    text = machine.line().strip()
    if len(text) < 2 or text[:1] != text[-1:] or text[:1] not in b"'\"":
        raise ValueError("a string without quotes")
    return codecs.escape_decode(text[1:-1])[0]


def _set_one(machine: _Machine) -> None:
    value, key = machine.stack.pop(), machine.stack.pop()
    machine.set_items(machine.stack[-1], [key, value])


def _set_many(machine: _Machine) -> None:
    items = machine.since_mark()
    machine.set_items(machine.stack[-1], items)


def _dict(machine: _Machine) -> None:
    table: dict[Any, Any] = {}
    machine.set_items(table, machine.since_mark())
    machine.stack.append(table)


def _append_one(machine: _Machine) -> None:
    item = machine.stack.pop()
    machine.append_items([item])


def _global(machine: _Machine) -> None:
    module, name = machine.line().decode(), machine.line().decode()
    machine.name(module, name)


def _stack_global(machine: _Machine) -> None:
    name, module = machine.stack.pop(), machine.stack.pop()
    if type(name) is not str or type(module) is not str:
        raise machine.refuse("it asks for something without a name")
    machine.name(module, name)


_BY_CODE: dict[str | int, Callable[[_Machine], Any]] = {
    0x80: lambda m: m.bytes(1),  # PROTO
    0x95: lambda m: m.bytes(8),  # FRAME
    "0": lambda m: m.stack.pop(),
    "1": lambda m: m.since_mark(),
    "2": _push(lambda m: m.stack[-1]),
    "N": _push(lambda m: None),
    0x88: _push(lambda m: True),
    0x89: _push(lambda m: False),
    "I": _push(_int),
    "L": _push(lambda m: int(m.line().removesuffix(b"L"))),
    "J": _push(lambda m: m.number(4, signed=True)),
    "K": _push(lambda m: m.number(1)),
    "M": _push(lambda m: m.number(2)),
    0x8A: _push(lambda m: m.number(m.number(1), signed=True)),
    0x8B: _push(lambda m: m.number(m.number(4), signed=True)),
    "F": _push(lambda m: float(m.line())),
    "S": _push(_string),
    "T": _push(lambda m: m.bytes(m.number(4))),
    "U": _push(lambda m: m.bytes(m.number(1))),
    "B": _push(lambda m: m.bytes(m.number(4))),
    "C": _push(lambda m: m.bytes(m.number(1))),
    0x8E: _push(lambda m: m.bytes(m.number(8))),
    "V": _push(lambda m: m.line().decode("raw-unicode-escape")),
    0x8D: _push(lambda m: m.bytes(m.number(8)).decode("utf-8", "surrogatepass")),
    "}": _push(lambda m: {}),
    "d": _dict,
    "s": _set_one,
    "u": _set_many,
    "]": _push(lambda m: []),
    "l": _push(lambda m: m.since_mark()),
    "a": _append_one,
    "e": lambda m: m.append_items(m.since_mark()),
    ")": _push(lambda m: ()),
    "p": lambda m: m.remember(int(m.line())),
    "g": _push(lambda m: m.recall(int(m.line()))),
    "c": _global,
    0x93: _stack_global,
    "R": lambda m: m.reduce(),
    "b": lambda m: m.build(),
}
_INSTRUCTIONS = {ord(code) if isinstance(code, str) else code: step for code, step in _BY_CODE.items()}
