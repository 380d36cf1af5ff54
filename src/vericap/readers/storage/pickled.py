"""Reads pickles that hold nothing but numbers, strings, tuples, lists and dicts, without Python's unpickler.

A pickle is a program for a small stack machine, and the unpickler's machine can call any function. This one has no
call: `pickletools` says how the instructions are written, a table says what is done for each, the few names that tables
of n-grams need (defaultdict, Counter, numpy's scalars) are rebuilt as dicts and numbers, and every other name and every
other instruction is an error. Nothing of a file is ever imported or run.
"""

from __future__ import annotations

import codecs
import gc
import pickletools
import re
import struct
from collections.abc import Callable
from io import BytesIO
from typing import IO, Any, TypeAlias

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
    except (IndexError, KeyError, struct.error):
        raise InputError("the pickle is cut off or damaged", source=source, fix="copy the file again") from None
    except (ValueError, TypeError, OverflowError) as error:
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
    """The mark on the stack before the items of a list, tuple or dict."""

    __slots__ = ()


_MARK = _Mark()

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
        self.stream, self.size, self.source = BytesIO(data), len(data), source
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}
        # A table repeats few words and few numbers in millions of n-grams: equal ones are one object.
        self.words: dict[str, str] = {}
        self.floats: dict[float, float] = {}

    def run(self) -> Any:
        stream, read, steps = self.stream, self.stream.read, _STEPS
        while (code := read(1)) != b".":
            step = steps.get(code)
            if step is None:
                if not code:
                    raise IndexError
                raise self.refuse(f"it uses the instruction 0x{code[0]:02x}")
            argument, act = step
            act(self, argument(stream) if argument is not None else None)
        return self.stack.pop()

    def remember(self, place: int) -> None:
        """Puts the top of the stack into the memo."""
        if not 0 <= place <= self.size:
            raise IndexError  # a pickle remembers no more things than it has bytes
        self.memo[place] = self.stack[-1]

    def refuse(self, reason: str) -> InputError:
        return InputError(
            f"{reason}; a table of document frequencies holds only numbers, words, tuples, lists and dicts",
            source=self.source,
            row=f"byte {self.stream.tell()}",
            fix="do not open this file with Python's pickle either unless you trust who made it",
        )

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
            raise self.refuse("it sets items of something that is not a dict")
        for key, value in zip(items[::2], items[1::2], strict=True):
            # Only flat keys: hashing a tuple that nests a million deep would overflow the C stack.
            parts = key if type(key) is tuple else (key,)
            for part in parts:
                if type(part) not in _PLAIN_KEYS:
                    raise self.refuse("a dict has a key that is not a number, a word or a tuple of them")
            table[key] = value

    def append_items(self, items: list[Any]) -> None:
        if type(self.stack[-1]) is not list:
            raise self.refuse("it appends to something that is not a list")
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
        """Return what the allowed names make of their arguments."""
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


Action: TypeAlias = Callable[[_Machine, Any], object]


def _push(make: Callable[[Any], Any]) -> Action:
    """Puts on the stack what is made of the argument."""
    return lambda machine, argument: machine.stack.append(make(argument))


def _word(machine: _Machine, word: str) -> None:
    machine.stack.append(machine.words.setdefault(word, word))


def _float(machine: _Machine, number: float) -> None:
    machine.stack.append(machine.floats.setdefault(number, number))


def _string(machine: _Machine, text: bytes) -> None:
    machine.stack.append(codecs.escape_decode(text)[0])


def _tuple(machine: _Machine, argument: None) -> None:
    machine.stack.append(tuple(machine.since_mark()))


def _tuple_of(size: int) -> Action:
    def act(machine: _Machine, argument: None) -> None:
        if len(machine.stack) < size:
            raise IndexError
        machine.stack[-size:] = [tuple(machine.stack[-size:])]

    return act


def _set_one(machine: _Machine, argument: None) -> None:
    value, key = machine.stack.pop(), machine.stack.pop()
    machine.set_items(machine.stack[-1], [key, value])


def _set_many(machine: _Machine, argument: None) -> None:
    items = machine.since_mark()
    machine.set_items(machine.stack[-1], items)


