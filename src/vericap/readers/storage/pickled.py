"""Reads pickles that hold nothing but numbers, strings, tuples, lists and dicts.

A pickle is a program for a small stack machine, which can call any function. This reader leaves out every instruction
that a table of n-grams does not need; the few names that such tables hold (defaultdict, Counter, NumPy's scalars) are
labels that are rebuilt as dicts and numbers, and every other name is an error. Nothing of a file is imported or run.
"""

from __future__ import annotations

import gc
import pickle
import re
import struct
from collections.abc import Callable
from io import BytesIO
from typing import Any, NamedTuple

from vericap.errors import InputError

# A pickle that starts with its protocol (2 and later), or as a dict does in protocol 0 and 1.
_START = re.compile(rb"\x80[\x02-\x05]|\(dp?\d*\r?\n|\}q|ccollections\r?\n")
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


def looks_like_pickle(data: bytes) -> bool:
    """Return whether it starts as a pickle does.

    >>> looks_like_pickle(b"\\x80\\x04}."), looks_like_pickle(b"(dp0\\n."), looks_like_pickle(b"(a dog runs)")
    (True, True, False)
    """
    return _START.match(data) is not None


def read_pickle(data: bytes, source: str) -> Any:
    """Return the value that a pickle of any protocol holds; byte strings of Python 2 stay bytes.

    >>> read_pickle(b"\\x80\\x02}U\\x01aK\\x05s.", "table.p")
    {b'a': 5}
    """
    reader = _Reader(data)
    collecting = gc.isenabled()
    gc.disable()  # it would look through millions of tuples again and again, and there is nothing to collect
    try:
        return reader.load()
    except _Refused as error:
        raise InputError(
            f"{error}; a table of document frequencies holds only numbers, words, tuples, lists and dicts",
            source=source,
            row=reader.place,
            fix="do not open this file with Python's pickle either unless you trust who made it",
        ) from None
    except (EOFError, IndexError, KeyError, AttributeError, struct.error, pickle.UnpicklingError, RecursionError):
        problem = "the pickle is cut off or damaged"
        raise InputError(problem, source=source, row=reader.place, fix="copy the file again") from None
    except (ValueError, TypeError, OverflowError, MemoryError) as error:
        problem = f"the pickle is damaged ({' '.join(str(error).split())})"
        raise InputError(problem, source=source, row=reader.place, fix="copy the file again") from None
    finally:
        if collecting:
            gc.enable()


class _Refused(Exception):
    """The pickle asks for something that no table needs."""


class _Name(NamedTuple):
    """A name that the pickle asks for: a label on the stack, connected with nothing."""

    name: str


class _NumberType:
    """A number type of NumPy: its code and byte order."""

    __slots__ = ("code", "order")

    def __init__(self, code: str) -> None:
        self.code, self.order = code, "<"


class _Actions(dict[int, Callable[[Any], None]]):
    """The action of each instruction; all others are refused."""

    def __missing__(self, code: int) -> Callable[[Any], None]:
        raise _Refused(f"it uses the instruction 0x{code:02x}")


class _Reader(pickle._Unpickler):
    """The unpickler that is written in Python, whose instructions can be chosen."""

    stack: list[Any]
    memo: dict[int, Any]
    read: Callable[[int], bytes]
    readline: Callable[[], bytes]
    pop_mark: Callable[[], list[Any]]
    dispatch = _Actions(
        {
            code: action
            for code, action in pickle._Unpickler.dispatch.items()
            if bytes([code])
            in b".()]}012FGIJKLMNSTUVXBC\x8a\x8b\x8c\x8d\x8e\x80\x94\x95\x85\x86\x87\x88\x89tlpqrghjc\x93"
        }
    )

    def __init__(self, data: bytes) -> None:
        self._stream, self._size = BytesIO(data), len(data)
        # A table repeats few words and few numbers in millions of n-grams: equal ones are one object.
        self._same: dict[str | bytes | float, Any] = {}
        super().__init__(self._stream, encoding="bytes")

    @property
    def place(self) -> str:
        """The place of the reader, for errors."""
        return f"byte {self._stream.tell()}"

    def find_class(self, module: str, name: str) -> Any:
        """Return the label of a name that is allowed."""
        if (module, name) not in _NAMES:
            raise _Refused(f"it asks for {f'{module}.{name}'[:80]!a}")
        return _Name(name)

    def _set_items(self, table: Any, items: list[Any]) -> None:
        if type(table) is not dict or len(items) % 2:
            raise _Refused("it sets items of something that is not a dict")
        same = self._same.setdefault
        for key, value in zip(items[::2], items[1::2], strict=True):
            # Only flat keys: hashing a tuple that nests a million deep would overflow the C stack.
            parts = key if type(key) is tuple else (key,)
            for part in parts:
                if type(part) not in (str, int, float, bytes):
                    raise _Refused("a dict has a key that is not a number, a word or a tuple of them")
            if type(key) is tuple:
                key = tuple([part if type(part) is int else same(part, part) for part in key])
            table[key] = same(value, value) if type(value) is float else value

    def _set_one(self) -> None:
        value, key = self.stack.pop(), self.stack.pop()
        self._set_items(self.stack[-1], [key, value])

    def _set_many(self) -> None:
        items = self.pop_mark()
        self._set_items(self.stack[-1], items)

    def _dict(self) -> None:
        items, table = self.pop_mark(), dict[Any, Any]()
        self._set_items(table, items)
        self.stack.append(table)

    def _append(self, items: list[Any]) -> None:
        if type(self.stack[-1]) is not list:
            raise _Refused("it appends to something that is not a list")
        self.stack[-1].extend(items)

    def _remember(self, place: int) -> None:
        if not 0 <= place <= self._size:
            raise IndexError  # a pickle remembers no more things than it has bytes
        self.memo[place] = self.stack[-1]

    def _reduce(self) -> None:
        arguments, name = self.stack.pop(), self.stack.pop()
        if type(name) is not _Name or type(arguments) is not tuple:
            raise _Refused("it calls something")
        self.stack.append(_rebuilt(name.name, arguments))

    def _build(self) -> None:
        state, target = self.stack.pop(), self.stack[-1]
        order = state[1] if type(state) is tuple and len(state) > 1 else None
        order = order.decode("ascii") if isinstance(order, bytes) else order
        if type(target) is not _NumberType or order not in ("<", ">", "|", "="):
            raise _Refused("it sets the state of an object")
        target.order = ">" if order == ">" else "<"

    dispatch |= {
        ord("s"): _set_one,
        ord("u"): _set_many,
        ord("d"): _dict,
        ord("a"): lambda reader: reader._append([reader.stack.pop()]),
        ord("e"): lambda reader: reader._append(reader.pop_mark()),
        ord("p"): lambda reader: reader._remember(int(reader.readline()[:-1])),
        ord("q"): lambda reader: reader._remember(reader.read(1)[0]),
        ord("r"): lambda reader: reader._remember(int.from_bytes(reader.read(4), "little")),
        ord("R"): _reduce,
        ord("b"): _build,
    }


def _rebuilt(name: str, arguments: tuple[Any, ...]) -> Any:
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
    raise _Refused(f"it calls {name} with unknown arguments")