def _dict(machine: _Machine, argument: None) -> None:
    table: dict[Any, Any] = {}
    machine.set_items(table, machine.since_mark())
    machine.stack.append(table)


def _append_one(machine: _Machine, argument: None) -> None:
    item = machine.stack.pop()
    machine.append_items([item])


def _append_many(machine: _Machine, argument: None) -> None:
    items = machine.since_mark()
    machine.append_items(items)


def _global(machine: _Machine, names: str) -> None:
    module, _, name = names.partition(" ")
    machine.name(module, name)


def _stack_global(machine: _Machine, argument: None) -> None:
    name, module = machine.stack.pop(), machine.stack.pop()
    if type(name) is not str or type(module) is not str:
        raise machine.refuse("it asks for something without a name")
    machine.name(module, name)


def _nothing(machine: _Machine, argument: Any) -> None:
    pass


_ACTIONS: dict[str, Action] = {
    "PROTO": _nothing,
    "FRAME": _nothing,
    "POP": lambda m, _: m.stack.pop(),
    "POP_MARK": lambda m, _: m.since_mark(),
    "DUP": lambda m, _: m.stack.append(m.stack[-1]),
    "MARK": _push(lambda _: _MARK),
    "NONE": _push(lambda _: None),
    "NEWTRUE": _push(lambda _: True),
    "NEWFALSE": _push(lambda _: False),
    **dict.fromkeys(["INT", "LONG", "BININT", "BININT1", "BININT2", "LONG1", "LONG4"], _push(lambda number: number)),
    **dict.fromkeys(["FLOAT", "BINFLOAT"], _float),
    "STRING": _string,
    **dict.fromkeys(["BINSTRING", "SHORT_BINSTRING"], _push(lambda text: text.encode("latin-1"))),
    **dict.fromkeys(["BINBYTES", "SHORT_BINBYTES", "BINBYTES8"], _push(lambda raw: raw)),
    **dict.fromkeys(["UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"], _word),
    "EMPTY_DICT": _push(lambda _: {}),
    "DICT": _dict,
    "SETITEM": _set_one,
    "SETITEMS": _set_many,
    "EMPTY_LIST": _push(lambda _: []),
    "LIST": lambda m, _: m.stack.append(m.since_mark()),
    "APPEND": _append_one,
    "APPENDS": _append_many,
    "EMPTY_TUPLE": _push(lambda _: ()),
    "TUPLE": _tuple,
    "TUPLE1": _tuple_of(1),
    "TUPLE2": _tuple_of(2),
    "TUPLE3": _tuple_of(3),
    **dict.fromkeys(["PUT", "BINPUT", "LONG_BINPUT"], _Machine.remember),
    "MEMOIZE": lambda m, _: m.remember(len(m.memo)),
    **dict.fromkeys(["GET", "BINGET", "LONG_BINGET"], lambda m, place: m.stack.append(m.memo[place])),
    "GLOBAL": _global,
    "STACK_GLOBAL": _stack_global,
    "REDUCE": lambda m, _: m.reduce(),
    "BUILD": lambda m, _: m.build(),
}


def _read_global(stream: IO[bytes]) -> str:
    """Module and name, a line each, as they are written: pickletools would take a backslash for an escape."""
    lines = [stream.readline(), stream.readline()]
    if not all(line.endswith(b"\n") for line in lines):
        raise ValueError("a line does not end")
    return " ".join(line[:-1].decode("ascii") for line in lines)


_ARGUMENTS = {opcode.name: opcode.arg.reader if opcode.arg else None for opcode in pickletools.opcodes}
# pickletools takes a string of Python 2 for ASCII; tables have words in UTF-8.
_ARGUMENTS["STRING"] = lambda stream: pickletools.read_stringnl(stream, decode=False)
_ARGUMENTS["GLOBAL"] = _read_global
# By code: how the argument is read, and what is done. Instructions that are not here are refused.
_STEPS: dict[bytes, tuple[Callable[[BytesIO], Any] | None, Action]] = {
    opcode.code.encode("latin-1"): (_ARGUMENTS[opcode.name], _ACTIONS[opcode.name])
    for opcode in pickletools.opcodes
    if opcode.name in _ACTIONS
}
